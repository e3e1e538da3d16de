"""The parts of the solver, each compared with trying everything."""

import math
import random
from itertools import count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.trying_everything import Search, Tired, random_case

from bots.goals.activity import Activity, Domain, PlanningWorld
from bots.goals.planning.branch_and_bound import Limits, Model, solved
from bots.goals.planning.order import joined
from bots.goals.planning.problem import Problem, problem_of
from bots.goals.planning.reachability import reach
from bots.goals.planning.scopes import everything
from bots.goals.planning.solving import go_everywhere
from bots.goals.planning.ways import Catalogue, Firing, Thing

ROWS = st.lists(
    st.tuples(st.booleans(), st.integers(-6, 8), st.lists(st.integers(-4, 4), min_size=4)),
    max_size=5,
)
COSTS = st.lists(st.integers(0, 9), min_size=4, max_size=4)
UPPERS = st.lists(st.sampled_from([1, 1, 2, 4]), min_size=4, max_size=4)


def model_of(costs: list[int], uppers: list[int], rows: list[tuple[bool, int, list[int]]]) -> Model:
    model = Model()
    for cost, upper in zip(costs, uppers, strict=True):
        model.column(upper, cost)
    for least, limit, terms in rows:
        row = {j: float(n) for j, n in enumerate(terms[:4]) if n}
        (model.at_least if least else model.at_most)(limit, row)
    return model


def fits(model: Model, values: tuple[int, ...]) -> bool:
    sums = [(low, sum(n * values[j] for j, n in row.items()), up) for low, up, row in model.rows]
    return all(low <= told <= up for low, told, up in sums)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(COSTS, UPPERS, ROWS)
def test_the_least_cost_of_a_program_is_that_of_trying_all_numbers(
    costs: list[int], uppers: list[int], rows: list[tuple[bool, int, list[int]]]
) -> None:
    model = model_of(costs, uppers, rows)
    tried = [v for v in product(*(range(u + 1) for u in uppers)) if fits(model, v)]
    bills = [sum(c * n for c, n in zip(costs, v, strict=True)) for v in tried]
    outcome = solved(model, Limits())
    assert outcome.status == ("optimal" if bills else "infeasible")
    if outcome.values is not None:
        assert fits(model, outcome.values)
        assert sum(c * n for c, n in zip(costs, outcome.values, strict=True)) == min(bills)


def test_a_limit_is_told_as_such() -> None:
    model = model_of([3, 5, 7, 2], [4, 4, 4, 4], [(True, 7, [2, 3, 4, 1])])
    assert solved(model, Limits(work=0)).status == "stopped"
    assert solved(model, Limits(left_s=lambda: -1.0)).status == "stopped"


def test_only_what_is_cheaper_than_the_known_is_of_interest() -> None:
    model = model_of([3, 5, 7, 2], [4, 4, 4, 4], [(True, 7, [2, 3, 4, 1])])
    best = solved(model, Limits())
    assert best.values is not None
    model.known = sum(c * n for c, n in zip(model.cost, best.values, strict=True)) - 0.5
    assert solved(model, Limits()).status == "infeasible"


def asked(domain: Domain, world: PlanningWorld, goal: dict[str, int]) -> Problem:
    wanted: dict[Thing, int] = dict(goal.items())
    return problem_of(Catalogue(domain), wanted, world)


def told(problem: Problem, most: int, looks: float = math.inf) -> object:
    """What is found until the clock was looked at so often."""
    looked = count()
    scope = everything(problem, reach(problem))
    return go_everywhere(problem, scope, most, lambda: next(looked) >= looks)


@pytest.mark.slow
def test_going_everywhere_agrees_with_trying_everything() -> None:
    for seed in range(8_000, 8_060):
        domain, world, goal = random_case(random.Random(seed))
        problem = asked(domain, world, goal)
        try:
            least = Search(domain, world, 1_500).cost(goal)
        except Tired:
            continue
        answer = told(problem, 150)
        assert answer == "open" or (answer == "none") == (least is None), seed


def growing(**more: int) -> Domain:
    seed = Activity("craft", "seed", {"seed": 2}, {"seed": 1})
    cake = Activity("craft", "cake", {"cake": 1}, {"seed": 1_000, **more})
    items = frozenset({"seed", "cake", "egg"})
    return Domain("g", items, frozenset(), (seed, cake), {}, {}, {}, {})


def test_what_grows_without_end_is_known_to_be_enough() -> None:
    problem = asked(growing(), PlanningWorld({"seed": 1}, {}), {"cake": 1})
    assert told(problem, 50) == "some"


def test_what_grows_without_end_does_not_keep_it_from_an_end() -> None:
    domain = growing(egg=2)
    problem = asked(domain, PlanningWorld({"seed": 1, "egg": 1}, {}), {"cake": 1})
    assert told(problem, 50) == "none"


def test_going_everywhere_ends_when_it_is_late() -> None:
    problem = asked(growing(egg=2), PlanningWorld({"seed": 1, "egg": 1}, {}), {"cake": 1})
    assert told(problem, 50, looks=0) == "open"


def test_pieces_of_one_way_are_joined_where_the_order_allows_it() -> None:
    planks, table, sticks = Catalogue(
        Domain(
            "b",
            frozenset(),
            frozenset(),
            (
                Activity("craft", "planks", {"planks": 4}, {"log": 1}),
                Activity("craft", "table", {"table": 1}, {"planks": 4}),
                Activity("craft", "log", {"log": 1}, {"table": 1}),
            ),
            {},
            {},
            {},
            {},
        )
    ).ways
    order = [Firing(way, 1, {}) for way in (planks, table, planks)]
    assert [(f.way, f.count) for f in joined(order, {"log": 2}, {})] == [(planks, 2), (table, 1)]
    order = [Firing(way, 1, {}) for way in (planks, table, sticks, planks)]
    assert len(joined(order, {"log": 1}, {})) == 4
