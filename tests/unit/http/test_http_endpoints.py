"""The answer of each endpoint, and how it refuses wrong requests."""

import asyncio
import json
import math
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.types import ASGIApp
from support.http_stub import BEARER, PICTURE, PORT, TOKEN, Broken, StubDaemon, app_over, ask

from bots.access.origin import Operator
from bots.daemon.shapes import HistoryQuery, RecallQuery
from bots.errors import CommandError, SettingsError
from bots.http.app import ENDPOINTS, create_app
from bots.http.requests import BODY_BYTES
from bots.http.security import Keys, OwnAddresses
from bots.vision.studio import Wanted

COMMANDS = "/api/bots/Alice/commands"
MESSAGES = "/api/bots/Alice/messages"
HISTORY = "/api/bots/Alice/history"
RECALL = "/api/bots/Alice/recall"


@pytest.fixture
def daemon() -> StubDaemon:
    return StubDaemon()


@pytest.fixture
def app(daemon: StubDaemon) -> ASGIApp:
    return app_over(daemon)


def body(**facts: Any) -> bytes:
    return json.dumps(facts).encode()


async def test_a_command_is_run_as_the_operator_and_its_result_returned(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    reply = await ask(app, "POST", COMMANDS, body(text=" !info all "))
    assert (reply.status, reply.json) == (200, {"success": True, "text": "done"})
    assert daemon.asked == [("command", "Alice", "!info all", Operator("http"), True)]


async def test_a_prompt_is_asked_for_without_a_word_to_the_bot(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    await ask(app, "POST", "/api/bots/Alice/prompt", body(text="hi", name="Steve"))
    assert daemon.asked == [("prompt", "Alice", "hi", "Steve")]


async def test_a_command_can_be_started_without_waiting(app: ASGIApp, daemon: StubDaemon) -> None:
    await ask(app, "POST", COMMANDS, body(text="!help", wait=False))
    assert daemon.asked[0][-1] is False


async def test_a_command_s_result_can_be_told_as_lines_too(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    reply = await ask(app, "POST", COMMANDS, body(text="!help", plain=True))
    assert reply.json == {"success": True, "text": "done", "plain": ["done"]}


async def test_a_refused_command_is_a_result_and_no_http_error(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    daemon.outcome = {"success": False, "reason": "player_not_found"}
    assert (await ask(app, "POST", COMMANDS, body(text="!chat"))).status == 200
    daemon.failure = CommandError("out_of_range", "too far")
    reply = await ask(app, "POST", COMMANDS, body(text="!chat"))
    assert (reply.status, reply.json["reason"]) == (200, "out_of_range")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "invalid_format"),
        (b"{", "invalid_format"),
        (b"\xff\xfe", "invalid_format"),
        (b"[" * 60_000, "invalid_format"),
        (b'"!help"', "invalid_format"),
        (b"null", "invalid_format"),
        (b"{}", "invalid_format"),
        (b'{"text": 3}', "invalid_format"),
        (b'{"text": null}', "invalid_format"),
        (b'{"text": "!help", "wait": "yes"}', "invalid_format"),
        (b'{"text": "!help", "wiat": true}', "invalid_format"),
        (b'{"text": "\\ud800"}', "invalid_format"),
        (b'{"text": NaN}', "invalid_format"),
        (b'{"text": "help"}', "not_a_command"),
        (b'{"text": ""}', "not_a_command"),
    ],
)
async def test_a_malformed_command_is_refused_with_its_reason(
    app: ASGIApp, daemon: StubDaemon, raw: bytes, reason: str
) -> None:
    reply = await ask(app, "POST", COMMANDS, raw)
    assert (reply.status, reply.json["reason"]) == (400, reason)
    assert reply.json["success"] is False
    assert reply.json["message"]
    assert daemon.asked == []


async def test_a_misspelt_key_is_answered_with_the_known_ones(app: ASGIApp) -> None:
    reply = await ask(app, "POST", COMMANDS, body(text="!help", wiat=True))
    assert reply.json["message"] == "unknown key 'wiat'; known: text, wait, attached, plain"


async def test_a_body_over_the_limit_is_refused_wherever_it_is_cut(app: ASGIApp) -> None:
    at_once = await ask(app, "POST", COMMANDS, b" " * (BODY_BYTES + 1))
    in_parts = await ask(app, "POST", COMMANDS, [b" " * 1024] * 65)
    assert (at_once.status, at_once.json["reason"]) == (413, "too_large")
    assert in_parts.status == 413


async def test_a_body_just_within_the_limit_is_read(app: ASGIApp) -> None:
    text = "!echo " + "x" * (BODY_BYTES - len(body(text="!echo ")))
    assert (await ask(app, "POST", COMMANDS, body(text=text))).status == 200


@pytest.mark.parametrize("bot", ["Carol", "alice", "Alice%20", "..", "Ålice", "a" * 300])
async def test_an_unknown_bot_is_refused(app: ASGIApp, bot: str) -> None:
    reply = await ask(app, "POST", f"/api/bots/{bot}/commands", body(text="!help"))
    assert (reply.status, reply.json["reason"]) == (404, "unknown_bot")


async def test_a_misspelt_bot_is_answered_with_the_nearest(app: ASGIApp) -> None:
    reply = await ask(app, "GET", "/api/bots/Alise/history")
    assert "did you mean Alice?" in reply.json["message"]


async def test_words_to_a_bot_are_handed_on(app: ASGIApp, daemon: StubDaemon) -> None:
    assert (await ask(app, "POST", MESSAGES, body(text="こんにちは"))).status == 200
    assert daemon.asked == [("message", "Alice", "こんにちは", None)]


async def test_whoever_says_them_may_have_a_name(app: ASGIApp, daemon: StubDaemon) -> None:
    assert (await ask(app, "POST", MESSAGES, body(text="hi", name="ルミナ"))).status == 200
    assert daemon.asked == [("message", "Alice", "hi", "ルミナ")]


@pytest.mark.parametrize("name", ["", "@Steve", "two words", "x" * 33, "a\nb", 7])
async def test_a_name_that_is_none_is_refused(app: ASGIApp, daemon: StubDaemon, name: str) -> None:
    reply = await ask(app, "POST", MESSAGES, body(text="hi", name=name))
    assert (reply.status, reply.json["reason"], daemon.asked) == (400, "invalid_format", [])


@pytest.mark.parametrize(
    ("text", "reason"), [("", "empty"), (" \n", "empty"), ("!a", "is_a_command")]
)
async def test_words_that_are_none_are_refused(app: ASGIApp, text: str, reason: str) -> None:
    reply = await ask(app, "POST", MESSAGES, body(text=text))
    assert (reply.status, reply.json["reason"]) == (400, reason)


async def test_history_takes_names_repeated_or_with_commas(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    query = "username=Steve,Mina&username=Bob&type=natural_language&since=7&limit=20"
    reply = await ask(app, "GET", f"{HISTORY}?{query}")
    assert reply.json["latestSequence"] == 3
    wanted = ("Steve", "Mina", "Bob")
    assert daemon.asked == [
        ("history", "Alice", HistoryQuery(wanted, "natural_language", 7, None, None, 20))
    ]


async def test_older_history_is_asked_for_by_the_sequence_it_goes_up_to(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    await ask(app, "GET", f"{HISTORY}?before=101&limit=50")
    assert daemon.asked == [("history", "Alice", HistoryQuery(before=101, talk=None, limit=50))]


async def test_the_history_of_a_talk_is_asked_for_by_its_number(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    await ask(app, "GET", f"{HISTORY}?talk=3&before=101&limit=50")
    assert daemon.asked == [("history", "Alice", HistoryQuery(before=101, talk=3, limit=50))]


async def test_recall_takes_words_speaker_times_and_pages(app: ASGIApp, daemon: StubDaemon) -> None:
    query = "words=oak+bridge&speaker=Steve&since=1795262400123&until=2026-11-22T00:00:00Z"
    reply = await ask(app, "GET", f"{RECALL}?{query}&limit=20&offset=40&episodes=true")
    assert reply.json == {"success": True, "count": 0, "lines": []}
    since = datetime(2026, 11, 21, 12, 0, 0, 123_000, UTC)
    until = datetime(2026, 11, 22, tzinfo=UTC)
    assert daemon.asked == [
        ("recall", "Alice", RecallQuery("oak bridge", "Steve", since, until, 20, 40, True))
    ]


@pytest.mark.parametrize(
    "query", ["since=yesterday", "limit=1001", "offset=-1", "word=oak", "episodes=1"]
)
async def test_a_malformed_recall_is_refused(app: ASGIApp, daemon: StubDaemon, query: str) -> None:
    reply = await ask(app, "GET", f"{RECALL}?{query}")
    assert (reply.status, reply.json["reason"]) == (400, "invalid_format")
    assert daemon.asked == []


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=-1", "limit=x", "limit=1.5", "limit=", "limit=10001"),
        *("limit=9999999999999999999", "limit=%EF%BC%91", "limit=1&limit=2", "since=-1"),
        *("since=1_0", "since=yesterday", "type=chat", "type=", "username=", "username=a,,b"),
        *("usernam=Steve", "before=0", "before=9&since=3", "talk=0", "talk=the bridge"),
    ],
)
async def test_a_malformed_history_query_is_refused(
    app: ASGIApp, daemon: StubDaemon, query: str
) -> None:
    reply = await ask(app, "GET", f"{HISTORY}?{query}")
    assert (reply.status, reply.json["reason"]) == (400, "invalid_format")
    assert daemon.asked == []


async def test_bots_and_decisions_are_listed(app: ASGIApp) -> None:
    assert (await ask(app, "GET", "/api/bots")).json["bots"][1]["name"] == "Bob"
    assert (await ask(app, "GET", "/api/decisions")).json["decisions"] == [
        {"id": 1, "chosen": "rules"}
    ]


@pytest.mark.parametrize("verb", ["approve", "reanalyse"])
async def test_a_decision_is_approved_or_decided_anew(
    app: ASGIApp, daemon: StubDaemon, verb: str
) -> None:
    assert (await ask(app, "POST", f"/api/decisions/1/{verb}")).status == 200
    assert daemon.asked == [(verb, 1)]


@pytest.mark.parametrize("decision", ["2", "x", "-1", "1e3", "9" * 40])
async def test_an_unknown_decision_is_refused(app: ASGIApp, decision: str) -> None:
    reply = await ask(app, "POST", f"/api/decisions/{decision}/approve")
    assert (reply.status, reply.json["reason"]) == (404, "unknown_decision")


async def test_stop_reaches_every_bot(app: ASGIApp, daemon: StubDaemon) -> None:
    assert (await ask(app, "POST", "/api/stop")).status == 200
    assert daemon.asked == [("stop",)]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/nothing", 404), ("GET", COMMANDS, 405), ("DELETE", "/api/bots", 405)],
)
async def test_what_does_not_exist_is_refused_as_json(
    app: ASGIApp, method: str, path: str, status: int
) -> None:
    reply = await ask(app, method, path)
    assert (reply.status, reply.json["success"]) == (status, False)


async def test_an_unwell_daemon_says_so_on_healthz(app: ASGIApp, daemon: StubDaemon) -> None:
    daemon.well = False
    assert (await ask(app, "GET", "/healthz", headers={})).status == 503


@pytest.mark.parametrize(
    ("path", "why"),
    [("/healthz/live", "Node is down for 31 s"), ("/healthz/ready", "no bot is in the world")],
)
async def test_supervisors_are_told_without_a_token_why_to_start_anew_or_to_wait(
    app: ASGIApp, daemon: StubDaemon, path: str, why: str
) -> None:
    reply = await ask(app, "GET", path, headers={})
    assert (reply.status, reply.json) == (200, {"ok": True, "why": []})
    daemon.well = False
    reply = await ask(app, "GET", path, headers={})
    assert (reply.status, reply.json) == (503, {"ok": False, "why": [why]})


async def test_a_broken_part_is_unavailable_and_a_users_mistake_is_not(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    daemon.failure = Broken("the world is away")
    reply = await ask(app, "POST", "/api/stop")
    assert (reply.status, reply.json["message"]) == (503, "the world is away")
    daemon.failure = SettingsError("no")
    assert (await ask(app, "POST", "/api/stop")).status == 400


async def test_a_result_with_odd_numbers_and_half_characters_is_still_answered(
    app: ASGIApp, daemon: StubDaemon
) -> None:
    daemon.outcome = {"success": True, "distance": math.nan, "name": "\ud800"}
    reply = await ask(app, "POST", "/api/stop")
    assert reply.json["distance"] is None


async def test_what_runs_when_the_daemon_closes_is_answered() -> None:
    daemon, closing = StubDaemon(), asyncio.Event()
    daemon.hold = asyncio.Event()
    app = create_app(daemon, OwnAddresses(PORT), Keys(TOKEN), (), closing)
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        asking = group.create_task(ask(app, "POST", "/api/stop", b"", BEARER))
        await daemon.started.wait()
        closing.set()
    assert (asking.result().status, asking.result().json["reason"]) == (503, "shutting_down")


async def test_the_page_names_every_endpoint(app: ASGIApp) -> None:
    page = (await ask(app, "GET", "/api")).body.decode()
    for method, path, _meaning, _answer in ENDPOINTS:
        assert f"<td>{method}</td><td><code>{path}</code>" in page
        address = path.format(bot="Alice", id=1, name="Steve", run="seed-1")
        if method in {"GET", "POST"}:
            assert (await ask(app, method, address, body(text="!a"))).status not in {404, 405}


async def test_a_picture_comes_as_a_png(app: ASGIApp, daemon: StubDaemon) -> None:
    reply = await ask(app, "GET", "/api/bots/Alice/picture?yaw=-90.5&panorama=true&width=640")
    assert (reply.status, reply.headers["content-type"]) == (200, "image/png")
    assert reply.body == PICTURE
    assert daemon.asked == [("picture", "Alice", Wanted(-90.5, None, True, 640, None))]


@pytest.mark.parametrize(
    "query", ["yaw=north", "pitch=91", "width=5000", "height=1", "panorama=2", "zoom=2", "yaw=1e2"]
)
async def test_a_picture_that_cannot_be_is_refused(
    app: ASGIApp, daemon: StubDaemon, query: str
) -> None:
    reply = await ask(app, "GET", f"/api/bots/Alice/picture?{query}")
    assert (reply.status, reply.json["reason"]) == (400, "invalid_format")
    assert daemon.asked == []


async def test_the_ground_for_a_map_comes_with_its_place(app: ASGIApp, daemon: StubDaemon) -> None:
    found = (await ask(app, "GET", "/api/bots/Alice/terrain?reach=48")).json
    assert (found["west"], found["width"]) == (-48, 97)
    assert daemon.asked == [("terrain", "Alice", 48)]
    assert (await ask(app, "GET", "/api/bots/Alice/terrain?reach=1")).status == 400


async def test_a_map_comes_as_a_png_too(app: ASGIApp, daemon: StubDaemon) -> None:
    assert (await ask(app, "GET", "/api/bots/Alice/map?reach=64")).body == PICTURE
    assert daemon.asked == [("map", "Alice", 64)]
    assert (await ask(app, "GET", "/api/bots/Alice/map?reach=500")).status == 400


async def test_metrics_are_text_and_need_the_token(app: ASGIApp) -> None:
    reply = await ask(app, "GET", "/metrics")
    assert (reply.status, reply.body) == (200, b"townsfolk_bots 2\n")
    assert reply.headers["content-type"] == "text/any; charset=utf-8"
    assert (await ask(app, "GET", "/metrics", headers={})).status == 401


async def test_metrics_come_in_the_format_that_is_asked_for(app: ASGIApp) -> None:
    reply = await ask(app, "GET", "/metrics", headers={**BEARER, "accept": "wanted"})
    assert reply.headers["content-type"] == "text/wanted; charset=utf-8"
