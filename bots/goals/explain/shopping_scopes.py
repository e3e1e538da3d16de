"""Selects the ways a shopping list considers, few enough to solve in milliseconds."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bots.goals.activity import is_somewhere
from bots.goals.explain.item_prices import ItemPrices
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope
from bots.goals.planning.scopes import core, everything
from bots.goals.planning.ways import Thing, Way

FUEL = "coal"
"""The fuel to fetch if there is none."""
MAKES = 3
"""Ways to make an item that are considered, besides all blocks that drop it."""
FUELS = 6
"""Kinds of fuel from here that are considered."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Ways that may be used, and the things they take, which may be for sale."""

    scope: Scope
    things: frozenset[Thing]


def simplest(item_prices: ItemPrices, problem: Problem, reached: Reach, bare: Reach) -> Offer:
    """The cheapest chain from what is here, and ways to get more where that is too little."""
    chain = core(problem, reached, everything(problem, reached))
    held = {fuel for fuel in problem.fuels if fuel in problem.start}
    fuels = {*held, FUEL, *_cheapest_fuels(problem, bare, 1)}
    cheapest = _Sources(item_prices, reached, bare, 1)
    cheapest.follow_ways(chain.ways)
    cheapest.follow([*problem.lacks(), *fuels])
    return cheapest.offer(problem, chain, fuels)


def with_sources(item_prices: ItemPrices, problem: Problem, offer: Offer, bare: Reach) -> Offer:
    """Add, for all that is here, every way to dig it and the first ways to make it."""
    here = _Sources(item_prices, bare, bare, MAKES)
    fuels = {*offer.scope.fuels, *_cheapest_fuels(problem, bare, FUELS)}
    here.follow([*problem.lacks(), *fuels, *offer.things])
    more = here.offer(problem, offer.scope, fuels)
    return Offer(more.scope, more.things | offer.things)


def _cheapest_fuels(problem: Problem, bare: Reach, count: int) -> list[str]:
    here = [fuel for fuel in problem.fuels if fuel in bare.things]
    return sorted(here, key=lambda fuel: (bare.things[fuel], fuel))[:count]


class _Sources:
    """Collects all ways to dig and the cheapest ways to make what leads to a goal."""

    def __init__(self, item_prices: ItemPrices, reached: Reach, bare: Reach, makes: int) -> None:
        self._item_prices, self._reached, self._bare, self._makes = (
            item_prices,
            reached,
            bare,
            makes,
        )
        self._makers: dict[Thing, list[Way]] = {}
        for way in sorted(reached.ways, key=lambda way: (item_prices.ranks.get(way, 0), way.index)):
            for thing in way.gives:
                self._makers.setdefault(thing, []).append(way)
        self._seen: set[Thing] = set()
        self._kept: set[int] = set()

    def follow(self, things: Iterable[Thing]) -> None:
        stack = [*things]
        while stack:
            thing = stack.pop()
            if thing not in self._seen and thing in self._reached.things:
                self._seen.add(thing)
                stack.extend(self._needed(self._ways_to(thing)))

    def follow_ways(self, ways: Iterable[Way]) -> None:
        self.follow(self._needed(ways))

    def offer(self, problem: Problem, besides: Scope, fuels: AbstractSet[str]) -> Offer:
        kept = self._kept | {way.index for way in besides.ways}
        ways = tuple(way for way in problem.ways if way.index in kept)
        burning = fuels | {fuel for fuel in problem.fuels if fuel in self._seen}
        return Offer(Scope(ways, tuple(sorted(burning))), frozenset(self._seen))

    def _needed(self, ways: Iterable[Way]) -> list[Thing]:
        taken = [*ways]
        self._kept |= {way.index for way in taken}
        here = self._bare.things
        return [
            t for way in taken for group in way.needs for t in self._item_prices.meant(group, here)
        ]

    def _ways_to(self, thing: Thing) -> list[Way]:
        kinds: dict[str, list[Way]] = {}
        for way in self._makers.get(thing, ()):
            kind = way.activity.target if is_somewhere(way.activity) else ""
            kinds.setdefault(kind, []).append(way)
        return [way for kind, ways in kinds.items() for way in ways[: 1 if kind else self._makes]]
