"""Impossible goals: what is missing, how many, why, and the nearest possible goal."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.plans_told import told
from support.small_country import COUNTRY, RICH
from support.trying_everything import random_case

from bots.goals.activity import PlanningWorld
from bots.goals.explain.explain import Explainer
from bots.goals.goal import ItemGoal
from bots.goals.offline import OfflinePlanner
from bots.goals.plan import Plan
from bots.goals.planning.planner import Planner

pytestmark = pytest.mark.slow

ASKER = OfflinePlanner(lambda version: COUNTRY)


def asked(
    goal: str, held: Mapping[str, int] | None = None, near: Mapping[str, int] | None = None
) -> Plan:
    return ASKER.answer(goal, {"inventory": held or {}, "nearby": RICH if near is None else near})


def without(*blocks: str) -> dict[str, int]:
    return {block: count for block, count in RICH.items() if block not in blocks}


def missing(plan: Plan) -> dict[str, tuple[int, int]]:
    return {one.item: (one.need, one.have) for one in plan.missing}


SPIDERS, NONE_NEAR = "none is held, and spiders give it", "none is held, and no {0} is near"
NO_DIAMONDS, NO_IRON = NONE_NEAR.format("diamond_ore"), NONE_NEAR.format("iron_ore")
NO_COAL = NONE_NEAR.format("coal_ore")
A_SMITHY = {"furnace": 1, "iron_ore": 16, "crafting_table": 1}


@pytest.mark.parametrize(
    ("goal", "held", "near", "lacks"),
    [
        ("inventory.diamond_pickaxe:1", {}, without("diamond_ore"),
         f"0 of 3 diamond: {NO_DIAMONDS}"),
        ("inventory.diamond_pickaxe:1 inventory.bow:1", {}, without("diamond_ore"),
         f"0 of 3 string: {SPIDERS}; 0 of 3 diamond: {NO_DIAMONDS}"),
        ("inventory.iron_pickaxe:2", {"iron_ore": 1}, {**RICH, "iron_ore": 2},
         "3 of 6 iron_ore: there is no more than 3 here"),
        ("inventory.bow:1", {}, RICH, f"0 of 3 string: {SPIDERS}"),
        ("inventory.diamond:1", {}, without("iron_ore"), f"0 of 3 iron_ore: {NO_IRON}"),
        ("inventory.diamond:3", {}, without("iron_ore"), f"0 of 3 iron_ore: {NO_IRON}"),
        ("inventory.iron_ingot:16", A_SMITHY, {}, f"0 of 2 coal: {NO_COAL}"),
        ("placed.fire:1", {}, RICH, "0 of 1 fire: there is no item of this name to place"),
    ],
    ids=["a block", "two things", "some are near", "creatures give it", "the tool for one",
         "the tool for many", "fuel", "no item places it"],
)  # fmt: skip
def test_all_that_is_missing_is_told_with_how_many_and_why(
    goal: str, held: dict[str, int], near: dict[str, int], lacks: str
) -> None:
    plan = asked(goal, held, near)
    assert told(plan) == lacks
    assert all(f"{one.need - one.have} {one.item}" in plan.message for one in plan.missing)


def test_two_kinds_of_wood_are_had_before_more_is_missing() -> None:
    plan = asked("inventory.chest:2", {}, {"oak_log": 2, "birch_log": 2})
    (lack,) = missing(plan).values()
    assert lack[0] - lack[1] == 1


def test_from_nothing_at_all_raw_things_are_missing() -> None:
    plan = asked("inventory.wooden_pickaxe:1", near={})
    (wood,) = missing(plan)
    assert wood in ("oak_log", "birch_log")
    assert missing(plan)[wood] == (3, 0)


@pytest.mark.parametrize(
    ("goal", "held", "near", "nearest"),
    [
        ("inventory.diamond_pickaxe:1", {}, without("diamond_ore"), "inventory.iron_pickaxe:1"),
        ("inventory.iron_pickaxe:1", {}, without("iron_ore"), "inventory.stone_pickaxe:1"),
        ("equipment.iron_pickaxe:true", {}, without("iron_ore"), "equipment.stone_pickaxe:true"),
        ("inventory.iron_ingot:20", {}, RICH, "inventory.iron_ingot:12"),
        ("inventory.iron_ingot:+20", {"iron_ingot": 5}, RICH, "inventory.iron_ingot:+12"),
        ("inventory.birch_boat:1", {}, without("birch_log"), "inventory.oak_boat:1"),
        ("inventory.bow:2", {}, RICH, "inventory.stick:6"),
        ("inventory.iron_block:2", {}, RICH, "inventory.iron_block:1"),
        ("inventory.iron_block:1", {}, {**RICH, "iron_ore": 5}, "inventory.iron_ingot:5"),
        ("placed.torch:9", {}, without("coal_ore"), "inventory.stick:3"),
        ("inventory.bow:1 inventory.chest:1", {}, RICH, "inventory.chest:1 inventory.stick:3"),
        ("inventory.bow:1", {}, {}, None),
    ],
)
def test_the_nearest_possible_goal_is_named(
    goal: str, held: dict[str, int], near: dict[str, int], nearest: str | None
) -> None:
    plan = asked(goal, held, near)
    assert (plan.found, plan.nearest) == (False, nearest)
    assert nearest is None or nearest in plan.message


def test_a_malformed_goal_is_answered_with_its_name() -> None:
    plan = asked("inventory.stik:4")
    assert (plan.found, plan.goal, plan.missing) == (False, "inventory.stik:4", ())
    assert "stik" in plan.message


def test_a_goal_that_is_met_needs_nothing() -> None:
    plan = asked("inventory.stick:4", {"stick": 4})
    assert (plan.found, plan.steps, plan.cost_s, plan.optimal) == (True, (), 0.0, True)


def test_no_fuel_is_missing_where_what_is_left_over_burns_long_enough() -> None:
    plan = asked("inventory.iron_pickaxe:1", near={})
    lacks = {one.item: one.need - one.have for one in plan.missing}
    assert lacks == {"cobblestone": 8, "iron_ore": 3, "oak_log": 2}
    for item, count in lacks.items():
        assert not asked("inventory.iron_pickaxe:1", lacks | {item: count - 1}, {}).found


COUNTS = st.integers(1, 12)
GOALS = st.dictionaries(
    st.sampled_from(
        ["chest", "bow", "torch", "iron_pickaxe", "diamond_pickaxe", "iron_block", "stick"]
    ),
    st.integers(1, 9),
    min_size=1,
    max_size=2,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    GOALS,
    st.dictionaries(st.sampled_from(sorted(COUNTRY.items)), COUNTS, max_size=4),
    st.dictionaries(st.sampled_from(sorted(RICH)), COUNTS, max_size=4),
)
def test_holding_what_was_missing_makes_the_goal_possible(
    wanted: dict[str, int], held: dict[str, int], near: dict[str, int]
) -> None:
    goal = " ".join(f"inventory.{item}:{count}" for item, count in wanted.items())
    plan = asked(goal, held, near)
    if plan.found:
        return
    assert plan.missing
    assert all(one.need > one.have >= 0 and one.why for one in plan.missing)
    more = {one.item: held.get(one.item, 0) + one.need - one.have for one in plan.missing}
    assert asked(goal, held | more, near).found
    assert plan.nearest is None or asked(plan.nearest, held, near).found


def test_nothing_is_missing_that_is_not_needed() -> None:
    lists = [found for seed in range(80) if (found := random_list(random.Random(seed)))]
    assert len(lists) > 30
    for planner, goals, world, plan in lists:
        lacks = {one.item: one.need - one.have for one in plan.missing}
        assert planner.possible(goals, with_more(world, lacks)), plan.missing
        for item, count in lacks.items():
            fewer = with_more(world, {**lacks, item: count - 1})
            assert not planner.possible(goals, fewer), (item, plan.missing)


def random_list(
    dice: random.Random,
) -> tuple[Planner, tuple[ItemGoal, ...], PlanningWorld, Plan] | None:
    domain, world, goal = random_case(dice)
    planner = Planner(
        replace(domain, fuels={**domain.fuels, "coal": 32}, items=domain.items | {"coal"})
    )
    goals = tuple(ItemGoal(item, count) for item, count in goal.items())
    plan = planner.plan(goals, world)
    told = plan if plan.found else Explainer(planner).explain(goals, world, plan)
    return (planner, goals, world, told) if told.missing else None


def with_more(world: PlanningWorld, more: Mapping[str, int]) -> PlanningWorld:
    held = {item: world.inventory.get(item, 0) + count for item, count in more.items()}
    return replace(world, inventory={**world.inventory, **held})
