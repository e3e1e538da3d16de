"""What would have to be fetched to make an impossible goal possible: as little as can be.

The planner's own program with raw things for sale, at prices above any work: what is there is used
first, and holding what was bought surely makes the goal possible, since the order is proven too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bots.goals.activity import PlanningWorld
from bots.goals.explain.item_prices import ItemPrices
from bots.goals.explain.prices import DUG, FINE, Prices
from bots.goals.explain.shopping_scopes import FUEL, Offer, simplest, with_sources
from bots.goals.goal import Goal
from bots.goals.planning.model import Limits
from bots.goals.planning.planner import wanted_of
from bots.goals.planning.problem import Problem, problem_of
from bots.goals.planning.reachability import Reach, reach
from bots.goals.planning.scopes import everything
from bots.goals.planning.solving import least_cost
from bots.goals.planning.ways import Thing, Way

TOO_FEW = DUG - 2
"""For one more of what can be dug here: cheaper than what is not there at all."""
GAP = 0.5
"""Below the cheapest piece, so that no piece is bought in vain; steps do not matter."""
LIMITS = Limits(work=300_000, gap=GAP)
FAR = Limits(work=2_000_000, gap=5 * DUG)
"""Where none comes out of that: a list need not be the very smallest."""


@dataclass(frozen=True, slots=True)
class ShoppingList:
    """What to buy, and what there is anyway."""

    bought: Mapping[str, int]
    to_be_had: Mapping[str, int]
    """Held, or surely dug out of what is near."""
    blocked: Mapping[str, tuple[str, str]]
    """What lies near in a block that no tool to be had gets it out of: that block and a tool."""


def shopping_list_of(
    item_prices: ItemPrices, goals: tuple[Goal, ...], world: PlanningWorld
) -> ShoppingList | None:
    """The smallest list found; None when not even buying helps, or nothing need be bought."""
    wanted = wanted_of(goals, world)
    bare = problem_of(item_prices.catalogue, wanted, world)
    reached = reach(bare)
    blocked = _blocked(bare, reached)
    for_sale = _for_sale(bare, reached, item_prices.prices, blocked)
    bought = buy(item_prices, wanted, world, for_sale)
    if not bought:
        return None
    needed = _without_needless(item_prices, wanted, world, bought)
    return ShoppingList(needed, _to_be_had(bare, reached), blocked)


def _without_needless(
    item_prices: ItemPrices,
    wanted: Mapping[Thing, int],
    world: PlanningWorld,
    bought: Mapping[str, int],
) -> dict[str, int]:
    """Put back what is not needed when all ways are thought of, the dearest first."""
    kept = dict(bought)
    for item in sorted(kept, key=lambda item: (-item_prices.prices.raw.get(item, 0), item)):
        least, tried = 0, kept[item] - 1  # mostly nothing is needless
        while least < kept[item]:
            if _is_enough(item_prices, wanted, world, {**kept, item: tried}):
                kept[item] = tried
            else:
                least = tried + 1
            tried = (least + kept[item]) // 2
    return {item: count for item, count in kept.items() if count}


def _is_enough(
    item_prices: ItemPrices,
    wanted: Mapping[Thing, int],
    world: PlanningWorld,
    bought: Mapping[str, int],
) -> bool:
    """Whether some plan is found with what was bought."""
    held = dict(world.inventory)
    for item, count in bought.items():
        held[item] = held.get(item, 0) + count
    problem = problem_of(item_prices.catalogue, wanted, replace(world, inventory=held))
    reached = reach(problem)
    if any(thing not in reached.things for thing in problem.lacks()):
        return False
    scope = everything(problem, reached)
    return problem.met() or least_cost(problem, reached, scope, None, FAR).firings is not None


def buy(
    item_prices: ItemPrices,
    wanted: Mapping[Thing, int],
    world: PlanningWorld,
    for_sale: Mapping[str, int],
) -> Mapping[str, int] | None:
    """How many of each to buy at these prices; None when it does not help."""
    problem = problem_of(item_prices.catalogue, wanted, world, for_sale)
    reached = reach(problem)
    if any(thing not in reached.things for thing in problem.lacks()):
        return None
    bare = reach(problem_of(item_prices.catalogue, wanted, world))
    offer = simplest(item_prices, problem, reached, bare)
    strange = {item: price for item, price in for_sale.items() if item not in bare.things}
    # Nothing but what is not here at all: mostly enough, and quick.
    bought = _bought(problem, reached, offer, strange)
    if bought is not None and not (FUEL in bought and _burns(bare, problem.catalogue.fuels)):
        return bought
    whole = with_sources(item_prices, problem, offer, bare)
    tries = ((whole, LIMITS), (offer, LIMITS), (offer, FAR))
    found = (_bought(problem, reached, some, for_sale, limits) for some, limits in tries)
    return next((bought for bought in found if bought is not None), None)


def _burns(bare: Reach, fuels: Iterable[str]) -> bool:
    return any(fuel in bare.things for fuel in fuels)


def surely_possible(
    item_prices: ItemPrices, wanted: Mapping[Thing, int], world: PlanningWorld
) -> bool:
    """Whether the simplest way leads there; false leaves it open."""
    problem = problem_of(item_prices.catalogue, wanted, world)
    reached = reach(problem)
    if any(thing not in reached.things for thing in problem.lacks()):
        return False
    offer = simplest(item_prices, problem, reached, reached)
    return problem.met() or _bought(problem, reached, offer, {}) is not None


def _bought(
    problem: Problem,
    reached: Reach,
    offer: Offer,
    sale: Mapping[str, int],
    limits: Limits = LIMITS,
) -> dict[str, int] | None:
    prices = {item: price for item, price in sale.items() if item in offer.things}
    few = replace(problem, prices=prices)
    answer = least_cost(few, reached, offer.scope, None, limits)
    if answer.columns is None or answer.firings is None:
        return None
    return answer.columns.bought(answer.counts)


def _for_sale(
    problem: Problem, reached: Reach, prices: Prices, blocked: Mapping[str, tuple[str, str]]
) -> dict[str, int]:
    """The raw things that could lead to the goal, in order of names."""
    led = {thing for way in problem.ways for group in way.needs for thing in group}
    raw = sorted(i for i in {*led, *problem.lacks()} if isinstance(i, str) and i in prices.raw)
    fuels = [FUEL] if any(way.burns for way in problem.ways) else []
    sale: dict[str, int] = {}
    for item in dict.fromkeys([*raw, *fuels]):
        price = prices.raw.get(item, DUG)
        if item in reached.things:
            price = TOO_FEW
        elif item in blocked:  # rather its tool, if that is all there is to it
            price = DUG + prices.whole.get(blocked[item][1], 0) // FINE
        sale[item] = price
    return sale


def _blocked(problem: Problem, reached: Reach) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for way in problem.ways:
        digs = way.activity.kind == "gather" and way.activity.tool
        if digs and way not in reached.ways:
            for item in way.activity.produces:
                if item not in reached.things:
                    found.setdefault(item, (way.activity.target, way.activity.tool or ""))
    return found


def _to_be_had(problem: Problem, reached: Reach) -> dict[str, int]:
    had = {item: n for item, n in problem.start.items() if isinstance(item, str)}
    for item, count in _dug(problem, (w for w in problem.ways if w in reached.ways)):
        had[item] = had.get(item, 0) + count
    return had


def _dug(problem: Problem, ways: Iterable[Way]) -> Iterable[tuple[str, int]]:
    """What all blocks of each kind give, dug in the first way that can be."""
    best: dict[tuple[str, str], int] = {}
    for way in ways:
        if way.activity.kind == "gather":
            block = way.activity.target
            there = next((n for t, n in way.takes.items() if not isinstance(t, str)), 1)
            near = sum(problem.start.get(t, 0) for t in way.takes if not isinstance(t, str))
            for item, count in way.activity.produces.items():
                best.setdefault((block, item), near // there * count)
    return ((item, count) for (_, item), count in best.items())
