"""Explains impossible goals: what is missing, how many, why, and the nearest possible goal.

Of what animals, liquids and chance give it says how it is had, and what work that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from bots.goals.activity import TICK_S, Activity, Domain, PlanningWorld
from bots.goals.explain.nearest import nearest_goals
from bots.goals.explain.prices import GIVEN, ItemPrices, item_prices_of, origin_of
from bots.goals.explain.shopping_list import ShoppingList, shopping_list_of
from bots.goals.goal import Goal, PlacedAtGoal, PlacedGoal, plainly
from bots.goals.plan import Missing, Plan
from bots.goals.planning.planner import Planner
from bots.goals.planning.problem import sparing, with_placed_stations_near, with_what_is_kept

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
        unplaceable = list(_unplaceable(goals, self._planner.domain))
        shopping = None if unplaceable else shopping_list_of(self._item_prices, goals, world)
        missing = (*unplaceable, *(self._missing(shopping, world) if shopping else ()))
        nearest = (*goals, *allowing)
        if not allowing:
            nearest = nearest_goals(self._planner, self._item_prices, goals, world)
        named = " ".join(map(str, nearest)) or None
        sentence = _sentence(goals, missing, named)
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
        return f"none is held, and no {_blocks(item, self._planner.domain)} is near"


def _blocks(item: str, domain: Domain) -> str:
    """Up to two blocks that drop the item, the likeliest first."""
    giving = {
        block for block, ways in domain.digging.items() if any(item in way.produces for way in ways)
    }
    likely = sorted(giving, key=lambda block: (not block.endswith("_ore"), block != item, block))
    return " or ".join(likely[:BLOCKS_NAMED]) or item


def _unplaceable(goals: tuple[Goal, ...], domain: Domain) -> Iterator[Missing]:
    for goal in goals:
        if isinstance(goal, PlacedGoal | PlacedAtGoal) and goal.block not in domain.items:
            count = goal.count if isinstance(goal, PlacedGoal) else 1
            yield Missing(goal.block, count, 0, "there is no item of this name to place")


def _sentence(goals: tuple[Goal, ...], missing: tuple[Missing, ...], nearest: str | None) -> str:
    asked = plainly(goals)
    lacks = "; ".join(f"{m.need - m.have} {m.item} ({m.why})" for m in missing)
    because = f" It lacks {lacks}." if lacks else ""
    possible = f" Possible: {nearest}." if nearest else ""
    return f"{asked[:1].upper()}{asked[1:]} is not possible here.{because}{possible}"


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
    return f"{_yield_of(best, item)}; {_there(best, world)}"


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


def _there(way: Activity, world: PlanningWorld) -> str:
    near = world.nearby.get(way.target, 0)
    within = "near" if world.sight is None else f"within {world.sight} blocks"
    if near and near >= way.uses:
        return f"no {_held(way)} is at hand"
    verb = "" if world.sight is not None else "is "
    return f"only {near} {within}" if near else f"no {way.target} {verb}{within}"
