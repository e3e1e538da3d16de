"""Whatever is sent over the broker, those who listen go on, and who asks gets an answer."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from support.buses import KINDS, two_buses
from support.http_stub import ask
from support.rig import until
from support.two_webs import TwoWebs, two_webs, webs_over
from support.web_readers import reading

from bots.cluster.bus import Bus
from bots.cluster.heartbeats import NAME, Beat, Heartbeats
from bots.http.carrier import Parcel
from bots.http.shared_traces import POSITIONS, TRACES, WISHES

HEAD = {"from": "west", "run": "r", "after": 0}
TRACE = {"sequence": 1, "at": "2026-11-23T12:00:00+00:00", "name": "talk.said", "bot": "Carol"}
NO_JSON = [
    b"",
    b"\xff\xfe\x00",
    b"null",
    b"[" * 100_000,
    b'{"from":' * 50_000,
    b'{"from":"west","run":' + b"[" * 300 + b"]" * 300 + b"}",
    b'{"from": NaN}',
    b"9" * 20_000,
]
NO_MESSAGES: list[dict[str, Any]] = [
    {},
    {"from": None},
    {"from": ["west"]},
    {"from": "../west"},
    {"from": "\ud800"},
    {**HEAD, "traces": None},
    {**HEAD, "traces": [None]},
    {**HEAD, "traces": {"a": 1}},
    {**HEAD, "after": "x", "traces": [TRACE]},
    {**HEAD, "run": {}, "traces": [TRACE]},
    {**HEAD, "traces": [{**TRACE, "at": "soon"}]},
    {**HEAD, "traces": [{**TRACE, "at": 10**30}]},
    {**HEAD, "traces": [{**TRACE, "sequence": "one"}]},
    {**HEAD, "traces": [{**TRACE, "name": 5}]},
    {**HEAD, "traces": [{**TRACE, "bot": {}}]},
    {"from": "west", "positions": 7},
    {"from": "west", "positions": {"bots": 1}},
    {"from": "west", "positions": {"bots": [None], "people": [{}]}},
    {"from": "west", "positions": [[[]]]},
]
HOSTILE = [*NO_JSON, *(json.dumps(told).encode() for told in NO_MESSAGES)]
DONE: dict[str, Any] = {"state": "done", "status": 200, "headers": []}
ANSWERS = [
    *NO_JSON,
    b"{}",
    *(
        Parcel(facts, b"x").as_bytes()
        for facts in (
            {"state": "done"},
            {"state": ["done"]},
            {"state": "done", "status": 200, "length": 10**12, "headers": []},
            {"state": "done", "status": 10**6, "length": 1, "headers": []},
            {"state": "done", "status": "200", "length": 1, "headers": []},
            {"state": "done", "status": 200, "length": "1", "headers": []},
            {"state": "done", "status": 200, "length": 1, "headers": [["a\r\nb", "c"]]},
            {"state": "done", "status": 200, "length": 1, "headers": [1]},
            {"state": "done", "status": 200, "length": 1, "headers": []},
        )
    ),
    *(
        Parcel({**DONE, "length": len(body)}, body).as_bytes()
        for body in (
            b"[" * 100_000,
            b'{"talks": 5, "decisions": 5, "bots": 5, "people": 5, "stopped": 5}',
            b'{"talks": [1], "decisions": [{}], "bots": [1], "people": [null], "stopped": [1]}',
        )
    ),
]


@asynccontextmanager
async def webs_on(kind: str, folder: Path) -> AsyncIterator[TwoWebs]:
    async with two_buses(kind, folder) as (mine, yours), webs_over(mine, yours) as webs:
        yield webs


@pytest.mark.parametrize("kind", KINDS)
async def test_whatever_is_sent_the_page_goes_on_to_show_others(kind: str, tmp_path: Path) -> None:
    async with webs_on(kind, tmp_path) as webs, reading(webs.east, "positions=1") as reader:
        with structlog.testing.capture_logs() as notes:
            for name in (TRACES, POSITIONS, WISHES):
                for message in HOSTILE:
                    await webs.bus.publish(name, message)
            webs.west.daemon.trace.note("reply.sent", "Carol", text="Still here")
            found = await reader.until_named("reply.sent")
            webs.east.daemon.moved.put(webs.east.daemon.here)
            await reader.until_named("positions")
        assert found["text"] == "Still here"
        assert not [note for note in notes if note["event"] == "task.failed"]
        # Each listener says once what it left out: a flood of it is no flood in the log.
        assert 1 <= sum(note["event"] == "shared.unreadable" for note in notes) <= 6


@pytest.mark.parametrize("kind", KINDS)
async def test_no_question_gets_no_bytes_and_leaves_one_line(kind: str, tmp_path: Path) -> None:
    async with webs_on(kind, tmp_path) as webs:
        for name in ("traces.east", "http.east"):
            for asked in [*NO_JSON, b'{"id": 1, "do": {}}', b'{"run": 1, "after": "x"}']:
                with structlog.testing.capture_logs() as notes:
                    assert await webs.bus.request(name, asked) == b""
                assert [note["event"] for note in notes] == ["request.unreadable"]
        reply = await ask(webs.west.app, "GET", "/api/bots/Alice/goals")
        assert reply.json == {"success": True, "goals": [], "plan": None}


@pytest.mark.parametrize("facts", [{"path": "\ud800"}, {"query": 5}, {"headers": [["a", "\n"]]}])
async def test_a_request_that_is_no_text_is_no_question(facts: dict[str, Any]) -> None:
    asked = {"do": "begin", "id": "1", "method": "GET", "path": "/api/talks", "query": "", **facts}
    async with two_webs() as webs:
        with structlog.testing.capture_logs() as notes:
            assert await webs.bus.request("http.east", Parcel(asked).as_bytes()) == b""
        assert [note["event"] for note in notes] == ["request.unreadable"]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_daemon_that_answers_nonsense_counts_as_silent(answer: bytes) -> None:
    async def nonsense(_asked: bytes) -> bytes:
        return answer

    async with two_webs() as webs, webs.bus.answering("http.forger", nonsense):
        webs.east.members.there["forger"] = ("Eve",)
        for method, what in (
            *(("GET", what) for what in ("positions", "talks", "decisions", "budget")),
            ("POST", "stop"),
        ):
            reply = await ask(webs.east.app, method, f"/api/{what}")
            assert (reply.status, reply.json["silent"]) == (200, ["forger"]), what
        reply = await ask(webs.east.app, "GET", "/api/bots/Eve/goals")
        is_carried = b"[" in answer or b'"talks"' in answer  # the body is the asker's affair
        assert reply.status == 503 or (is_carried and reply.status == 200)


async def test_traces_that_a_daemon_makes_up_for_an_answer_end_nothing() -> None:
    async def nonsense(_asked: bytes) -> bytes:
        return answers.pop() if answers else b""

    async with two_webs() as webs, webs.bus.answering("traces.forger", nonsense):
        webs.east.members.there["forger"] = ("Eve",)
        for answer in (one for one in HOSTILE if b'"after": "x"' not in one):
            answers = [answer]
            async with reading(webs.east, "last=0&follow=0") as reader:
                assert await reader.rest() == []
            assert answers == []


async def hears(bus: Bus, beats: Heartbeats, home: str) -> None:
    await bus.publish(NAME, json.dumps({**BEAT, "home": home}).encode())
    await until(lambda: beats.of(home) is not None)


BEAT = {"home": "aa", "daemon": "west", "is_own": True, "bots": [], "position": 0}


async def test_heartbeats_go_on_whatever_is_sent_as_one() -> None:
    async with two_webs() as webs:
        beats = Heartbeats(webs.bus, time.monotonic)
        hearing = asyncio.create_task(beats.hear(asyncio.sleep))
        try:
            await until(lambda: bool(webs.bus._listeners[NAME]))  # type: ignore[attr-defined]
            for message in [*HOSTILE, *(json.dumps({**BEAT, "bots": odd}).encode() for odd in ODD)]:
                await webs.bus.publish(NAME, message)
            await hears(webs.bus, beats, "bb")
        finally:
            hearing.cancel()
        assert isinstance(beats.of("bb"), Beat)
        assert beats.of("aa") is None


ODD: list[Any] = [None, [None], [{}], [{"name": 5}], {"name": "Alice"}, [[["x"] * 9] * 9]]
