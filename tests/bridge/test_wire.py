"""JSON text <-> values: whatever goes in on one side comes out on the other."""

import json
import math
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge import wire
from bridge.actions import (
    BlockAt,
    Craft,
    FindBlocks,
    Footholds,
    LyingItems,
    MoveTo,
    OpenedContainer,
    PlayerGear,
    Wait,
)
from bridge.causes import Cause
from bridge.errors import BridgeError, HostError, LineTooLong, NotConnected, SpawnFailed
from bridge.events import (
    ActionFinished,
    ActionId,
    BlockPlaced,
    BotDied,
    BotDisconnected,
    BotEndangered,
    BotHurt,
    BridgeEvent,
    HandOverSeen,
    HealthChanged,
    ItemGiven,
    MonstersNear,
    PlayerDied,
    PlayerHurt,
    WhisperReceived,
)
from bridge.looking import AskWhereabouts, Seen, Whereabouts
from bridge.world import (
    LONGEST_NAME,
    BlockCount,
    BotName,
    Container,
    Death,
    Gear,
    ItemStack,
    LyingItem,
    MobSighting,
    PlayerName,
    Position,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)  # lone surrogates too
MS = st.integers(0, 4_102_444_800_000)


@given(ANY_TEXT, ANY_TEXT)
def test_any_text_survives_the_way_to_node(to: str, text: str) -> None:
    crossed = json.loads(json.dumps(wire.command(7, "whisper", "Alice", {"to": to, "text": text})))
    assert json.loads(crossed) == {
        "id": 7,
        "op": "whisper",
        "bot": "Alice",
        "args": {"to": to, "text": text},
    }


@given(ANY_TEXT, MS)
def test_a_whisper_keeps_its_text_and_its_moment(text: str, ms: int) -> None:
    message = {"t": "whisper", "bot": "Alice", "from": "Steve", "text": text, "at": ms}
    heard = wire.parse_event(json.loads(json.dumps(message)))
    assert isinstance(heard, WhisperReceived)
    assert heard.text == text
    assert round(heard.at.timestamp() * 1000) == ms


@pytest.mark.parametrize(
    ("number", "sent"),
    [
        (np.int64(10), 10),
        (np.uint8(3), 3),
        (np.float32(0.5), 0.5),
        (np.float64(0.5), 0.5),
        (Decimal("2.5"), 2.5),
        (Fraction(1, 4), 0.25),
    ],
)
def test_a_number_of_any_library_is_sent_as_what_it_is(number: Any, sent: float) -> None:
    action = wire.encode(MoveTo(Position(number, 64, number), number))
    crossed = json.loads(wire.command(1, "begin", "Alice", {"action": action}))["args"]["action"]
    assert (crossed["position"], crossed["within"]) == ([sent, 64, sent], sent)


