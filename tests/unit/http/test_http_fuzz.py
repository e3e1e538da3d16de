"""Whatever is sent, HTTP answers with JSON and never with a server error."""

import asyncio
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.http_stub import BEARER, StubDaemon, app_over, ask

SEED = 20_26
REQUESTS = 10_000
PATHS = (
    *("/api/bots/Alice/commands", "/api/bots/Alice/messages", "/api/bots/{odd}/commands"),
    *("/api/bots/Alice/history?{odd}", "/api/bots/Alice/history?username={odd}&limit={odd}"),
    *("/api/decisions/{odd}/approve", "/api/stop", "/{odd}"),
)
PIECES = (
    *("!", "!chat", "!info all", "{", "}", "[", "]", '"', "\\", "\\ud83d", "\\u0000", "§", "\n"),
    *("text", "wait", "true", "null", "NaN", "-1e999", "0x", ",", ":", " ", "\x00", "\x1b[2J"),
    *(
        "村人",
        "🏡",
        "\u202e",
        "a" * 300,
        *("../", "%00", "%ff", "&", "=", "username", "since", "limit"),
    ),
)


def odd_text(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(8)))


def odd_body(rng: random.Random) -> bytes:
    text = odd_text(rng)
    return rng.choice(
        [
            text.encode(),
            json.dumps({"text": text}).encode(),
            json.dumps({"text": f"!{text}", "wait": rng.choice([True, False])}).encode(),
            json.dumps({"text": rng.choice([None, 1, [], {}, text])}).encode(),
            json.dumps({rng.choice(PIECES): text}).encode(),
            rng.randbytes(rng.randrange(60)),
        ]
    )


@pytest.mark.slow
async def test_ten_thousand_odd_requests_get_an_answer_and_never_a_server_error() -> None:
    rng, app = random.Random(SEED), app_over(StubDaemon())
    statuses: set[int] = set()
    for _ in range(REQUESTS):
        path = rng.choice(PATHS).replace("{odd}", odd_text(rng))
        reply = await ask(app, rng.choice(["GET", "POST", "POST", "PUT"]), path, odd_body(rng))
        assert reply.status < 500, path
        if reply.status >= 400:
            assert reply.json["success"] is False
            assert reply.json["reason"]
        statuses.add(reply.status)
    assert {200, 400, 404, 405} <= statuses


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    body=st.binary(max_size=400),
    headers=st.dictionaries(
        st.sampled_from(["host", "origin", "authorization", "content-type", "x-odd"]),
        st.text(st.characters(max_codepoint=255), max_size=40),
    ),
    with_token=st.booleans(),
)
def test_no_header_and_no_body_makes_a_server_error(
    body: bytes, headers: dict[str, str], with_token: bool
) -> None:
    given_headers = {**headers, **(BEARER if with_token else {})}
    host = headers.get("host", "127.0.0.1:4711")
    app = app_over(StubDaemon())
    asking = ask(app, "POST", "/api/bots/Alice/commands", body, given_headers, host=host)
    reply = asyncio.run(asking)
    assert reply.status < 500
    assert with_token or reply.status in {401, 403}
