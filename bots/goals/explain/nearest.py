"""Finds the nearest possible goal: fewer, a lesser tool, another wood or colour, or the parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bots.goals.activity import Activity, PlanningWorld
from bots.goals.explain.prices import ItemPrices
from bots.goals.explain.shopping_list import buy, surely_possible
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
)
from bots.goals.planning.planner import Planner
from bots.goals.planning.problem import problem_of, wanted_of
from bots.goals.planning.reachability import reach
from bots.goals.planning.ways import Near, Thing

LET_OFF_PRICE = 400
"""Price of dropping one piece of a goal: more than any work costs."""
_TIERS = (
    *("netherite", "diamond", "iron", "copper", "stone"),
    *("chainmail", "golden", "wooden", "leather"),
)
_GEAR = re.compile(
    rf"({'|'.join(_TIERS)})_(pickaxe|axe|shovel|hoe|sword|helmet|chestplate|leggings|boots)"
)
_KINDS = (
    (
        *("oak", "spruce", "birch", "jungle", "acacia", "dark_oak"),
        *("mangrove", "cherry", "pale_oak", "bamboo", "crimson", "warped"),
    ),
    (
        *("white", "light_gray", "gray", "black", "brown", "red", "orange", "yellow"),
        *("lime", "green", "cyan", "light_blue", "blue", "purple", "magenta", "pink"),
    ),
)


def nearest_goals(
    planner: Planner,
    item_prices: ItemPrices,
    goals: tuple[Goal, ...],
    world: PlanningWorld,
) -> tuple[Goal, ...]:
    """Goals proven possible, in place of impossible ones; empty if there are none."""
    search = _Search(planner, item_prices, world)
    fewer = search.as_many_as_possible(goals)
    kept = {_counted(goal) for goal in fewer}
    lost = [goal for goal in goals if _counted(goal) not in kept]
    others = tuple(goal for one in lost for goal in search.instead_of(one))
    candidates = _candidates(search, fewer, others, goals)
    told = (some for some in candidates if not all(isinstance(goal, WithItem) for goal in some))
    return next((some for some in told if search.possible(some)), ())


def _candidates(
    search: _Search, fewer: tuple[Goal, ...], others: tuple[Goal, ...], goals: tuple[Goal, ...]
) -> Iterator[tuple[Goal, ...]]:
    """The most that may be possible first, single goals last."""
    yield from ((*fewer, *others), fewer, search.as_many_as_possible(others))
    for goal in (*others, *goals):
        yield search.as_many_as_possible((goal,))


class _Search:
    """Searches for possible goals in one world."""

    def __init__(self, planner: Planner, item_prices: ItemPrices, world: PlanningWorld) -> None:
        self._planner, self._item_prices, self._world = planner, item_prices, world
        self._proven: set[tuple[Goal, ...]] = set()

    def possible(self, goals: tuple[Goal, ...]) -> bool:
        if goals in self._proven:
            return True
        wanted = wanted_of(goals, self._world)
        return surely_possible(self._item_prices, wanted, self._world) or self._planner.possible(
            goals, self._world
        )

    def as_many_as_possible(self, goals: tuple[Goal, ...]) -> tuple[Goal, ...]:
        """Reduce the counts until all goals fit together; leave out those with nothing left."""
        wanted = wanted_of(goals, self._world)
        items = {_item(thing) for thing in wanted}
        if not any(thing in self._reachable(items) for thing in wanted):
            return ()
        bought = buy(
            self._item_prices, wanted, self._world, dict.fromkeys(sorted(items), LET_OFF_PRICE)
        )
        let_off = bought or {}
        if bought == {}:
            self._proven.add(goals)
        reduced = (_less(goal, let_off.get(_item(_counted(goal)), 0)) for goal in goals)
        return tuple(goal for goal in reduced if goal is not None)

    def instead_of(self, goal: Goal) -> tuple[Goal, ...]:
        """Goals similar to one that is impossible: a similar item, or the parts of a recipe."""
        item = _item(_counted(goal))
        candidates = [
            similar for similar in _similar_items(item) if similar in self._planner.domain.items
        ]
        had = self._reachable(candidates)
        similar = next((similar for similar in candidates if similar in had), None)
        if similar is not None:
            return (_of(goal, similar),)
        return self._parts(item, _count(goal))

    def _reachable(self, items: Iterable[str]) -> set[Thing]:
        wanted: dict[Thing, int] = dict.fromkeys(items, 1)
        return {*reach(problem_of(self._item_prices.catalogue, wanted, self._world)).things}

    def _parts(self, item: str, count: int) -> tuple[Goal, ...]:
        """Goals for those parts of the simplest recipe that are obtainable."""
        recipes = [a for a in self._planner.domain.making if item == a.target]
        simplest = min(
            (_simplest(a, count, self._item_prices) for a in recipes),
            key=lambda priced: priced[0],
            default=(0, {}),
        )
        had = self._reachable(simplest[1])
        return tuple(ItemGoal(part, some) for part, some in simplest[1].items() if part in had)


def _simplest(activity: Activity, count: int, prices: ItemPrices) -> tuple[int, dict[str, int]]:
    """Price and parts for `count` pieces, with the cheapest item of each pool."""
    times = -(-count // activity.produces[activity.target])
    parts = {item: times * some for item, some in activity.consumes.items()}
    for pool, some in activity.pools.items():
        cheapest = min(pool, key=lambda item: (prices.whole.get(item, 0), item[:4] != "oak_", item))
        parts[cheapest] = parts.get(cheapest, 0) + times * some
    return sum(prices.whole.get(item, 0) * some for item, some in parts.items()), parts


def _similar_items(item: str) -> list[str]:
    """Lesser gear of the same kind, best first; or the same item in other woods or colours."""
    gear = _GEAR.fullmatch(item)
    if gear:
        return [f"{tier}_{gear[2]}" for tier in _TIERS[_TIERS.index(gear[1]) + 1 :]]
    for kinds in _KINDS:
        kind = next((k for k in sorted(kinds, key=len)[::-1] if item.startswith(f"{k}_")), None)
        if kind is not None:
            return [item.replace(kind, other, 1) for other in kinds if other != kind]
    return []


def _counted(goal: Goal) -> Thing | None:
    """The item or block a goal counts; None for positions and what may be used."""
    match goal:
        case ItemGoal(item=item) | EquipmentGoal(item=item):
            return item
        case PlacedGoal(block=block) | PlacedAtGoal(block=block):
            return Near(block)
        case PositionGoal() | WithItem():
            return None


def _count(goal: Goal) -> int:
    return goal.count if isinstance(goal, ItemGoal | PlacedGoal) else 1


def _item(thing: Thing | None) -> str:
    return thing.block if isinstance(thing, Near) else thing or ""


def _less(goal: Goal, let_off: int) -> Goal | None:
    """The goal for fewer; None if nothing is left."""
    if not let_off or isinstance(goal, PositionGoal | WithItem):
        return goal
    if isinstance(goal, EquipmentGoal | PlacedAtGoal) or let_off >= goal.count:
        return None
    return replace(goal, count=goal.count - let_off)


def _of(goal: Goal, item: str) -> Goal:
    match goal:
        case EquipmentGoal():
            return EquipmentGoal(item)
        case PlacedGoal():
            return replace(goal.single, block=item)
        case PlacedAtGoal():
            return replace(goal, block=item)
        case _:
            return ItemGoal(item, 1)
