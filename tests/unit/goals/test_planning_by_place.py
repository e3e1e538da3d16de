"""Plans go by where things are: the nearest among equals, depth priced, failures avoided."""

from dataclasses import replace
from typing import Any

import pytest
from support.small_country import COUNTRY, RICH

from bots.goals.activity import Away, PlanningWorld
from bots.goals.domain.costs import FAILED_S
from bots.goals.goal import ItemGoal, PlacedGoal, PositionGoal
from bots.goals.plan import Plan
from bots.goals.planning.planner import Planner
from bots.goals.planning.problem import WALK_S
from bots.goals.planning.replay import replay
from bots.goals.rates import Experience, Took, Work
from bridge.world import Position

PLANNER = Planner(COUNTRY)
NEAR, FAR = Away(3.0), Away(40.0)


def plan(item: str, count: int = 1, **world: Any) -> Plan:
    at = replace(PlanningWorld({}, RICH), **world)
    found = PLANNER.plan((ItemGoal(item, count),), at, proof=True)
    assert (found.found, found.optimal) == (True, True)
    assert replay(COUNTRY, at, found.steps).inventory[item] >= count
    return found


def dug(found: Plan) -> set[str]:
    return {step.target for step in found.steps if step.action == "gather"}


@pytest.mark.parametrize(
    ("oak", "birch", "taken"),
    [
        (NEAR, FAR, "oak_log"),
        (FAR, NEAR, "birch_log"),
        (Away(20.0), Away(21.0), "oak_log"),
        (FAR, None, "birch_log"),
        (None, Away(10.0), "birch_log"),
        (Away(40.0, 40.0), Away(12.0), "birch_log"),
        (Away(5.0), Away(30.0), "oak_log"),
        (Away(5.0, under_water=True), Away(30.0), "birch_log"),
    ],
    ids=["nearer", "though later by alphabet", "by a block", "one is at a typical distance",
         "and farther than one near", "far above, as from a mine", "dry", "under water"],
)  # fmt: skip
def test_of_two_woods_the_sooner_one_is_taken(
    oak: Away | None, birch: Away | None, taken: str
) -> None:
    located = {"oak_log": oak, "birch_log": birch}
    away = {name: where for name, where in located.items() if where is not None}
    assert dug(plan("stick", away=away)) == {taken}


def test_a_kind_nobody_located_is_at_a_typical_distance() -> None:
    assert plan("stick").cost_s == plan("stick", away={}).cost_s


def test_where_the_near_wood_is_too_little_the_far_one_is_taken_too() -> None:
    few = {**RICH, "oak_log": 1}
    found = plan("oak_boat", nearby={**few, "oak_log": 20}, away={"oak_log": FAR})
    assert "oak_log" in dug(found)  # a boat is of one wood
    found = plan("stick", 12, nearby=few, away={"oak_log": NEAR, "birch_log": FAR})
    assert dug(found) == {"birch_log"}  # one trip does


def test_what_lies_deep_costs_the_stairs_down_and_up_again() -> None:
    def cost_s(depth: float) -> float:
        return plan("coal", away={"coal_ore": Away(30.0, -depth)}).cost_s

    assert cost_s(5) < cost_s(15) < cost_s(25)


def test_a_better_pickaxe_pays_where_the_stairs_are_long() -> None:
    def tool(depth: float) -> str | None:
        held = {"wooden_pickaxe": 1, "crafting_table": 1, "stick": 2, "cobblestone": 3}
        away = {"coal_ore": Away(depth, -depth)}
        found = plan("coal", inventory=held, workbench_near=True, away=away)
        return next(step.tool for step in found.steps if step.target == "coal_ore")

    assert (tool(1), tool(40)) == ("wooden_pickaxe", "stone_pickaxe")


def test_blocks_far_apart_cost_more_each() -> None:
    def cost_s(apart: float) -> float:
        return plan("oak_log", 4, away={"oak_log": Away(5.0, 0.0, apart)}).cost_s

    assert cost_s(0) == cost_s(3) < cost_s(12)


def test_what_lies_deep_under_water_is_dived_to() -> None:
    def cost_s(*, under_water: bool) -> float:
        away = {"oak_log": Away(8.5, -8.0, under_water=under_water)}
        return plan("oak_log", nearby={"oak_log": 1}, away=away).cost_s

    assert cost_s(under_water=True) < cost_s(under_water=False)


