"""Whatever is sent or asked, HTTP and the WebSocket serve or refuse it."""

import asyncio
import json
import random
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp, Message, Scope
from support.fuzz import ODD_TEXT, fuzzed
from support.http_stub import BEARER, HOST, PORT, StubDaemon, app_over, ask

from bots.http import websocket

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


# --- the WebSocket --------------------------------------------------------------------


LONGER = websocket.MOST_READERS + 3
QUERY = st.dictionaries(st.sampled_from(("last", "follow", "token", "?")) | ODD_TEXT, ODD_TEXT)
FRAME = st.fixed_dictionaries(
    {"type": st.just("websocket.receive")}, optional={"text": ODD_TEXT, "bytes": st.binary()}
)


def scope_of(query: str, headers: dict[str, str]) -> Scope:
    given_headers = {"host": HOST, **headers}
    return {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "scheme": "ws",
        "path": "/ws",
        "raw_path": b"/ws",
        "query_string": query.encode("utf-8", "replace"),
        "root_path": "",
        "headers": [
            (name.encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in given_headers.items()
        ],
        "subprotocols": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", PORT),
        "state": {},
        "extensions": {"websocket.http.response": {}},
    }


async def read(app: ASGIApp, scope: Scope, frames: list[Message]) -> list[Message]:
    """What a reader gets that sends these frames and leaves."""
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "websocket.connect"}, *frames]

    async def receive() -> Message:
        return waiting.pop(0) if waiting else {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Message) -> None:
        sent.append(message)

    async with asyncio.timeout(30):
        await app(scope, receive, send)
    return sent


def encoded(query: dict[str, str]) -> str:
    pairs = [[quote(part, errors="replace") for part in pair] for pair in query.items()]
    return "&".join("=".join(pair) for pair in pairs)


@given(QUERY, st.lists(FRAME, max_size=4), st.booleans(), ODD_TEXT)
@example({"last": "9" * 5_000}, [], True, "")
@example({"last": "٣"}, [], True, "")
@fuzzed
def test_a_reader_is_served_or_refused(
    query: dict[str, str], frames: list[Message], with_token: bool, odd: str
) -> None:
    headers = BEARER if with_token else {"authorization": odd}
    asked = read(app_over(StubDaemon()), scope_of(encoded(query), headers), frames)
    sent = asyncio.run(asked)
    first = sent[0]
    if first["type"] == "websocket.accept":
        assert with_token
        assert all(json.loads(frame["text"]) for frame in sent[1:] if "text" in frame)
    else:
        assert 400 <= _status(first) < 500


def test_readers_that_come_and_go_leave_their_places_free() -> None:
    app = app_over(StubDaemon())

    async def all_of_them() -> None:
        for _ in range(LONGER):
            sent = await read(app, scope_of("last=0", BEARER), [])
            assert sent[0]["type"] == "websocket.accept"

    asyncio.run(all_of_them())


def test_a_reader_who_leaves_while_it_is_sent_to_is_no_mistake_of_ours() -> None:
    daemon = StubDaemon()
    daemon.trace.note("daemon.started")
    tried: list[object] = []

    async def receive() -> Message:
        if tried:
            await asyncio.Event().wait()  # its goodbye has not been read yet
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            tried.append(message)
            raise RuntimeError("Unexpected ASGI message, after sending 'websocket.close'.")

    async def serve() -> None:
        async with asyncio.timeout(30):
            await app_over(daemon)(scope_of("last=0", BEARER), receive, send)

    asyncio.run(serve())
    assert len(tried) == 1


def _status(message: Message) -> Any:
    return message["status"]
