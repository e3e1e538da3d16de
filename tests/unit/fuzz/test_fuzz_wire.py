"""Whatever Node sends, the bridge reads it or says that it cannot; it never breaks."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.fuzz import ANY_TEXT, ODD_JSON, fuzzed, nearly

from bridge import wire
from bridge.actions import (
    BlockAt,
    FindBlocks,
    Footholds,
    LyingItems,
    OpenedContainer,
    PlayerGear,
    Query,
)
from bridge.errors import BridgeError
from bridge.js.link import Link
from bridge.looking import AskWhereabouts
from bridge.world import PlayerName, Position

EVENTS: tuple[dict[str, Any], ...] = (
    {"t": "whisper", "bot": "Alice", "at": 5, "from": "Steve", "text": "hi", "dialect": "vanilla"},
    {"t": "chat", "bot": "Alice", "at": 5, "from": "Steve", "text": "hi"},
    {"t": "unheard", "bot": "Alice", "at": 5, "text": "hi"},
    {"t": "spawned", "bot": "Alice", "at": 5, "version": "1.16.5", "position": [1, 2, 3]},
    {"t": "disconnected", "bot": "Alice", "at": 5, "ending": "kicked", "text": "", "key": ""},
    {"t": "health", "bot": "Alice", "at": 5, "health": 20, "food": 20},
    {"t": "joined", "bot": "Alice", "at": 5, "player": "Steve"},
    {"t": "progress", "bot": "Alice", "at": 5, "action": "a-1", "done": 1, "total": 2},
    {
        **{"t": "finished", "bot": "Alice", "at": 5, "action": "a-1", "outcome": "done"},
        **{"message": "", "result": {"position": [1, 2, 3]}},
    },
)
SNAPSHOT: dict[str, Any] = {
    **{"bot": "Alice", "version": "1.16.5", "position": [0, 64, 0], "yaw": 0, "pitch": 0},
    **{"dimension": "overworld", "game_mode": "survival", "health": 20, "food": 20},
    **{"time_of_day": 6000, "spawn_point": [0, 64, 0], "held": ["stick", 1], "at": 5},
    **{"items": [["stick", 1]], "free_slots": 35, "players": [["Steve", [1, 64, 1], 20]]},
    **{"blocks": [["stone", 9]], "weather": "clear", "worn": [], "effects": []},
    "mobs": [["zombie", [1, 2, 3], True, 4, False, None]],
}
HERE = Position(0, 64, 0)
ANSWERS: tuple[tuple[Query[Any], Any], ...] = (
    (BlockAt(HERE), [["stone", [1, 2, 3]]]),
    (FindBlocks(("stone",)), [["stone", [1, 2, 3]]]),
    (Footholds(0, 0), [[1, 2, 3]]),
    (LyingItems(8), [["stick", 1, [1, 2, 3]]]),
    (
        AskWhereabouts(),
        {
            **{
                "position": [1, 2, 3],
                "yaw": 90,
                "dimension": "overworld",
                "health": 20,
                "food": 20,
            },
            **{"held": "stick", "time_of_day": 5, "players": [["Steve", [1, 64, 1]]]},
        },
    ),
    (PlayerGear(PlayerName("Steve")), {"held": "stick", "worn": ["iron_boots"]}),
    (OpenedContainer(), {"position": [1, 2, 3], "items": [["stick", 1]], "slots": 27}),
)
REPLIES: tuple[dict[str, Any], ...] = (
    {"t": "reply", "id": 1, "ok": [1]},
    {"t": "reply", "id": 1, "error": {"code": "internal", "message": "", "data": {}}},
    {
        **{"t": "reply", "id": 1},
        "error": {"code": "not_connected", "message": "", "data": {"bot": "Alice"}},
    },
    {
        **{"t": "reply", "id": 1},
        "error": {"code": "line_too_long", "message": "", "data": {"length": 9, "limit": 8}},
    },
)
TURNS = 4  # of the loop: more than a message takes
A_PUSH = {"seq": 1, "messages": [*REPLIES, *EVENTS, {"t": "heartbeat", "rss": 1}]}


def read(parse: Callable[[Any], object], sent: object) -> object:
    """What it is read as; None when it is refused as broken."""
    try:
        return parse(sent)
    except wire.BROKEN:
        return None


@given(st.sampled_from(EVENTS).flatmap(nearly))
@example({"t": "health", "bot": "Alice", "at": 1e300, "health": 20, "food": 20})
@example([])
@fuzzed
def test_an_event_is_read_or_refused(sent: Any) -> None:
    read(wire.parse_event, sent)


@given(nearly(SNAPSHOT))
@fuzzed
def test_a_snapshot_is_read_or_refused(sent: Any) -> None:
    read(wire.parse_snapshot, sent)


@given(st.sampled_from(ANSWERS).flatmap(lambda pair: st.tuples(st.just(pair[0]), nearly(pair[1]))))
@fuzzed
def test_an_answer_is_read_or_refused(asked: tuple[Query[Any], Any]) -> None:
    query, sent = asked
    read(lambda sent: wire.parse_answer(query, sent), sent)


@given(ANY_TEXT, ANY_TEXT, st.dictionaries(ANY_TEXT, ODD_JSON, max_size=3))
@fuzzed
def test_a_command_goes_out_as_it_was_given_or_not_at_all(
    operation: str, bot: str, args: dict[str, Any]
) -> None:
    try:
        sent = wire.command(1, operation, bot, args)
    except ValueError:  # NaN and infinity
        return
    assert json.loads(sent) == {"id": 1, "op": operation, "bot": bot, "args": args}


class OneBatch:
    """A host that takes commands and answers none by itself."""

    def submit(self, batch: str, answered: Callable[[str], None]) -> None:
        pass


async def ended_by(act: Callable[[Link], object]) -> str:
    """How a command ends that waits while the other side does this."""
    delivered: list[wire.Wire] = []

    def deliver(events: Sequence[wire.Wire]) -> None:
        delivered.extend(events)

    link = Link(deliver, lambda: 0)
    link.open(OneBatch())
    waiting = asyncio.create_task(link.command("whisper", "Alice", {}, timeout_s=5.0))
    await asyncio.sleep(0)
    failures: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, what: failures.append(what))
    act(link)
    for _ in range(TURNS):
        await asyncio.sleep(0)
    link.fail("the test is over")
    try:
        await waiting
        ending = "answered"
    except BridgeError as error:
        ending = type(error).__name__
    assert failures == []
    assert all(isinstance(event, dict) for event in delivered)
    return ending


def as_text(sent: object) -> str:
    return json.dumps(sent)


@given(nearly(A_PUSH).map(as_text) | ANY_TEXT)
@example("[]")
@example('{"seq": 1, "messages": [7]}')
@example('{"seq": 1, "messages": [{"t": "reply", "id": []}]}')
@example('{"seq": 1, "messages": [{"t": "reply", "id": 1, "error": {"code": "not_connected"}}]}')
@example("[" * 100_000)
@fuzzed
def test_a_push_of_any_form_ends_in_an_answer_or_in_the_loss_of_this_node(text: str) -> None:
    assert asyncio.run(ended_by(lambda link: link.receive(text)))


@given(nearly(list(REPLIES)).map(as_text) | ANY_TEXT)
@example("null")
@fuzzed
def test_the_replies_of_a_crossing_may_have_any_form(text: str) -> None:
    assert asyncio.run(ended_by(lambda link: link.answered(text)))


@pytest.mark.parametrize("sent", ["{}", "[" * 100_000, '{"seq": 1}'])
def test_a_push_that_cannot_be_read_ends_this_node_at_once(sent: str) -> None:
    assert asyncio.run(ended_by(lambda link: link.receive(sent))) == "BridgeDown"
