"""Every endpoint: what it asks of the daemon, what it answers, what it refuses, how it is told."""

import asyncio
import math
from datetime import UTC, datetime

import pytest
from starlette.types import ASGIApp
from support.http_stub import BEARER, PICTURE, PORT, TOKEN, Broken, StubDaemon, app_over, ask, body

from bots.access.origin import Operator
from bots.daemon.shapes import HistoryQuery, RecallQuery
from bots.errors import CommandError, SettingsError
from bots.http.app import ENDPOINTS, create_app
from bots.http.page import MEDIA_TYPES, openapi
from bots.http.requests import BODY_BYTES
from bots.http.security import Keys, OwnAddresses
from bots.vision.studio import Wanted

COMMANDS = "/api/bots/Alice/commands"
MESSAGES = "/api/bots/Alice/messages"
HISTORY = "/api/bots/Alice/history"
RECALL = "/api/bots/Alice/recall"


@pytest.fixture
def app(daemon: StubDaemon) -> ASGIApp:
    return app_over(daemon)


SINCE = datetime(2026, 11, 21, 12, 0, 0, 123_000, UTC)
TIMES = "since=1795262400123&until=2026-11-22T00:00:00Z"
FILTERED = HistoryQuery(("Steve", "Mina", "Bob"), "natural_language", 7, None, None, 20)
RECALLED = RecallQuery(
    "oak bridge", "Steve", SINCE, datetime(2026, 11, 22, tzinfo=UTC), 20, 40, episodes=True
)
FOUND = {"success": True, "count": 0, "lines": []}


@pytest.mark.parametrize(
    ("request_line", "sent", "asked", "answer"),
    [
        ("POST /api/bots/Alice/prompt", {"text": "hi", "name": "Steve"},
         ("prompt", "Alice", "hi", "Steve"), {}),
        (f"POST {COMMANDS}", {"text": " !info all "},
         ("command", "Alice", "!info all", Operator("http"), True),
         {"success": True, "text": "done"}),
        (f"POST {COMMANDS}", {"text": "!help", "plain": True},
         ("command", "Alice", "!help", Operator("http"), True), {"plain": ["done"]}),
        (f"POST {COMMANDS}", {"text": "!help", "wait": False},
         ("command", "Alice", "!help", Operator("http"), False), {}),
        (f"POST {MESSAGES}", {"text": "こんにちは"}, ("message", "Alice", "こんにちは", None), {}),
        (f"POST {MESSAGES}", {"text": "hi", "name": "ルミナ"},
         ("message", "Alice", "hi", "ルミナ"), {}),
        (f"GET {HISTORY}?username=Steve,Mina&username=Bob&type=natural_language&since=7&limit=20",
         {}, ("history", "Alice", FILTERED), {"latestSequence": 3}),
        (f"GET {HISTORY}?before=101&limit=50", {},
         ("history", "Alice", HistoryQuery(before=101, talk=None, limit=50)), {}),
        (f"GET {HISTORY}?talk=3&before=101&limit=50", {},
         ("history", "Alice", HistoryQuery(before=101, talk=3, limit=50)), {}),
        (f"GET {RECALL}?words=oak+bridge&speaker=Steve&{TIMES}&limit=20&offset=40&episodes=true",
         {}, ("recall", "Alice", RECALLED), FOUND),
        ("GET /api/bots/Alice/terrain?reach=48", {}, ("terrain", "Alice", 48),
         {"west": -48, "width": 97}),
        ("POST /api/decisions/1/approve", {}, ("approve", 1), {}),
        ("POST /api/decisions/1/reanalyse", {}, ("reanalyse", 1), {}),
        ("POST /api/stop", {}, ("stop",), {}),
    ],
)  # fmt: skip
async def test_a_request_asks_the_daemon_for_what_it_says(
    app: ASGIApp,
    daemon: StubDaemon,
    request_line: str,
    sent: dict[str, object],
    asked: tuple[object, ...],
    answer: dict[str, object],
) -> None:
    method, path = request_line.split()
    reply = await ask(app, method, path, body(**sent) if sent else b"")
    assert (reply.status, daemon.asked) == (200, [asked])
    assert {key: reply.json[key] for key in answer} == answer


async def test_a_refused_command_is_no_http_error(app: ASGIApp, daemon: StubDaemon) -> None:
    daemon.outcome = {"success": False, "reason": "player_not_found"}
    assert (await ask(app, "POST", COMMANDS, body(text="!chat"))).status == 200
    daemon.failure = CommandError("out_of_range", "too far")
    reply = await ask(app, "POST", COMMANDS, body(text="!chat"))
    assert (reply.status, reply.json["reason"]) == (200, "out_of_range")


