"""The syntax of goals, and the errors for wrong ones."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.goal_names import NAMES

from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
)
from bots.goals.parsing import MOST, GoalRefused, parse_goals, require_agreement
from bridge.world import Position


def parsed(asked: object) -> tuple[Goal, ...]:
    return parse_goals(asked, NAMES)


def refusal(asked: object) -> GoalRefused:
    with pytest.raises(GoalRefused) as refused:
        parsed(asked)
    return refused.value


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("inventory.stick:4", ItemGoal("stick", 4)),
        ("inventory.stick:+4", ItemGoal("stick", 4, more=True)),
        ("inventory.minecraft:stick:4", ItemGoal("stick", 4)),
        ("Inventory.Stick:4", ItemGoal("stick", 4)),
        ("inventory.oak-log : 4", ItemGoal("oak_log", 4)),
        ("ｉｎｖｅｎｔｏｒｙ.stick：４", ItemGoal("stick", 4)),
        ("placed.torch:2", PlacedGoal("torch", 2)),
        ("placed.torch:+2", PlacedGoal("torch", 2, more=True)),
        ("placed.torch", PlacedGoal("torch", 1)),
        ("placed.torch:4 any", PlacedGoal("torch", 4, by_anyone=True)),
        ("placed.torch:2, any", PlacedGoal("torch", 2, by_anyone=True)),
        ("placed.torch near:home", PlacedGoal("torch", 1, near="home")),
        ("placed.torch:+2 near:old mine any", PlacedGoal("torch", 2, True, "old mine", True)),
        ("placed.torch:2 any near: .Steve", PlacedGoal("torch", 2, near=".Steve", by_anyone=True)),
        ("placed.torch near:10 64 -3.5", PlacedGoal("torch", 1, near="10,64,-3.5")),
        ("placed.torch@10,64,-3", PlacedAtGoal("torch", Position(10, 64, -3))),
        ("placed.torch @ 10 64 -3", PlacedAtGoal("torch", Position(10, 64, -3))),
        ("placed.torch@10.7,64.2,-3.5:1", PlacedAtGoal("torch", Position(10, 64, -4))),
        ("equipment.iron_pickaxe:true", EquipmentGoal("iron_pickaxe")),
        ("equipment.iron_pickaxe:False", EquipmentGoal("iron_pickaxe", on=False)),
        ("position:10 64 -5", PositionGoal(Position(10, 64, -5))),
        ("position:10,64,-5", PositionGoal(Position(10, 64, -5))),
        ("position: 10.5, 64, -5", PositionGoal(Position(10.5, 64, -5))),
    ],
)
def test_a_goal_is_read_however_it_is_spaced_and_spelt(asked: str, meant: Goal) -> None:
    assert parsed(asked) == (meant,)


@pytest.mark.parametrize(
    "asked",
    [
        "inventory.stick:4 placed.torch:2 position:1,2,3",
        "inventory.stick:4, placed.torch:2, position:1,2,3",
        "  inventory.stick:4;placed.torch:2\n position:1,2,3 ",
        ["inventory.stick:4", "placed.torch:2 position:1,2,3"],
        {"inventory.stick": 4, "placed.torch": 2, "position": [1, 2, 3]},
        {"inventory": {"stick": 4.0}, "placed": {"torch": 2}, "position": {"x": 1, "y": 2, "z": 3}},
    ],
)
def test_several_goals_come_as_text_as_list_or_as_object(asked: object) -> None:
    assert parsed(asked) == (
        ItemGoal("stick", 4),
        PlacedGoal("torch", 2),
        PositionGoal(Position(1, 2, 3)),
    )


def test_the_same_goal_twice_is_one_goal() -> None:
    assert parsed("inventory.stick:4 inventory.stick:4") == (ItemGoal("stick", 4),)


@pytest.mark.parametrize(
    "asked",
    [
        "inventory.torch:3 with:stick",
        "with: minecraft:Stick, inventory.torch:3",
        {"inventory.torch": 3, "with": "stick"},
    ],
)
def test_what_may_be_used_is_said_beside_the_goal(asked: object) -> None:
    assert set(parsed(asked)) == {ItemGoal("torch", 3), WithItem("stick")}


def test_equipment_in_an_object_is_a_truth() -> None:
    assert parsed({"equipment.iron_pickaxe": True}) == (EquipmentGoal("iron_pickaxe"),)


@pytest.mark.parametrize(
    ("asked", "reason", "said"),
    [
        ("", "invalid_format", "inventory.ITEM:n"),
        ("   ", "invalid_format", "inventory.ITEM:n"),
        ([], "invalid_format", "inventory.ITEM:n"),
        (None, "invalid_format", "inventory.ITEM:n"),
        (7, "invalid_format", "'7'"),
        ([1], "invalid_format", "[1]"),
        ("stick:4", "invalid_format", "inventory.stick:4"),
        ("stick", "invalid_format", "inventory.stick:n"),
        ("nonsense", "invalid_format", "'nonsense'"),
        ("inventroy.stick:4", "invalid_format", "inventory.stick:4"),
        ("inventory.stick", "invalid_format", "inventory.stick:1"),
        ("inventory.stick:", "invalid_format", "'inventory.stick:'"),
        ("inventory.stick:four", "invalid_format", "'four'"),
        ("inventory.stick:1.5", "invalid_format", "'1.5'"),
        ("inventory.stick:-3", "invalid_format", "'-3'"),
        ("inventory.stick:0", "invalid_format", "from 1"),
        (f"inventory.stick:{MOST + 1}", "invalid_format", "from 1"),
        ("inventory.stick:" + "9" * 5000, "invalid_format", "count"),
        ("equipment.iron_pickaxe:maybe", "invalid_format", "equipment.iron_pickaxe:true"),
        ("placed.torch@10,64", "invalid_format", "placed.torch@10,64,-5"),
        ("placed.torch@10,64,3:2", "invalid_format", "one block has room there"),
        ("placed.torch:2 near:", "invalid_format", "near:home"),
        ("placed.torch:2 naer:home", "invalid_format", "near:home"),
        ("placed.torch:2 ayn", "invalid_format", "any"),
        ("near:home", "invalid_format", "behind a goal"),
        ("inventory.stick:2 any", "invalid_format", "placed.torch:4"),
        ("placed.torch@1,2,3 near:home", "invalid_format", "placed.torch:4"),
        ("placd.torch@1,2,3", "invalid_format", "placed.torch@1,2,3"),
        ("equipment.iron_pickaxe", "invalid_format", "equipment.iron_pickaxe:true"),
        ("with:stick", "invalid_format", "name a goal as well"),
        ("inventory.torch:3 with stick", "invalid_format", "as in with:bookshelf"),
        ("inventory.torch:3 with:stik", "unknown_item", "stick"),
        ("inventory.torch:3 whit:stick", "invalid_format", "with:stick"),
        ("inventory.torch:3 with.stick:true", "invalid_format", "with:stick"),
        ("position:1,2", "invalid_format", "position:10,64,-5"),
        ("position:1,2,nan", "invalid_format", "three numbers"),
        ("position:1,2,1e99", "invalid_format", "ends"),
        ("position.x:1,2,3", "invalid_format", "three numbers"),
        ("inventory.stik:4", "unknown_item", "stick"),
        ("inventory.qqqqq:4", "unknown_item", "'qqqqq'"),
        ("inventory.:4", "unknown_item", "no item"),
        ("placed.redstone:1", "unknown_block", "redstone_wire"),
        ("placed.trch:1", "unknown_block", "torch"),
        ("inventory.redstone_wire:1", "unknown_item", "redstone"),
    ],
)
def test_a_wrong_goal_is_refused_with_a_right_one(asked: object, reason: str, said: str) -> None:
    refused = refusal(asked)
    assert (refused.reason, said in refused.message) == (reason, True), refused.message


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("position:8,64,8 position:20,64,20", "I stand in one place"),
        ("placed.torch@1,64,3 placed.stone@1,64,3", "one block has room there"),
        ("equipment.stone_pickaxe:true equipment.iron_pickaxe:true", "one thing is in hand"),
        ("equipment.iron_helmet:true equipment.gold_helmet:true", "one thing is worn there"),
        ("equipment.iron_helmet:true equipment.iron_helmet:false", "it is worn or not"),
    ],
)
def test_goals_that_contradict_each_other_are_refused(asked: str, why: str) -> None:
    refused = refusal(asked)
    assert (refused.reason, why in refused.message) == ("contradictory", True)


def test_goals_that_agree_are_taken_together() -> None:
    assert len(parsed("position:8,64,8 position:8.5,64,8.5")) == 2
    assert len(parsed("equipment.iron_helmet:true equipment.gold_helmet:false")) == 2
    assert len(parsed("placed.torch@1,64,3 placed.torch@2,64,3")) == 2


@pytest.mark.parametrize(
    "word", ["log", "logs", "wood", "planks", "plank", "pickaxe", "category.log"]
)
def test_a_category_is_refused_with_members_of_it(word: str) -> None:
    refused = refusal(f"inventory.{word}:4")
    assert refused.reason == "category"
    assert word in refused.message
    assert set(refused.data["nearest"]) <= NAMES.items
    assert len(refused.data["nearest"]) > 1


def test_the_suggestions_are_also_data() -> None:
    assert refusal("inventory.stik:4").data["nearest"][0] == "stick"


@given(st.text() | st.lists(st.text()) | st.dictionaries(st.text(), st.integers() | st.text()))
def test_any_text_is_goals_or_a_refusal(asked: Any) -> None:
    with suppress(GoalRefused):
        assert parsed(asked)


PLACES = st.builds(Position, *(st.integers(-30_000_000, 30_000_000).map(float) for _ in "xyz"))
GOALS = st.one_of(
    st.builds(ItemGoal, st.sampled_from(sorted(NAMES.items)), st.integers(1, MOST), st.booleans()),
    st.builds(
        PlacedGoal,
        st.sampled_from(sorted(NAMES.blocks)),
        st.integers(1, MOST),
        st.booleans(),
        st.sampled_from([None, "home", "old mine", ".Steve", "10,64,-3.5"]),
        st.booleans(),
    ),
    st.builds(PlacedAtGoal, st.sampled_from(sorted(NAMES.blocks)), PLACES),
    st.builds(EquipmentGoal, st.sampled_from(sorted(NAMES.items)), st.booleans()),
    st.builds(PositionGoal, PLACES),
)


@given(st.lists(GOALS, min_size=1, max_size=4, unique=True))
def test_goals_are_written_as_they_are_read(goals: list[Goal]) -> None:
    try:
        require_agreement(tuple(goals))
    except GoalRefused:
        goals = goals[:1]
    assert parsed(" ".join(map(str, goals))) == tuple(goals)
