"""The state for a model: complete, short, with short names that can be mapped back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recorded import AROUND, SNAPSHOTS
from toon_format import decode

from bots.responder.case.world_state import MOST_MOBS, ShortIds, sensed_by, state_of
from bridge.world import MobSighting, PlayerName, PlayerSighting, Position, WorldSnapshot

BUSY = SNAPSHOTS["near animals 1"]


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_the_text_says_all_that_is_sensed(name: str) -> None:
    world, around = SNAPSHOTS[name], AROUND[name]
    told = decode(state_of(world, around=around).text)
    assert told == sensed_by(world, ShortIds(), around=around)


def test_of_each_kind_of_block_the_nearest_is_told_and_how_many_there_are() -> None:
    sensed = sensed_by(BUSY, ShortIds(), around=AROUND["near animals 1"])
    first, *_ = sensed["blocks"]
    nearest = {"id": "b1", "name": "acacia_log", "n": 14, "away": 5, "x": 59, "y": 63, "z": -30}
    assert first == nearest
    away = [row["away"] for row in sensed["blocks"]]
    assert away == sorted(away)
    assert len({row["name"] for row in sensed["blocks"]}) == len(away)


def test_the_nearest_and_the_most_come_first_and_no_table_is_long() -> None:
    herd = tuple(MobSighting(f"mob_{n}", Position(n, 64, 0), False) for n in range(40))
    sensed = sensed_by(replace(BUSY, mobs=herd), ShortIds())
    assert len(sensed["mobs"]) == MOST_MOBS
    assert [row["n"] for row in sensed["items"]] == sorted(
        (row["n"] for row in sensed["items"]), reverse=True
    )
    away = [row["away"] for row in sensed["players"]]
    assert away == sorted(away)


def test_fellow_bots_are_told_from_people_while_one_is_there() -> None:
    at = Position(8, 64, 8)
    both = tuple(PlayerSighting(PlayerName(name), at) for name in ("Bob", "Steve"))
    world = replace(BUSY, players=both)
    rows = sensed_by(world, ShortIds(), bots={"Bob"})["players"]
    assert [(row["name"], row["bot"]) for row in rows] == [("Bob", True), ("Steve", False)]
    assert "bot" not in sensed_by(world, ShortIds())["players"][0]


def test_few_mobs_are_told_what_is_hostile_first_and_no_kind_is_crowded_out() -> None:
    here = BUSY.position
    mobs = [
        MobSighting(name, Position(here.x + east, here.y, here.z), hostile)
        for name, east, hostile in [
            *(("cow", 3 + number, False) for number in range(12)),
            ("zombie", 20, True),
            ("pig", 40, False),
        ]
    ]
    rows = sensed_by(replace(BUSY, mobs=tuple(mobs)), ShortIds())["mobs"]
    assert [(row["name"], row["away"], row["hostile"]) for row in rows] == [
        ("zombie", 20, True),
        *(("cow", 3 + number, False) for number in range(MOST_MOBS - 2)),
        ("pig", 40, False),
    ]


def test_the_health_of_players_is_told_while_one_of_them_is_hurt() -> None:
    at = Position(8, 64, 8)
    well, hurt = (PlayerSighting(PlayerName(name), at, n) for name, n in (("Bob", 20), ("Cid", 7)))
    unknown = PlayerSighting(PlayerName("Dan"), None)
    assert (
        "health" not in sensed_by(replace(BUSY, players=(well, unknown)), ShortIds())["players"][0]
    )
    rows = sensed_by(replace(BUSY, players=(well, hurt, unknown)), ShortIds())["players"]
    assert [(row["name"], row["health"]) for row in rows] == [
        ("Bob", 20),
        ("Cid", 7),
        ("Dan", None),
    ]


def test_stacks_of_one_item_are_one_row() -> None:
    sensed = sensed_by(BUSY, ShortIds())
    assert {row["name"]: row["n"] for row in sensed["items"]}["cobblestone"] == 90


@given(st.text(max_size=30), st.integers(0, 15))
def test_whatever_a_player_is_called_the_short_name_leads_back(name: str, others: int) -> None:
    crowd = [PlayerSighting(PlayerName(f"P{n}"), None) for n in range(others)]
    seen = PlayerSighting(PlayerName(name), Position(8, 64, 8))
    state = state_of(replace(BUSY, players=(*crowd, seen)))
    assert state.ids.meant("p1") == name  # the only one in view
    first = decode(state.text)["players"][0]
    assert (first["id"], first["name"]) == ("p1", name)
    arguments = {"username": "p1", "items": [{"name": "i1", "count": 3}], "say": "see p1"}
    assert state.ids.read_back(arguments) == {
        "username": name,
        "items": [{"name": "cobblestone", "count": 3}],
        "say": "see p1",
    }


def test_no_short_name_is_said_to_people_and_no_other_word_is_changed() -> None:
    ids = state_of(BUSY).ids
    assert ids.spelled_out("I gave i2 to p1, near e99.") == "I gave oak_planks to Bob, near e99."
    assert ids.meant("Steve") == "Steve"


def test_a_world_that_does_not_answer_is_told_as_such() -> None:
    nothing: WorldSnapshot | None = None
    assert "nothing" in state_of(nothing).text


def test_what_holds_in_an_area_near_is_told_in_a_few_letters() -> None:
    sensed = sensed_by(BUSY, ShortIds(), area="touch nothing 9 blocks off")
    assert sensed["me"]["area"] == "touch nothing 9 blocks off"
    assert "area" not in sensed_by(BUSY, ShortIds())["me"]
