"""The nearest goal that is possible: fewer, a lesser tool, another wood or colour, the parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bots.goals.activity import Activity, PlanningWorld
from bots.goals.explain.item_prices import ItemPrices
from bots.goals.explain.prices import Prices
from bots.goals.explain.shopping_list import buy, surely_possible
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal, PlacedGoal, PositionGoal
from bots.goals.planning.planner import Planner, wanted_of
from bots.goals.planning.problem import problem_of
from bots.goals.planning.reachability import reach
from bots.goals.planning.ways import Near, Thing

GIFT = 400
"""For one piece of a goal that is let off: more than any work."""
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
    """Possible goals in place of impossible ones, surely planned; empty when there are none."""
    asking = _Asking(planner, item_prices, world)
    fewer = asking.as_many_as_possible(goals)
    kept = {_aim(goal) for goal in fewer}
    lost = [goal for goal in goals if _aim(goal) not in kept]
    others = tuple(goal for one in lost for goal in asking.instead_of(one))
    candidates = _candidates(asking, fewer, others, goals)
    return next((some for some in candidates if some and asking.possible(some)), ())


def _candidates(
    asking: _Asking, fewer: tuple[Goal, ...], others: tuple[Goal, ...], goals: tuple[Goal, ...]
) -> Iterator[tuple[Goal, ...]]:
    """As much as can be hoped for first; one goal alone last."""
    yield from ((*fewer, *others), fewer, asking.as_many_as_possible(others))
    for goal in (*others, *goals):
        yield asking.as_many_as_possible((goal,))


class _Asking:
    """Questions about one world."""

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
        """Each goal as far as it goes, together with the others; those that do not are left out."""
        wanted = wanted_of(goals, self._world)
        items = {_item(thing) for thing in wanted}
        if not any(thing in self._reachable(items) for thing in wanted):
            return ()
        bought = buy(self._item_prices, wanted, self._world, dict.fromkeys(sorted(items), GIFT))
        let_off = bought or {}
        if bought == {}:
            self._proven.add(goals)
        reduced = (_less(goal, let_off.get(_item(_aim(goal)), 0)) for goal in goals)
        return tuple(goal for goal in reduced if goal is not None)

    def instead_of(self, goal: Goal) -> tuple[Goal, ...]:
        """One goal, or some, near to one that cannot be had at all."""
        item = _item(_aim(goal))
        likes = [like for like in _likes(item) if like in self._planner.domain.items]
        had = self._reachable(likes)
        like = next((like for like in likes if like in had), None)
        if like is not None:
            return (_of(goal, like),)
        return self._parts(item, _count(goal))

    def _reachable(self, items: Iterable[str]) -> set[Thing]:
        wanted: dict[Thing, int] = dict.fromkeys(items, 1)
        return {*reach(problem_of(self._item_prices.catalogue, wanted, self._world)).things}

    def _parts(self, item: str, count: int) -> tuple[Goal, ...]:
        """What its simplest recipe takes, as far as any of it can be had."""
        recipes = [a for a in self._planner.domain.making if item == a.target]
        simplest = min(
            (_simplest(a, count, self._item_prices.prices) for a in recipes),
            key=lambda priced: priced[0],
            default=(0, {}),
        )
        had = self._reachable(simplest[1])
        return tuple(ItemGoal(part, some) for part, some in simplest[1].items() if part in had)


def _simplest(activity: Activity, count: int, prices: Prices) -> tuple[int, dict[str, int]]:
    """The price and parts for so many, of each choice the cheapest."""
    times = -(-count // activity.produces[activity.target])
    parts = {item: times * some for item, some in activity.consumes.items()}
    for pool, some in activity.pools.items():
        cheapest = min(pool, key=lambda item: (prices.whole.get(item, 0), item[:4] != "oak_", item))
        parts[cheapest] = parts.get(cheapest, 0) + times * some
    return sum(prices.whole.get(item, 0) * some for item, some in parts.items()), parts


def _likes(item: str) -> list[str]:
    """Lesser gear of the same kind, best first; the same in other woods or colours."""
    gear = _GEAR.fullmatch(item)
    if gear:
        return [f"{tier}_{gear[2]}" for tier in _TIERS[_TIERS.index(gear[1]) + 1 :]]
    for kinds in _KINDS:
        kind = next((k for k in sorted(kinds, key=len)[::-1] if item.startswith(f"{k}_")), None)
        if kind is not None:
            return [item.replace(kind, other, 1) for other in kinds if other != kind]
    return []


def _aim(goal: Goal) -> Thing | None:
    """What is counted; None for places."""
    match goal:
        case ItemGoal(item=item) | EquipmentGoal(item=item):
            return item
        case PlacedGoal(block=block):
            return Near(block)
        case PositionGoal():
            return None


def _count(goal: Goal) -> int:
    return goal.count if isinstance(goal, ItemGoal | PlacedGoal) else 1


def _item(thing: Thing | None) -> str:
    return thing.block if isinstance(thing, Near) else thing or ""


def _less(goal: Goal, let_off: int) -> Goal | None:
    """The goal for fewer; None when nothing is left of it."""
    if not let_off or isinstance(goal, PositionGoal):
        return goal
    if isinstance(goal, EquipmentGoal) or let_off >= goal.count:
        return None
    return replace(goal, count=goal.count - let_off)


def _of(goal: Goal, item: str) -> Goal:
    match goal:
        case EquipmentGoal():
            return EquipmentGoal(item)
        case PlacedGoal():
            return PlacedGoal(item, 1)
        case _:
            return ItemGoal(item, 1)