@pytest.mark.parametrize("value", [object(), np.array([1, 2]), {1, 2}])
def test_what_is_no_value_is_refused_in_words(value: Any) -> None:
    with pytest.raises(TypeError, match="no value that can be sent"):
        wire.command(1, "begin", "Alice", {"action": value})


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_json_does_not_know_is_refused_before_it_crosses(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        wire.command(1, "begin", "Alice", {"action": wire.encode(Wait(number))})


@pytest.mark.parametrize(
    ("action", "encoded"),
    [
        (
            MoveTo(Position(1, 2.5, -3), within=2),
            {"kind": "move_to", "position": [1, 2.5, -3], "within": 2, "may_dig": False},
        ),
        (Craft("stick"), {"kind": "craft", "item": "stick", "count": 1, "table": None, "of": ()}),
        (BlockAt(Position(0, 64, 0)), {"kind": "block_at", "position": [0, 64, 0]}),
        (
            FindBlocks(("stone", "dirt")),
            {
                "kind": "find_blocks",
                "names": ("stone", "dirt"),
                "radius": 32,
                "limit": 16,
                "in_cube": False,
                "ripe": False,
            },
        ),
    ],
)
def test_an_action_crosses_as_its_kind_and_its_fields(action: Any, encoded: dict[str, Any]) -> None:
    assert wire.encode(action) == encoded


def test_places_to_stand_are_known_or_not() -> None:
    column = Footholds(3, -4)
    assert wire.encode(column) == {"kind": "footholds", "x": 3, "z": -4}
    assert wire.parse_answer(column, [[3, 64, -4]]) == (Position(3, 64, -4),)
    assert wire.parse_answer(column, []) == ()
    assert wire.parse_answer(column, None) is None


def test_what_lies_around_and_in_a_container_is_told_stack_by_stack() -> None:
    lying = wire.parse_answer(LyingItems(8), [["apple", 3, [1.5, 64, 2]]])
    assert lying == (LyingItem("apple", 3, Position(1.5, 64, 2)),)
    inside = {"position": [1, 64, 2], "items": [["apple", 3]], "slots": 27}
    chest = Container(Position(1, 64, 2), (ItemStack("apple", 3),), 27)
    assert wire.parse_answer(OpenedContainer(), inside) == chest
    assert wire.parse_answer(OpenedContainer(), None) is None


def test_whereabouts_tell_where_a_bot_is_and_whom_it_sees() -> None:
    sent = {
        **{"position": [1.5, 64, -2], "yaw": 90, "dimension": "overworld", "health": 18},
        **{"food": 20, "held": None, "time_of_day": 5, "players": [["Steve", [2, 64, 1]]]},
    }
    steve = Seen(PlayerName("Steve"), Position(2, 64, 1))
    assert wire.parse_answer(AskWhereabouts(), sent) == Whereabouts(
        Position(1.5, 64, -2), 90, "overworld", 18, 20, None, 5, (steve,)
    )


def test_what_another_player_holds_and_wears_is_told_while_they_are_seen() -> None:
    asked = PlayerGear(PlayerName("Steve"))
    assert wire.encode(asked) == {"kind": "player_gear", "player": "Steve"}
    seen = wire.parse_answer(asked, {"held": "bow", "worn": ["iron_boots"]})
    assert seen == Gear("bow", ("iron_boots",))
    assert wire.parse_answer(asked, None) is None


A, EPOCH, THERE = BotName("A"), datetime(1970, 1, 1, tzinfo=UTC), Position(1, 64, 2)
BOB = PlayerName("Bob")
WHERE = {"where": [1, 64, 2], "dimension": "overworld"}
BY_BOB = {"kind": "damage", "what": "minecraft:player_attack", "by": ["player", "Bob"]}
ZOMBIE = MobSighting("zombie", THERE, hostile=True, id=7)
EVENTS: list[tuple[dict[str, Any], BridgeEvent]] = [
    (
        {"t": "finished", "action": "a1", "outcome": "failed", "reason": "too_far",
         "message": "6 blocks away", "result": {"block": "stone"}},
        ActionFinished(
            A, ActionId("a1"), "failed", "too_far", "6 blocks away", {"block": "stone"}, at=EPOCH
        ),
    ),
    (
        {"t": "disconnected", "ending": "kicked", "text": "out"},
        BotDisconnected(A, "kicked", "out", EPOCH),
    ),
    ({"t": "health", "health": 0, "food": 20}, HealthChanged(A, 0, 20, EPOCH)),
    (
        {"t": "hurt", "lost": 3, "health": 17, "signs": [BY_BOB], **WHERE},
        BotHurt(A, 3, 17, Cause("player", "Bob", "told"), THERE, "overworld", EPOCH),
    ),
    (
        {"t": "died", "number": 2, "lost": 20, "signs": [], "world": "", "carried": [["bread", 3]],
         **WHERE},
        BotDied(A, Death(2, THERE), None, "overworld", "", (ItemStack("bread", 3),), EPOCH),
    ),
    (
        {"t": "given", "from": "Bob", "item": "bread", "count": 2},
        ItemGiven(A, BOB, "bread", 2, EPOCH, None),
    ),
    (
        {"t": "handing", "from": "Bob", "to": "Steve"},
        HandOverSeen(A, BOB, PlayerName("Steve"), EPOCH),
    ),
    (
        {"t": "near", "monsters": [["zombie", [1, 64, 2], True, 7, False, None]]},
        MonstersNear(A, (ZOMBIE,), EPOCH),
    ),
    ({"t": "endangered", "by": ["lava"]}, BotEndangered(A, frozenset({"lava"}), EPOCH)),
    (
        {"t": "placing", "from": "Bob", "block": "dirt", **WHERE},
        BlockPlaced(A, BOB, "dirt", THERE, "overworld", EPOCH),
    ),
    ({"t": "wounded", "from": "Bob", **WHERE}, PlayerHurt(A, BOB, THERE, "overworld", EPOCH)),
    ({"t": "fallen", "from": "Bob", **WHERE}, PlayerDied(A, BOB, THERE, "overworld", EPOCH)),
]  # fmt: skip


@pytest.mark.parametrize(("told", "event"), EVENTS, ids=[told["t"] for told, _ in EVENTS])
def test_an_event_comes_through_whole(told: dict[str, Any], event: BridgeEvent) -> None:
    assert wire.parse_event({"bot": "A", "at": 0, **told}) == event


LONG = "W" * 10_000
CUT = LONG[: LONGEST_NAME - 1] + "…"


@pytest.mark.parametrize(
    "event",
    [
        {"t": "whisper", "from": LONG, "text": "hi"},
        {"t": "chat", "from": LONG, "text": "hi"},
        {"t": "unheard", "from": LONG, "text": "hi", "looks": "private"},
        {"t": "joined", "player": LONG},
        {"t": "left", "player": LONG},
        {"t": "given", "from": LONG, "item": "dirt", "count": 1},
        {"t": "wounded", "from": LONG, "where": [0, 64, 0], "dimension": "overworld"},
        {"t": "given", "from": "Bob", "meant_for": LONG, "item": "dirt", "count": 1},
        {"t": "handing", "from": LONG, "to": "Bob"},
        {"t": "handing", "from": "Bob", "to": LONG},
        {"t": "fallen", "from": LONG, "where": [0, 64, 0], "dimension": "overworld"},
        {"t": "fallen", "from": "Bob", "where": [0, 64, 0], "dimension": LONG},
        {"t": "placing", "from": "Bob", "where": [0, 64, 0], "block": "dirt", "dimension": LONG},
    ],
)
def test_a_name_that_no_game_has_is_cut_wherever_it_comes_in(event: dict[str, Any]) -> None:
    told = repr(wire.parse_event({"bot": "Alice", "at": 0, **event}))
    assert CUT in told
    assert len(told) < 1_000


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"t": "no_such", "bot": "A", "at": 0},
        {"t": "whisper", "bot": "A", "at": 0},
        {"t": "whisper", "bot": "A", "at": "soon", "from": "B", "text": ""},
        {"t": "spawned", "bot": "A", "at": 0, "version": "1.16.5", "position": [1, 2]},
    ],
)
def test_a_message_outside_the_format_raises(broken: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        wire.parse_event(broken)


def test_a_snapshot_is_read_whole() -> None:
    snapshot = wire.parse_snapshot(SNAPSHOT)
    assert snapshot.position == Position(1.5, 64, -2)
    assert snapshot.held == ItemStack("stick", 2)
    assert snapshot.items == (ItemStack("stick", 2), ItemStack("dirt", 64))
    assert snapshot.blocks == (BlockCount("stone", 9),)
    assert snapshot.weather == "rain"
    assert snapshot.worn == ("iron_helmet",)
    creeper = MobSighting("creeper", Position(3, 64, 0), hostile=True, id=7, is_somebodys=True)
    lamb = MobSighting("sheep", Position(4, 64, 0), hostile=False, id=8, young=True, coat="black")
    assert snapshot.mobs == (creeper, lamb)
    assert snapshot.effects == ("poison",)
    unseen, seen = snapshot.players
    assert unseen.position is None
    assert (seen.position, seen.health) == (Position(0, 64, 0), 20)


ERRORS: list[tuple[dict[str, Any], type[BridgeError]]] = [
    ({"code": "not_connected", "data": {"bot": "A"}}, NotConnected),
    (
        {"code": "spawn_failed", "data": {"bot": "A", "ending": "kicked", "text": "no"}},
        SpawnFailed,
    ),
    ({"code": "line_too_long", "data": {"length": 300, "limit": 256}}, LineTooLong),
    ({"code": "internal"}, HostError),
    ({"code": "something_new"}, HostError),
]


@pytest.mark.parametrize(("error", "expected"), ERRORS)
def test_an_error_reply_becomes_the_error_its_code_names(
    error: dict[str, Any], expected: type[BridgeError]
) -> None:
    assert type(wire.parse_error("whisper", {"message": "boom", **error})) is expected


SNAPSHOT = {
    "bot": "Alice",
    "at": 0,
    "version": "1.16.5",
    "position": [1.5, 64, -2],
    "yaw": 90,
    "pitch": -10,
    "dimension": "overworld",
    "game_mode": "survival",
    "health": 20,
    "food": 19,
    "time_of_day": 6000,
    "spawn_point": [8, 64, 8],
    "held": ["stick", 2],
    "items": [["stick", 2], ["dirt", 64]],
    "free_slots": 34,
    "players": [["Bob", None, None], ["Steve", [0, 64, 0], 20]],
    "blocks": [["stone", 9]],
    "weather": "rain",
    "worn": ["iron_helmet"],
    "mobs": [
        ["creeper", [3, 64, 0], True, 7, False, None, True],
        ["sheep", [4, 64, 0], False, 8, True, "black", False],
    ],
    "effects": ["poison"],
}