WRONG: dict[tuple[str, int, str], list[str | bytes]] = {
    (f"POST {COMMANDS}", 400, "invalid_format"): [
        *(b"", b"{", b"\xff\xfe", b"[" * 60_000, b'"!help"', b"null", b"{}", b'{"text": 3}'),
        *(b'{"text": null}', b'{"text": "!help", "wait": "yes"}', b'{"text": "\\ud800"}'),
        *(b'{"text": "!help", "wiat": true}', b'{"text": NaN}'),
    ],
    (f"POST {COMMANDS}", 400, "not_a_command"): [b'{"text": "help"}', b'{"text": ""}'],
    ("POST /api/bots/{}/commands", 404, "unknown_bot"): [
        *("Carol", "alice", "Alice%20", "..", "Ålice", "a" * 300)
    ],
    (f"POST {MESSAGES}", 400, "invalid_format"): [
        body(text="hi", name=name) for name in ("", "@Steve", "two words", "x" * 33, "a\nb", 7)
    ],
    (f"POST {MESSAGES}", 400, "empty"): [body(text=""), body(text=" \n")],
    (f"POST {MESSAGES}", 400, "is_a_command"): [body(text="!a")],
    (RECALL + "?{}", 400, "invalid_format"): [
        *("since=yesterday", "limit=1001", "offset=-1", "word=oak", "episodes=1")
    ],
    (HISTORY + "?{}", 400, "invalid_format"): [
        *("limit=0", "limit=-1", "limit=x", "limit=1.5", "limit=", "limit=10001"),
        *("limit=9999999999999999999", "limit=%EF%BC%91", "limit=1&limit=2", "since=-1"),
        *("since=1_0", "since=yesterday", "type=chat", "type=", "username=", "username=a,,b"),
        *("usernam=Steve", "before=0", "before=9&since=3", "talk=0", "talk=the bridge"),
    ],
    ("POST /api/decisions/{}/approve", 404, "unknown_decision"): [
        *("2", "x", "-1", "1e3", "9" * 40)
    ],
    ("/api/bots/Alice/picture?{}", 400, "invalid_format"): [
        *("yaw=north", "pitch=91", "width=5000", "height=1", "panorama=2", "zoom=2", "yaw=1e2")
    ],
    ("/api/bots/Alice/map?{}", 400, "invalid_format"): ["reach=500"],
    ("/api/bots/Alice/terrain?{}", 400, "invalid_format"): ["reach=1"],
}


@pytest.mark.parametrize(
    ("where", "status", "reason", "wrong"),
    [(*rule, wrong) for rule, requests in WRONG.items() for wrong in requests],
)
async def test_a_wrong_request_is_refused_with_its_reason_and_asks_nothing(
    app: ASGIApp, daemon: StubDaemon, where: str, status: int, reason: str, wrong: str | bytes
) -> None:
    method, path = where.split() if " " in where else ("GET", where)
    raw = wrong if isinstance(wrong, bytes) else body(text="!help")
    reply = await ask(app, method, path.format(wrong), raw)
    assert (reply.status, reply.json["reason"], reply.json["success"]) == (status, reason, False)
    assert reply.json["message"]
    assert daemon.asked == []


async def test_a_misspelt_key_is_answered_with_the_known_ones(app: ASGIApp) -> None:
    reply = await ask(app, "POST", COMMANDS, body(text="!help", wiat=True))
    assert reply.json["message"] == "unknown key 'wiat'; known: text, wait, attached, plain"


async def test_a_body_is_refused_over_the_limit_wherever_it_is_cut(app: ASGIApp) -> None:
    at_once = await ask(app, "POST", COMMANDS, b" " * (BODY_BYTES + 1))
    in_parts = await ask(app, "POST", COMMANDS, [b" " * 1024] * 65)
    assert (at_once.status, at_once.json["reason"]) == (413, "too_large")
    assert in_parts.status == 413
    text = "!echo " + "x" * (BODY_BYTES - len(body(text="!echo ")))
    assert (await ask(app, "POST", COMMANDS, body(text=text))).status == 200


async def test_a_misspelt_bot_is_answered_with_the_nearest(app: ASGIApp) -> None:
    reply = await ask(app, "GET", "/api/bots/Alise/history")
    assert "did you mean Alice?" in reply.json["message"]


