"""Whoever asks one daemon reaches the bots of all, as if they lived there."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from support.broker import running_broker
from support.http_stub import BEARER, PICTURE, SECRETS, ask, body
from support.two_webs import TwoWebs, two_webs, webs_over

from bots.access.origin import Operator
from bots.cluster.bus import LARGEST
from bots.cluster.nats_bus import NatsBus
from bots.daemon.memory import NewFact
from bots.daemon.shapes import HistoryQuery
from bots.errors import CommandError
from bots.http.app import create_member_app
from bots.http.carrier import PART_BYTES, MemberDoor, Parcel
from bots.vision.studio import Wanted

COMMANDS = "/api/bots/Carol/commands"
HISTORY = "/api/bots/Carol/history"
WITHIN_S = 20.0


async def test_a_command_runs_at_the_daemon_of_its_bot(webs: TwoWebs) -> None:
    reply = await ask(webs.east.app, "POST", COMMANDS, body(text="!info all"))
    assert (reply.status, reply.json) == (200, {"success": True, "text": "done"})
    assert webs.west.daemon.asked == [("command", "Carol", "!info all", Operator("http"), True)]
    assert webs.east.daemon.asked == []


@pytest.mark.slow
async def test_over_a_broker_it_is_the_same(tmp_path: Path) -> None:
    async with running_broker(tmp_path) as broker, AsyncExitStack() as stack:
        mine, yours = [await NatsBus.connect([broker.url], "test", 6.0) for _ in range(2)]
        stack.push_async_callback(yours.aclose)
        stack.push_async_callback(mine.aclose)
        webs = await stack.enter_async_context(webs_over(mine, yours))
        webs.west.daemon.outcome = {"success": True, "text": "x" * 3 * PART_BYTES}
        done = await ask(webs.east.app, "POST", COMMANDS, body(text="!help"))
        assert done.json == webs.west.daemon.outcome
        webs.west.daemon.trace.note("job.started", "Carol")
        await webs.east.cluster.traces.catch_up()
        assert [trace.bot for trace in webs.east.cluster.traces.log.recent()] == ["Carol"]
        await webs.west.die()
        gone = await ask(webs.east.app, "GET", HISTORY)
        assert gone.json["reason"] == "daemon_gone"


async def test_a_bot_that_lives_here_is_asked_here(webs: TwoWebs) -> None:
    webs.east.members.there["west"] = ("Alice", "Carol")  # as heard just before it moved
    await ask(webs.east.app, "POST", "/api/bots/Alice/commands", body(text="!help"))
    assert [asked[1] for asked in webs.east.daemon.asked] == ["Alice"]
    assert webs.west.daemon.asked == []


@pytest.mark.parametrize(
    ("method", "path", "sent", "asked"),
    [
        (
            "POST",
            "messages",
            {"text": "Hi!", "name": "Steve"},
            ("message", "Carol", "Hi!", "Steve"),
        ),
        ("POST", "prompt", {"text": "Hi!"}, ("prompt", "Carol", "Hi!", None)),
        ("GET", "history?limit=3", None, ("history", "Carol", HistoryQuery(limit=3))),
        ("GET", "map?reach=32", None, ("map", "Carol", 32)),
        ("GET", "terrain", None, ("terrain", "Carol", None)),
    ],
)
async def test_all_that_can_be_asked_of_a_bot_goes_to_its_daemon(
    webs: TwoWebs, method: str, path: str, sent: dict[str, str] | None, asked: tuple[Any, ...]
) -> None:
    data = b"" if sent is None else body(**sent)
    assert (await ask(webs.east.app, method, f"/api/bots/Carol/{path}", data)).status == 200
    assert webs.west.daemon.asked == [asked]


async def test_what_a_bot_knows_is_read_and_changed_at_its_daemon(webs: TwoWebs) -> None:
    fact = body(kind="likes", words="cherry wood")
    await ask(webs.east.app, "POST", "/api/bots/Carol/people/Steve/facts", fact)
    await ask(webs.east.app, "DELETE", "/api/bots/Carol/knowledge/3")
    unknown = await ask(webs.east.app, "GET", "/api/bots/Carol/people/Herobrine")
    assert webs.west.daemon.memory.asked == [
        ("add_fact", "Carol", "Steve", NewFact(kind="likes", words="cherry wood")),
        ("forget_entry", "Carol", 3),
    ]
    assert (unknown.status, unknown.json["reason"]) == (404, "unknown")


async def test_a_picture_comes_whole_and_as_a_picture(webs: TwoWebs) -> None:
    path = "/api/bots/Carol/picture?yaw=90&panorama=true"
    reply = await ask(webs.east.app, "GET", path)
    assert (reply.body, reply.headers["content-type"]) == (PICTURE, "image/png")
    assert reply.headers["cache-control"] == "no-store"
    assert webs.west.daemon.asked == [("picture", "Carol", Wanted(90, None, True, None, None))]


@pytest.mark.parametrize("size", [PART_BYTES - 20, 2 * PART_BYTES, LARGEST * 3 + 1])
async def test_an_answer_larger_than_a_message_comes_in_parts(webs: TwoWebs, size: int) -> None:
    webs.west.daemon.outcome = {"success": True, "text": "x" * size}
    reply = await ask(webs.east.app, "POST", COMMANDS, body(text="!help"))
    assert reply.json == webs.west.daemon.outcome


@pytest.mark.parametrize(
    ("failure", "status", "reason"),
    [
        (CommandError("out_of_range", "too far"), 200, "out_of_range"),
        pytest.param(ValueError("a bug"), 500, "internal_error", marks=pytest.mark.slow),
    ],
)
async def test_a_refusal_and_a_mistake_are_told_as_its_daemon_tells_them(
    webs: TwoWebs, failure: Exception, status: int, reason: str
) -> None:
    webs.west.daemon.failure = failure
    reply = await ask(webs.east.app, "POST", COMMANDS, body(text="!chat"))
    assert (reply.status, reply.json["reason"]) == (status, reason)


async def test_a_malformed_request_is_refused_as_here(webs: TwoWebs) -> None:
    wrong = await ask(webs.east.app, "POST", COMMANDS, b'{"text": 3}')
    large = await ask(webs.east.app, "POST", COMMANDS, b" " * 70_000)
    assert (wrong.status, wrong.json["reason"]) == (400, "invalid_format")
    assert (large.status, large.json["reason"]) == (413, "too_large")
    assert webs.west.daemon.asked == []


async def test_an_unknown_bot_is_answered_with_the_nearest_of_all(webs: TwoWebs) -> None:
    reply = await ask(webs.east.app, "GET", "/api/bots/Carl/history")
    assert (reply.status, reply.json["reason"]) == (404, "unknown_bot")
    assert "did you mean Carol?" in reply.json["message"]


@pytest.mark.slow
async def test_a_long_command_takes_as_long_as_it_takes(webs: TwoWebs) -> None:
    webs.west.daemon.hold = asyncio.Event()
    asking = asyncio.create_task(ask(webs.east.app, "POST", COMMANDS, body(text="!goal")))
    async with asyncio.timeout(WITHIN_S):
        await webs.west.daemon.started.wait()
        done, _ = await asyncio.wait({asking}, timeout=2.5)  # longer than a request on the bus
        assert not done
        webs.west.daemon.hold.set()
        assert (await asking).json["success"] is True
    assert len(webs.west.daemon.asked) == 1


@pytest.mark.parametrize("attached", [True, False])
async def test_a_command_ends_with_its_asker_if_attached(webs: TwoWebs, attached: bool) -> None:
    west, leaves = webs.west.daemon, asyncio.Event()
    west.hold = asyncio.Event()
    sent = body(text="!goal inventory.stick:1", attached=attached)
    asking = asyncio.create_task(ask(webs.east.app, "POST", COMMANDS, sent, leaves=leaves))
    async with asyncio.timeout(WITHIN_S):
        await west.started.wait()
        leaves.set()
        assert (await asking).json["reason"] == "left"
        if attached:
            await west.cancelled.wait()
        else:
            await ask(webs.east.app, "GET", "/api/bots/Carol/goals")  # after the goodbye
    assert west.cancelled.is_set() is attached
    west.hold.set()


async def test_a_command_ends_where_its_asker_s_daemon_has_died(webs: TwoWebs) -> None:
    stub = webs.west.daemon
    stub.hold = asyncio.Event()
    closing = asyncio.Event()
    app = create_member_app(stub, (), closing)
    door = MemberDoor(app, closing, waits_s=0.01, left_after_s=0.05)
    sent = Parcel(
        {"do": "begin", "id": "1", "method": "POST", "path": COMMANDS, "query": "", "headers": []},
        body(text="!goal", attached=True),
    )
    assert Parcel.of(await door.answer(sent.as_bytes())).facts == {"state": "working"}
    async with asyncio.timeout(WITHIN_S):
        await stub.cancelled.wait()
    await door.aclose()


async def test_a_beginning_that_came_twice_is_done_once(webs: TwoWebs) -> None:
    stub, closing = webs.west.daemon, asyncio.Event()
    door = MemberDoor(create_member_app(stub, (), closing), closing)
    facts = {"id": "1", "method": "POST", "path": COMMANDS, "query": "", "headers": []}
    sent = Parcel({"do": "begin", **facts}, body(text="!help")).as_bytes()
    first, again = await door.answer(sent), await door.answer(sent)
    assert first == again
    assert len(stub.asked) == 1
    await door.aclose()


async def test_a_daemon_that_is_gone_is_told_in_plain_words(webs: TwoWebs) -> None:
    await webs.west.die()
    async with asyncio.timeout(WITHIN_S):
        asked = await ask(webs.east.app, "GET", HISTORY)
        told = await ask(webs.east.app, "POST", COMMANDS, body(text="!help"))
    assert (asked.status, asked.json["reason"]) == (503, "daemon_gone")
    assert asked.json["message"] == (
        "Carol's daemon, west, does not answer; its bots are taken over within some seconds"
    )
    assert told.json["message"].endswith("Whether this was done is unknown")


async def test_a_daemon_that_ends_meanwhile_is_no_hang(webs: TwoWebs) -> None:
    webs.west.daemon.hold = asyncio.Event()
    asking = asyncio.create_task(ask(webs.east.app, "POST", COMMANDS, body(text="!goal")))
    async with asyncio.timeout(WITHIN_S):
        await webs.west.daemon.started.wait()
        await webs.west.die()
        reply = await asking
    assert (reply.status, reply.json["reason"]) == (503, "shutting_down")


async def test_a_bot_that_has_just_left_that_daemon_is_on_its_way(webs: TwoWebs) -> None:
    webs.west.daemon.names = ()
    reply = await ask(webs.east.app, "GET", HISTORY)
    assert (reply.status, reply.json["reason"]) == (503, "daemon_gone")


async def test_the_token_is_asked_for_before_anything_is_sent_on(webs: TwoWebs) -> None:
    refused = await ask(webs.east.app, "POST", COMMANDS, body(text="!help"), {})
    foreign = await ask(webs.east.app, "POST", COMMANDS, body(text="!help"), host="evil.example")
    assert (refused.status, foreign.status) == (401, 403)
    assert webs.west.daemon.asked == []


@pytest.mark.parametrize(
    "path", ["/", "/api/link", "/api/bots", "/metrics", "/healthz", "/page/main.js", "/api/none"]
)
async def test_other_daemons_may_ask_of_bots_alone(webs: TwoWebs, path: str) -> None:
    facts = {"method": "POST" if path == "/api/link" else "GET", "path": path, "query": ""}
    sent = Parcel({"do": "begin", "id": "1", **facts, "headers": []}).as_bytes()
    told = Parcel.of(await webs.bus.request("http.west", sent))
    assert told.facts["status"] == 404


async def test_no_answer_of_another_daemon_holds_its_secrets_or_ours() -> None:
    async with two_webs(secrets=("of the west",)) as webs:
        webs.west.daemon.outcome = {"success": True, "text": f"of the west, {SECRETS[0]}"}
        reply = await ask(webs.east.app, "POST", COMMANDS, body(text="!help"), BEARER)
    assert "of the west" not in reply.body.decode()
    assert SECRETS[0] not in reply.json["text"]