def test_a_kind_that_failed_is_left_alone_while_another_does() -> None:
    away = {"oak_log": NEAR, "birch_log": Away(20.0)}
    failed = plan("stick", away=away, failures={"oak_log": 1})
    assert dug(failed) == {"birch_log"}
    assert failed.cost_s == plan("stick", away={**away, "oak_log": FAR}).cost_s


def test_the_only_kind_is_tried_again_and_its_failure_is_no_time() -> None:
    only = {"oak_log": 5}
    failed = plan("stick", nearby=only, away={"oak_log": NEAR}, failures={"oak_log": 3})
    assert failed.cost_s == plan("stick", nearby=only, away={"oak_log": NEAR}).cost_s < FAILED_S


def test_what_was_learnt_scales_estimates_and_leaves_the_model_alone() -> None:
    slow = Experience([Took(Work("gather", "oak_log"), 1e4, 3e4)]).rates
    only = {"oak_log": 5}
    by_model, learnt = plan("oak_log", nearby=only), plan("oak_log", nearby=only, rates=slow)
    assert learnt.cost_s == pytest.approx(3 * by_model.cost_s, rel=0.02)
    (digging,) = learnt.steps
    assert digging.model_s == by_model.cost_s


def test_a_walk_takes_as_long_as_it_is_far() -> None:
    def cost_s(x: float, here: Position | None) -> float:
        goal = PositionGoal(Position(x, 64, 0))
        return PLANNER.plan((goal,), PlanningWorld({}, {}, here=here)).cost_s

    assert cost_s(100, Position(0, 64, 0)) == pytest.approx(
        10 * cost_s(10, Position(0, 64, 0)), 0.01
    )
    assert cost_s(100, None) == WALK_S


# --- stations ---------------------------------------------------------------------------

PICKAXE = {"oak_planks": 3, "stick": 2}


def at_a_table(distance: float, **world: Any) -> list[str]:
    near = {**RICH, "crafting_table": 1}
    away = {"crafting_table": Away(distance), "oak_log": NEAR, "birch_log": NEAR}
    found = plan("wooden_pickaxe", nearby=near, away=away, **world)
    return [f"{step.action} {step.target}" for step in found.steps]


def test_a_table_at_hand_is_used_without_a_walk() -> None:
    assert at_a_table(5, inventory=PICKAXE) == ["craft wooden_pickaxe"]


def test_a_table_further_off_costs_the_walk_there_and_back_unless_a_new_one_is_cheaper() -> None:
    assert at_a_table(10, inventory=PICKAXE) == ["approach crafting_table", "craft wooden_pickaxe"]
    assert at_a_table(60, inventory=PICKAXE)[-2:] == [
        "place crafting_table",
        "craft wooden_pickaxe",
    ]


def test_a_table_that_is_carried_is_put_down_sooner_than_a_far_one_walked_to() -> None:
    held = {**PICKAXE, "crafting_table": 1}
    assert at_a_table(20, inventory=held) == ["place crafting_table", "craft wooden_pickaxe"]


def test_the_way_to_a_table_and_back_is_expected_but_only_the_way_there_learnt_from() -> None:
    only = {"crafting_table": 1}
    found = plan("wooden_pickaxe", inventory=PICKAXE, nearby=only, away={"crafting_table": FAR})
    walk = found.steps[0]
    assert (walk.action, walk.target, walk.count) == ("approach", "crafting_table", 1)
    assert walk.cost_s == pytest.approx(2 * walk.model_s, rel=0.02)
    deep = replace(FAR, height=-30.0)
    below = plan("wooden_pickaxe", inventory=PICKAXE, nearby=only, away={"crafting_table": deep})
    assert below.steps[0].cost_s > walk.cost_s


def test_a_goal_of_stations_counts_those_that_are_far_off() -> None:
    world = PlanningWorld(
        {"crafting_table": 3}, {"crafting_table": 1}, away={"crafting_table": FAR}
    )
    found = PLANNER.plan((PlacedGoal("crafting_table", 2, by_anyone=True),), world)
    assert [(step.action, step.count) for step in found.steps] == [("place", 1)]


def test_a_table_far_off_is_dug_up_where_the_goal_asks_for_one_and_there_is_no_wood() -> None:
    only = {"crafting_table": 1}
    found = plan("crafting_table", nearby=only, away={"crafting_table": FAR})
    assert [step.action for step in found.steps] == ["approach", "gather"]