async def test_bots_decisions_and_experiments_are_listed(app: ASGIApp) -> None:
    assert (await ask(app, "GET", "/api/bots")).json["bots"][1]["name"] == "Bob"
    assert (await ask(app, "GET", "/api/decisions")).json["decisions"] == [
        {"id": 1, "chosen": "rules"}
    ]
    listed = (await ask(app, "GET", "/api/experiments")).json
    assert listed == {"success": True, "experiments": []}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/nothing", 404), ("GET", COMMANDS, 405), ("DELETE", "/api/bots", 405)],
)
async def test_what_does_not_exist_is_refused_as_json(
    app: ASGIApp, method: str, path: str, status: int
) -> None:
    reply = await ask(app, method, path)
    assert (reply.status, reply.json["success"]) == (status, False)


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
    assert (await ask(app, "GET", "/healthz", headers={})).status == 503


async def test_a_broken_part_is_told_from_a_users_mistake(app: ASGIApp, daemon: StubDaemon) -> None:
    daemon.failure = Broken("the world is away")
    reply = await ask(app, "POST", "/api/stop")
    assert (reply.status, reply.json["message"]) == (503, "the world is away")
    daemon.failure = SettingsError("no")
    assert (await ask(app, "POST", "/api/stop")).status == 400


async def test_odd_numbers_and_half_characters_are_sent(app: ASGIApp, daemon: StubDaemon) -> None:
    daemon.outcome = {"success": True, "distance": math.nan, "name": "\ud800"}
    reply = await ask(app, "POST", "/api/stop")
    assert reply.json["distance"] is None


async def test_what_runs_when_the_daemon_closes_is_answered() -> None:
    daemon, closing = StubDaemon(), asyncio.Event()
    daemon.hold = asyncio.Event()
    app = create_app(daemon, OwnAddresses(PORT), Keys(TOKEN), (), closing)
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
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


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        (
            "picture?yaw=-90.5&panorama=true&width=640",
            ("picture", "Alice", Wanted(-90.5, None, True, 640, None)),
        ),
        ("map?reach=64", ("map", "Alice", 64)),
    ],
)
async def test_a_picture_comes_as_a_png(
    app: ASGIApp, daemon: StubDaemon, query: str, asked: tuple[object, ...]
) -> None:
    reply = await ask(app, "GET", f"/api/bots/Alice/{query}")
    assert (reply.status, reply.headers["content-type"]) == (200, "image/png")
    assert (reply.body, daemon.asked) == (PICTURE, [asked])


@pytest.mark.parametrize(("accept", "told"), [({}, "any"), ({"accept": "wanted"}, "wanted")])
async def test_metrics_are_text_in_the_format_that_is_asked_for(
    app: ASGIApp, accept: dict[str, str], told: str
) -> None:
    reply = await ask(app, "GET", "/metrics", headers={**BEARER, **accept})
    assert (reply.status, reply.body) == (200, b"townsfolk_bots 2\n")
    assert reply.headers["content-type"] == f"text/{told}; charset=utf-8"


KNOWN = "/api/experiments/1"


@pytest.mark.parametrize("path", [f"{KNOWN}/report", f"{KNOWN}/runs/seed-1/report"])
async def test_a_report_is_a_page_that_runs_and_loads_nothing(app: ASGIApp, path: str) -> None:
    reply = await ask(app, "GET", path)
    assert (reply.status, reply.body) == (200, b"<!doctype html><h1>A report</h1>")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["x-content-type-options"] == "nosniff"
    policy = reply.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "sandbox", "frame-ancestors 'none'"} <= set(policy)


@pytest.mark.parametrize(
    "path",
    [
        "/api/experiments/unknown/report",
        f"{KNOWN}/runs/seed-2/report",
        f"{KNOWN}/runs/%2e%2e/report",
        f"{KNOWN}/runs/..%2f..%2fsecret/report",
    ],
)
async def test_a_report_that_is_none_is_not_found(app: ASGIApp, path: str) -> None:
    reply = await ask(app, "GET", path)
    assert reply.status == 404
    assert reply.json["success"] is False


async def test_every_endpoint_stands_in_the_document_and_a_shape_only_once(app: ASGIApp) -> None:
    document = openapi(ENDPOINTS)
    assert (await ask(app, "GET", "/api/openapi.json")).json == document
    assert document["openapi"].startswith("3.1")
    for one in ENDPOINTS:
        method = "get" if one.method == "WS" else one.method.lower()
        operation = document["paths"][one.path][method]
        assert operation["summary"] == one.meaning
        media_type = MEDIA_TYPES.get(one.answer, "application/json")
        assert operation["responses"]["200"]["content"][media_type]["schema"]
    schemas = document["components"]["schemas"]
    assert set(schemas["BudgetShape"]["required"]) >= {"spentUsd", "capUsd", "bots"}
    assert schemas["PurseShape"]["properties"]["spentUsd"]["type"] == "number"
