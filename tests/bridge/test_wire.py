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
    BlockPlaced,
    BotDied,
    BotDisconnected,
    BotEndangered,
    BotHurt,
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


def test_a_finished_action_carries_reason_and_result() -> None:
    message = {
        "t": "finished",
        "bot": "Alice",
        "at": 1000,
        "action": "a1",
        "outcome": "failed",
        "reason": "too_far",
        "message": "6 blocks away",
        "result": {"block": "stone"},
    }
    finished = wire.parse_event(message)
    assert isinstance(finished, ActionFinished)
    assert (finished.outcome, finished.reason) == ("failed", "too_far")
    assert finished.result == {"block": "stone"}
    assert finished.at == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)


def test_a_disconnection_says_how_and_in_whose_words() -> None:
    gone = wire.parse_event(
        {"t": "disconnected", "bot": "A", "at": 0, "ending": "kicked", "text": "out"}
    )
    assert isinstance(gone, BotDisconnected)
    assert (gone.ending, gone.text) == ("kicked", "out")


def test_health_comes_in_half_hearts() -> None:
    felt = wire.parse_event({"t": "health", "bot": "A", "at": 0, "health": 0, "food": 20})
    assert isinstance(felt, HealthChanged)
    assert (felt.health, felt.food) == (0, 20)


def test_what_hurt_a_bot_and_what_it_was_given_come_through() -> None:
    head = {"bot": "A", "at": 0}
    here = {"where": [1, 64, 2], "dimension": "overworld"}
    by_bob = {"kind": "damage", "what": "minecraft:player_attack", "by": ["player", "Bob"]}
    hit = {"lost": 3, "health": 17, "signs": [by_bob], **here}
    hurt = wire.parse_event({"t": "hurt", **head, **hit})
    assert isinstance(hurt, BotHurt)
    assert (hurt.cause, hurt.position) == (Cause("player", "Bob", "told"), Position(1, 64, 2))
    death = {"number": 2, "lost": 20, "signs": [], "world": "", "carried": [["bread", 3]], **here}
    died = wire.parse_event({"t": "died", **head, **death})
    assert isinstance(died, BotDied)
    assert (died.death, died.cause) == (Death(2, Position(1, 64, 2)), None)
    assert died.carried == (ItemStack("bread", 3),)
    given = wire.parse_event({"t": "given", **head, "from": "Bob", "item": "bread", "count": 2})
    assert isinstance(given, ItemGiven)
    assert (given.player, given.item, given.count, given.meant_for) == ("Bob", "bread", 2, None)
    handing = wire.parse_event({"t": "handing", **head, "from": "Bob", "to": "Steve"})
    assert isinstance(handing, HandOverSeen)
    assert (handing.giver, handing.taker) == ("Bob", "Steve")


def test_monsters_and_harm_come_through() -> None:
    row = ["zombie", [1, 64, 2], True, 7, False, None]
    near = wire.parse_event({"t": "near", "bot": "A", "at": 0, "monsters": [row]})
    assert isinstance(near, MonstersNear)
    assert near.monsters == (MobSighting("zombie", Position(1, 64, 2), hostile=True, id=7),)
    endangered = wire.parse_event({"t": "endangered", "bot": "A", "at": 0, "by": ["lava"]})
    assert isinstance(endangered, BotEndangered)
    assert endangered.by == {"lava"}


def test_what_others_do_comes_through() -> None:
    seen = {"from": "Bob", "block": "dirt", "where": [1, 64, 2], "dimension": "overworld"}
    placed = wire.parse_event({"t": "placing", "bot": "A", "at": 0, **seen})
    assert isinstance(placed, BlockPlaced)
    assert (placed.player, placed.block, placed.position) == ("Bob", "dirt", Position(1, 64, 2))
    hurt = wire.parse_event({"t": "wounded", "bot": "A", "at": 0, **seen})
    assert isinstance(hurt, PlayerHurt)
    assert (hurt.player, hurt.position, hurt.dimension) == ("Bob", Position(1, 64, 2), "overworld")
    died = wire.parse_event({"t": "fallen", "bot": "A", "at": 0, **seen})
    assert isinstance(died, PlayerDied)
    assert (died.player, died.position, died.dimension) == ("Bob", Position(1, 64, 2), "overworld")


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
    creeper = MobSighting(
        "creeper", Position(3, 64, 0), hostile=True, id=7, named=True, leashed=True
    )
    lamb = MobSighting("sheep", Position(4, 64, 0), hostile=False, id=8, young=True, coat="black")
    assert snapshot.mobs == (creeper, lamb)
    assert snapshot.effects == ("poison",)
    unseen, seen = snapshot.players
    assert unseen.position is None
    assert (seen.position, seen.health) == (Position(0, 64, 0), 20)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"code": "not_connected", "message": "", "data": {"bot": "A"}}, NotConnected),
        (
            {
                "code": "spawn_failed",
                "message": "",
                "data": {"bot": "A", "ending": "kicked", "text": "no"},
            },
            SpawnFailed,
        ),
        (
            {"code": "line_too_long", "message": "", "data": {"length": 300, "limit": 256}},
            LineTooLong,
        ),
        ({"code": "internal", "message": "boom"}, HostError),
        ({"code": "something_new", "message": "boom"}, HostError),
    ],
)
def test_an_error_reply_becomes_the_error_its_code_names(
    error: dict[str, Any], expected: type[BridgeError]
) -> None:
    assert type(wire.parse_error("whisper", error)) is expected


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
        ["creeper", [3, 64, 0], True, 7, False, None, True, True],
        ["sheep", [4, 64, 0], False, 8, True, "black", False, False],
    ],
    "effects": ["poison"],
}
