"""Explains impossible goals: what is missing, how many, why, and the nearest possible goal.

Of what animals, liquids and chance give it says how it is had, and what work that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from bots.goals.activity import TICK_S, Activity, Domain, PlanningWorld
from bots.goals.domain.building import COLOURS
from bots.goals.explain.prices import (
    GIVEN,
    ItemPrices,
    ShoppingList,
    buy,
    item_prices_of,
    origin_of,
    shopping_list_of,
    surely_possible,
)
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
    plainly,
)
from bots.goals.plan import Missing, Plan
from bots.goals.planning.planner import Planner
from bots.goals.planning.problem import (
    problem_of,
    sparing,
    wanted_of,
    with_placed_stations_near,
    with_what_is_kept,
)
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
_WOODS = (
    *("oak", "spruce", "birch", "jungle", "acacia", "dark_oak"),
    *("mangrove", "cherry", "pale_oak", "bamboo", "crimson", "warped"),
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
        # Goals for those parts of the simplest recipe that are obtainable.
        count = goal.count if isinstance(goal, ItemGoal | PlacedGoal) else 1
        recipes = [a for a in self._planner.domain.making if item == a.target]
        simplest = min(
            (_simplest(a, count, self._item_prices) for a in recipes),
            key=lambda priced: priced[0],
            default=(0, {}),
        )
        had = self._reachable(simplest[1])
        return tuple(ItemGoal(part, some) for part, some in simplest[1].items() if part in had)

    def _reachable(self, items: Iterable[str]) -> set[Thing]:
        wanted: dict[Thing, int] = dict.fromkeys(items, 1)
        return {*reach(problem_of(self._item_prices.catalogue, wanted, self._world)).things}


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
    for kinds in (_WOODS, COLOURS):
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


BLOCKS_NAMED = 2
"""Blocks named as where a missing item can be dug."""


class Explainer:
    """Explains impossible goals of one version; builds its price list on first use."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def explain(self, goals: tuple[Goal, ...], world: PlanningWorld, plan: Plan) -> Plan:
        """Add the missing items, a sentence and the nearest possible goal to a plan."""
        allowing = self._allowing(goals, world)
        spared = sparing(self._planner.catalogue, goals, world)
        world = with_placed_stations_near(goals, spared)
        unplaceable = [
            Missing(
                goal.block,
                goal.count if isinstance(goal, PlacedGoal) else 1,
                0,
                "there is no item of this name to place",
            )
            for goal in goals
            if isinstance(goal, PlacedGoal | PlacedAtGoal)
            and goal.block not in self._planner.domain.items
        ]
        shopping = None if unplaceable else shopping_list_of(self._item_prices, goals, world)
        missing = (*unplaceable, *(self._missing(shopping, world) if shopping else ()))
        nearest = (*goals, *allowing)
        if not allowing:
            nearest = nearest_goals(self._planner, self._item_prices, goals, world)
        named = " ".join(map(str, nearest)) or None
        asked = plainly(goals)
        lacks = "; ".join(f"{m.need - m.have} {m.item} ({m.why})" for m in missing)
        because = f" It lacks {lacks}." if lacks else ""
        possible = f" Possible: {named}." if named else ""
        sentence = f"{asked[:1].upper()}{asked[1:]} is not possible here.{because}{possible}"
        return replace(plan, missing=missing, nearest=named, message=sentence)

    def _allowing(self, goals: tuple[Goal, ...], world: PlanningWorld) -> tuple[Goal, ...]:
        """The fewest words that would let the goals use what is kept; empty if that is no help."""
        words = with_what_is_kept(self._planner.catalogue, goals, world)
        if not words or not self._planner.possible((*goals, *words), world):
            return ()
        for word in words:
            fewer = tuple(other for other in words if other != word)
            if self._planner.possible((*goals, *fewer), world):
                words = fewer
        return words

    @cached_property
    def _item_prices(self) -> ItemPrices:
        return item_prices_of(self._planner.domain)

    def _missing(self, shopping: ShoppingList, world: PlanningWorld) -> Iterator[Missing]:
        raw = self._item_prices.raw
        for item in sorted(shopping.bought, key=lambda item: (-raw.get(item, 0), item)):
            have = shopping.to_be_had.get(item, 0)
            why = self._why(item, have, shopping, world)
            yield Missing(item, have + shopping.bought[item], have, why)

    def _why(self, item: str, have: int, shopping: ShoppingList, world: PlanningWorld) -> str:
        if have:
            return f"there is no more than {have} here"
        if item in shopping.blocked:
            block, tool = shopping.blocked[item]
            return f"{block} gives it only to a {tool} or better"
        by_foraging = foraged(item, self._planner.domain, world)
        if by_foraging is not None:
            return by_foraging
        if self._item_prices.raw.get(item, 0) >= GIVEN:
            return f"none is held, and {origin_of(item)}"
        # Up to two blocks that drop the item, the likeliest first.
        giving = {
            block
            for block, ways in self._planner.domain.digging.items()
            if any(item in way.produces for way in ways)
        }
        likely = sorted(
            giving, key=lambda block: (not block.endswith("_ore"), block != item, block)
        )
        blocks = " or ".join(likely[:BLOCKS_NAMED]) or item
        return f"none is held, and no {blocks} is near"


def foraged(item: str, domain: Domain, world: PlanningWorld) -> str | None:
    """A clause such as `1 per cow, about 5 s; no cow is near`, of the least work for it: with what
    is at hand, else without a tool, where that will do."""
    known = (way for found in domain.foraging.values() for way in found if item in way.produces)
    looked_for = [way for way in known if way.kind != "pick_up"]
    if not looked_for:
        return None

    def worth(way: Activity) -> tuple[bool, float]:
        lacks_tool = way.tool is not None and not world.inventory.get(way.tool)
        return lacks_tool, (way.waiting_ticks + way.unit_ticks) / way.produces[item]

    best = min(looked_for, key=worth)
    near = world.nearby.get(best.target, 0)
    within = "near" if world.sight is None else f"within {world.sight} blocks"
    if near and near >= best.uses:
        there = f"no {_held(best)} is at hand"
    elif near:
        there = f"only {near} {within}"
    else:
        there = f"no {best.target} {'is ' if world.sight is None else ''}{within}"
    return f"{_yield_of(best, item)}; {there}"


def _yield_of(way: Activity, item: str) -> str:
    of = way.target if way.uses <= 1 else f"{way.uses} {way.target}"
    if way.kind == "grow":
        return f"sown with a {way.tool} and reaped after some {_minutes(way.waiting_ticks)} min"
    if way.kind == "fish":
        return f"fished with a {way.tool}, about {round(way.unit_ticks * TICK_S)} s for one"
    if way.kind == "await":
        return f"{way.produces[item]} per {way.target} in some {_minutes(way.unit_ticks)} min"
    held = _held(way)
    tool = f" with {held}" if held else ""
    return f"{way.produces[item]} per {of}{tool}, about {round(way.unit_ticks * TICK_S)} s"


def _minutes(ticks: int) -> int:
    return round(ticks * TICK_S / 60)


def _held(way: Activity) -> str | None:
    """The tool, or the bucket."""
    return way.tool or next(iter(way.consumes), None)
