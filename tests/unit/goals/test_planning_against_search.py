"""On small random domains the planner agrees with an exhaustive search."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from support.trying_everything import Search, Tired, at_random_places, random_case

from bots.goals.activity import Domain, PlanningWorld
from bots.goals.goal import ItemGoal
from bots.goals.plan import Step
from bots.goals.planning import solving
from bots.goals.planning.planner import UNDECIDED, Planner
from bots.goals.planning.replay import ReplayError, replay

pytestmark = pytest.mark.slow


def check(seed: int, limit: int = 3_000, *, is_placed: bool = False) -> str:
    dice = random.Random(seed)
    domain, world, goal = random_case(dice)
    world = at_random_places(dice, world) if is_placed else world
    goals = tuple(ItemGoal(item, count) for item, count in goal.items())
    try:
        least = Search(domain, world, limit).cost(goal)
    except Tired:
        return "tired"
    planner = Planner(domain)
    plan = planner.plan(goals, world, proof=True)
    assert plan.found == (least is not None), (seed, least, plan)
    quick = planner.plan(goals, world)
    assert quick.found == plan.found
    assert quick.cost_s == plan.cost_s or not quick.optimal
    if least is None:
        return "impossible"
    ticks = round(plan.cost_s * 20)
    assert ticks >= least, (seed, ticks, least)
    after = replay(domain, world, plan.steps)
    assert all(after.inventory.get(item, 0) >= n for item, n in goal.items())
    if plan.optimal:
        assert ticks == least, (seed, ticks, least)
    return "met" if least == 0 else "optimal" if plan.optimal else "found"


@pytest.mark.parametrize("first", range(0, 160, 20))
def test_cost_and_possibility_agree_with_trying_everything(first: int) -> None:
    assert {check(seed, 1_500) for seed in range(first, first + 20)} >= {"impossible"}


@pytest.mark.parametrize("first", range(5_000, 5_200, 20))
def test_what_is_proven_agrees_with_trying_everything_wherever_blocks_are(first: int) -> None:
    told = Counter(check(seed, 1_500, is_placed=True) for seed in range(first, first + 20))
    assert told["found"] <= 1, told


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_cost_and_possibility_agree_in_very_many_domains() -> None:
    told = Counter(check(seed) for seed in range(1_000, 1_600))
    assert (told["optimal"] > 100, told["impossible"] > 200, told["found"] < 10) == (True,) * 3


def test_what_the_usual_work_leaves_open_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "FIRST_WORK", 2_000)
    monkeypatch.setattr(solving, "PLACES", 1)
    for seed in (*range(4_000, 4_060), 230, 382):
        domain, world, goal = random_case(random.Random(seed))
        goals = tuple(ItemGoal(item, count) for item, count in goal.items())
        plan = Planner(domain).plan(goals, world)
        assert plan.message != UNDECIDED, seed
        try:
            least = Search(domain, world, 1_500).cost(goal)
        except Tired:
            continue
        assert plan.found == (least is not None), seed


def test_every_plan_of_a_random_domain_needs_all_its_steps() -> None:
    for seed in range(2_000, 2_150):
        domain, world, goal = random_case(random.Random(seed))
        goals = tuple(ItemGoal(item, count) for item, count in goal.items())
        steps = Planner(domain).plan(goals, world, proof=True).steps
        for left_out in range(len(steps)):
            rest = (*steps[:left_out], *steps[left_out + 1 :])
            assert not reaches(domain, world, rest, goal), (seed, left_out)


def reaches(
    domain: Domain, world: PlanningWorld, steps: Sequence[Step], goal: Mapping[str, int]
) -> bool:
    try:
        held = replay(domain, world, steps).inventory
    except ReplayError:
        return False
    return all(held.get(item, 0) >= n for item, n in goal.items())


def test_more_held_never_costs_more() -> None:
    for seed in range(3_000, 3_150):
        dice = random.Random(seed)
        domain, world, goal = random_case(dice)
        goals = tuple(ItemGoal(item, count) for item, count in goal.items())
        plan = Planner(domain).plan(goals, world, proof=True)
        item = dice.choice(sorted(domain.items))
        held = {**world.inventory, item: world.inventory.get(item, 0) + 1}
        richer = Planner(domain).plan(goals, PlanningWorld(held, world.nearby), proof=True)
        assert richer.found or not plan.found, seed
        if plan.optimal and richer.optimal:
            assert richer.cost_s <= plan.cost_s, seed
