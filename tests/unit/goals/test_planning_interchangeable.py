"""Interchangeable blocks: leaving one out costs nothing and never needs too many of the other."""

import dataclasses
import random
from collections import Counter

import pytest
from support.trying_everything import Search, Tired, random_case

from bots.goals.activity import Activity, Domain, PlanningWorld
from bots.goals.goal import ItemGoal
from bots.goals.planning.planner import Planner
from bots.goals.planning.problem import problem_of
from bots.goals.planning.reachability import helpful, reach
from bots.goals.planning.replay import replay
from bots.goals.planning.scopes import everything, without_interchangeable
from bots.goals.planning.ways import Catalogue, Near, Thing

pytestmark = pytest.mark.slow

WOODS = ("birch", "oak")


def log(wood: str, unit: int = 60, fixed: int = 100) -> Activity:
    return Activity("gather", f"{wood}_log", {f"{wood}_log": 1}, fixed_ticks=fixed, unit_ticks=unit)


def craft(target: str, count: int, **parts: int) -> Activity:
    return Activity("craft", target, {target: count}, parts, {}, None, None, 20, 4)


def woods(birch_unit: int = 60, birch_fixed: int = 100, **more: Activity) -> Domain:
    making = [craft(f"{wood}_planks", 4, **{f"{wood}_log": 1}) for wood in WOODS]
    pool = {tuple(f"{wood}_planks" for wood in WOODS): 2}
    making.append(Activity("craft", "stick", {"stick": 4}, {}, pool, None, None, 20, 4))
    items = frozenset({item for way in (*making, *more.values()) for item in way.produces})
    digging = {"birch_log": (log("birch", birch_unit, birch_fixed),), "oak_log": (log("oak"),)}
    return Domain("w", items, frozenset(digging), (*making, *more.values()), digging, {}, {}, {})


def kept(domain: Domain, held: dict[str, int], **goal: int) -> set[str]:
    wanted: dict[Thing, int] = dict(goal.items())
    world = PlanningWorld(held, {"birch_log": 3, "oak_log": 4})
    problem = problem_of(Catalogue(domain), wanted, world)
    reached = reach(problem)
    scope = helpful(problem, reached, everything(problem, reached))
    fewer, left = without_interchangeable(problem, reached, scope)
    assert sum(n for t, n in fewer.start.items() if isinstance(t, Near)) == 7
    return {way.activity.target for way in left.ways if way.activity.kind == "gather"}


def test_of_two_woods_that_are_alike_one_is_kept() -> None:
    assert len(kept(woods(), {}, stick=1)) == 1


def test_a_wood_that_is_wanted_or_held_is_kept() -> None:
    assert kept(woods(), {}, stick=4, birch_planks=1) == {"birch_log"}
    assert kept(woods(), {"oak_planks": 1}, stick=5) == {"oak_log"}


def test_of_two_woods_the_dearer_one_is_left_out() -> None:
    assert kept(woods(birch_unit=59), {}, stick=1) == {"birch_log"}
    assert kept(woods(birch_fixed=101), {}, stick=1) == {"oak_log"}
    assert kept(woods(birch_unit=61, birch_fixed=101), {}, stick=1) == {"oak_log"}


def test_woods_that_differ_are_both_kept() -> None:
    both = {"birch_log", "oak_log"}
    assert kept(woods(birch_unit=59, birch_fixed=101), {}, stick=1) == both
    bowl = craft("bowl", 1, oak_planks=1)
    chest = craft("chest", 1, bowl=1, birch_planks=1)
    assert kept(woods(bowl=bowl, chest=chest), {}, chest=1) == both


def test_a_wood_that_more_is_made_of_does_for_the_other() -> None:
    assert kept(woods(bowl=craft("bowl", 1, oak_planks=1)), {}, stick=1, bowl=1) == {"oak_log"}


def test_where_one_wood_is_too_little_both_are_dug() -> None:
    planner = Planner(woods())
    for sticks, dug in ((4 * 2 * 4, {4}), (4 * 2 * 7, {3, 4})):
        world = PlanningWorld({}, {"birch_log": 3, "oak_log": 4})
        plan = planner.plan((ItemGoal("stick", sticks),), world)
        assert (plan.found, plan.optimal) == (True, True)
        assert {step.count for step in plan.steps if step.action == "gather"} == dug
        replay(planner.domain, world, plan.steps)


def doubled(domain: Domain, block: str) -> Domain:
    """The same with one block twice, and with what it gives under two names."""
    names = {item: f"{item}2" for way in domain.digging[block] for item in way.produces}
    ways = tuple(
        dataclasses.replace(
            way, target=f"{block}2", produces={names[i]: n for i, n in way.produces.items()}
        )
        for way in domain.digging[block]
    )
    making = [renamed for way in domain.making for renamed in _both(way, names)]
    return dataclasses.replace(
        domain,
        items=domain.items | {*names.values()},
        blocks=domain.blocks | {f"{block}2"},
        making=tuple(making),
        digging={**domain.digging, f"{block}2": ways},
    )


def _both(way: Activity, names: dict[str, str]) -> tuple[Activity, ...]:
    pools = {
        tuple(sorted({*pool, *(names[i] for i in pool if i in names)})): n
        for pool, n in way.pools.items()
    }
    plain = dataclasses.replace(way, pools=pools)
    consumes = {names.get(item, item): n for item, n in way.consumes.items()}
    if consumes == way.consumes:
        return (plain,)
    return plain, dataclasses.replace(plain, consumes=consumes)


def check(seed: int) -> str:
    dice = random.Random(seed)
    domain, world, goal = random_case(dice)
    domain = doubled(domain, "log")
    near = {**world.nearby, "log": dice.randint(1, 2), "log2": dice.randint(1, 2)}
    world = PlanningWorld(world.inventory, near)
    try:
        least = Search(domain, world, 1_500).cost(goal)
    except Tired:
        return "tired"
    plan = Planner(domain).plan(tuple(ItemGoal(i, n) for i, n in goal.items()), world)
    assert plan.found == (least is not None), seed
    if least is None:
        return "impossible"
    replay(domain, world, plan.steps)
    ticks = round(plan.cost_s * 20)
    assert ticks == least if plan.optimal else ticks >= least, (seed, ticks, least)
    return "optimal" if plan.optimal else "found"


def test_with_a_block_under_two_names_least_cost_agrees_with_trying_everything() -> None:
    assert Counter(check(seed) for seed in range(7_000, 7_150))["optimal"] > 40
