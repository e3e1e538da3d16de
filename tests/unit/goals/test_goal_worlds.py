"""The world of a planning question: read from JSON, checked, written back."""

import math
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.goal_names import NAMES

from bots.goals.activity import Away, PlanningWorld
from bots.goals.offline import DEFAULT_VERSION, MOST, read_world
from bots.goals.parsing import GoalRefused, WorldRefused, parse_goals

NOTHING = PlanningWorld(inventory={}, nearby={})


@pytest.mark.parametrize(
    "told", [None, {}, {"inventory": None, "nearby": {}, "nearby_furnace": None, "version": None}]
)
def test_what_is_not_told_is_not_there(told: object) -> None:
    read = read_world(told)
    assert (read.version, read.of(NAMES)) == (DEFAULT_VERSION, NOTHING)


def test_a_world_is_read_with_all_it_holds() -> None:
    told = {
        "version": "1.20.1",
        "inventory": {"stick": 4, "minecraft:torch": 2.0, "stone": 0},
        "nearby": {"oak_log": 3},
        "nearby_workbench": True,
        "nearby_furnace": False,
    }
    read = read_world(told)
    assert read.version == "1.20.1"
    assert read.of(NAMES) == PlanningWorld({"stick": 4, "torch": 2}, {"oak_log": 3}, True, False)


def test_a_world_may_tell_how_far_off_things_are() -> None:
    told = {
        "nearby": {
            "oak_log": {"count": 3, "distance": 7.4},
            "stone": {"count": 5, "distance": 20, "height": -18, "apart": 2},
            "crafting_table": {"count": 1, "distance": 2, "under_water": True},
            "redstone_wire": {"count": 64},
            "torch": 9,
        }
    }
    read = read_world(told).of(NAMES)
    assert (read.nearby["oak_log"], read.nearby["stone"]) == (3, 5)
    assert (read.nearby["redstone_wire"], read.nearby["torch"]) == (64, 9)
    assert read.away == {
        "oak_log": Away(7.4),
        "stone": Away(20, -18, 2),
        "crafting_table": Away(2, under_water=True),
    }


@pytest.mark.parametrize("number", [np.int64, np.uint8, np.float32, Decimal, Fraction, float])
def test_numbers_of_any_library_are_taken_for_what_they_are(number: Callable[[int], Any]) -> None:
    told = {
        "inventory": {"stick": number(3)},
        "nearby": {"oak_log": {"count": number(4), "distance": number(12)}},
    }
    world = read_world(told).of(NAMES)
    plain = {"inventory": {"stick": 3}, "nearby": {"oak_log": {"count": 4, "distance": 12}}}
    assert world == read_world(plain).of(NAMES)
    asked = {"inventory": {"stick": number(5)}}
    assert parse_goals(asked, NAMES) == parse_goals("inventory.stick:5", NAMES)


@pytest.mark.parametrize("number", [np.float64(2.5), Decimal("0.5"), math.nan, math.inf, True, "3"])
def test_what_is_no_whole_number_is_no_count(number: object) -> None:
    with pytest.raises(WorldRefused, match="is a whole number"):
        read_world({"inventory": {"stick": number}})


def test_nothing_is_nearer_than_it_is_deep() -> None:
    told = {"nearby": {"stone": {"count": 1, "distance": 3, "height": -30}}}
    assert read_world(told).of(NAMES).away["stone"].distance == 30


def test_of_two_names_of_one_block_the_nearer_place_counts() -> None:
    told = {
        "oak_log": {"count": 1, "distance": 9},
        "minecraft:oak_log": {"count": 1, "distance": 4},
    }
    read = read_world({"nearby": told}).of(NAMES)
    assert (read.nearby, read.away) == ({"oak_log": 2}, {"oak_log": Away(4.0)})


def test_more_than_any_goal_can_use_is_read_as_much() -> None:
    assert read_world({"nearby": {"stone": 10**30}}).of(NAMES).nearby == {"stone": MOST}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([], "object"),
        ("world", "object"),
        ({"inventroy": {}}, "inventory"),
        ({"zzz": 1}, "nearby_workbench"),
        ({"version": 1.16}, "1.16"),
        ({"inventory": ["stick"]}, "inventory"),
        ({"nearby": 7}, "nearby"),
        ({"nearby": {"stone": {"distance": 3}}}, "count"),
        ({"nearby": {"stone": {"count": 1, "distence": 3}}}, "distance"),
        ({"nearby": {"stone": {"count": 1, "distance": "far"}}}, "far"),
        ({"nearby": {"stone": {"count": 1, "distance": True}}}, "nearby.stone.distance"),
        ({"nearby": {"stone": {"count": 1, "distance": -1}}}, "below 0"),
        ({"nearby": {"stone": {"count": 1, "distance": float("nan")}}}, "nearby.stone.distance"),
        ({"chests": {"stone": {"count": 1, "distance": -1}}}, "below 0"),
        ({"nearby": {"stone": {"count": -1, "distance": 1}}}, "nearby.stone.count"),
        ({"inventory": {"stick": {"count": 1}}}, "inventory.stick"),
        ({"inventory": {"stick": "4"}}, "inventory.stick"),
        ({"inventory": {"stick": True}}, "inventory.stick"),
        ({"inventory": {"stick": None}}, "inventory.stick"),
        ({"inventory": {"stick": 1.5}}, "inventory.stick"),
        ({"inventory": {"stick": -1}}, "-1"),
        ({"inventory": {"stick": float("inf")}}, "inventory.stick"),
        ({"nearby_workbench": "yes"}, "nearby_workbench"),
    ],
)
def test_a_world_of_the_wrong_shape_is_refused_naming_the_place(told: object, said: str) -> None:
    with pytest.raises(WorldRefused) as refused:
        read_world(told)
    assert said in refused.value.message


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"inventory": {"stik": 4}}, "stick"),
        ({"nearby": {"trch": 4}}, "torch"),
        ({"inventory": {"planks": 4}}, "oak_planks"),
    ],
)
def test_a_name_this_version_has_not_is_refused_naming_the_place(told: Any, said: str) -> None:
    with pytest.raises(GoalRefused) as refused:
        read_world(told).of(NAMES)
    assert said in refused.value.message
    assert next(iter(told)) in refused.value.message


COUNTS = st.integers(1, MOST)


@given(
    st.builds(
        PlanningWorld,
        st.dictionaries(st.sampled_from(sorted(NAMES.items)), COUNTS),
        st.dictionaries(st.sampled_from(sorted(NAMES.blocks)), COUNTS),
        st.booleans(),
        st.booleans(),
    )
)
def test_a_world_is_read_as_it_is_written(world: PlanningWorld) -> None:
    told = {
        "version": "1.20.1",
        "inventory": dict(world.inventory),
        "nearby": dict(world.nearby),
        "nearby_workbench": world.workbench_near,
        "nearby_furnace": world.furnace_near,
    }
    read = read_world(told)
    assert (read.version, read.of(NAMES)) == ("1.20.1", world)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON | st.dictionaries(st.sampled_from(["version", "inventory", "nearby"]), JSON))
def test_any_json_is_a_world_or_a_refusal(told: object) -> None:
    with suppress(WorldRefused, GoalRefused):
        assert read_world(told).of(NAMES)
