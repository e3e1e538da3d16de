"""Scopes: which ways a stage considers. The cheapest chain, the lean set, or everything.

A plan from a smaller scope bounds the cost of the next one, and is usually the best already.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import replace

from bots.goals.activity import STATIONS
from bots.goals.planning.fuels import usual_fuels, without_vain_fuels
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful
from bots.goals.planning.ways import HEAT, Near, Thing, Way

MIXTURES = 2
"""How many items of a pool the lean set considers, besides those held."""
FUELS = 6
"""How many fuels the lean set considers, besides those held."""


def everything(problem: Problem, reached: Reach) -> Scope:
    """Everything that could make a plan possible or cheaper."""
    ways = tuple(way for way in problem.ways if way in reached.ways)
    fuels = tuple(fuel for fuel in problem.fuels if fuel in reached.things)
    return without_vain_fuels(problem, reached, Scope(ways, fuels))


def lean(problem: Problem, reached: Reach, whole: Scope) -> Scope:
    """Plain digging, with few fuels and few items of every pool."""
    plain = plainly(problem, reached, whole)
    mixed = _usual_mixtures(problem, reached, plain)
    return usual_fuels(problem, reached, Scope(plain.ways, plain.fuels, mixed), FUELS)


def plainly(problem: Problem, reached: Reach, whole: Scope) -> Scope:
    """Dig only by hand, with tools held, with the lowest tool that works, or with the one that is
    quickest to get."""
    ranks = {tool: n for n, tool in enumerate(problem.catalogue.domain.tool_order)}
    lowest: dict[object, tuple[int, str]] = {}
    nearest: dict[object, tuple[int, int, str]] = {}
    for way in whole.ways:
        if way.activity.kind == "gather":
            kind, tool = _digging(way), way.activity.tool or ""
            rank = ranks.get(tool, -1)
            lowest[kind] = min(lowest.get(kind, (rank, tool)), (rank, tool))
            near = (reached.ways[way], rank, tool)
            nearest[kind] = min(nearest.get(kind, near), near)
    kept = tuple(
        way
        for way in whole.ways
        if way.activity.kind != "gather"
        or not way.activity.tool
        or way.activity.tool in problem.start
        or way.activity.tool in (lowest[_digging(way)][1], nearest[_digging(way)][2])
    )
    return replace(whole, ways=kept)


def by_hand(problem: Problem, reached: Reach, whole: Scope) -> Scope:
    """Dig by hand whatever the hand can get. It costs more but makes nothing impossible."""
    gets = {_digging(w) for w in whole.ways if w.activity.kind == "gather" and not w.activity.tool}
    ways = tuple(
        way
        for way in whole.ways
        if way.activity.kind != "gather" or not way.activity.tool or _digging(way) not in gets
    )
    return helpful(problem, reached, replace(whole, ways=ways))


def _usual_mixtures(problem: Problem, reached: Reach, scope: Scope) -> frozenset[str]:
    """For each pool, the items held and the few that are cheapest to get."""
    held = {item for item in problem.start if isinstance(item, str)} | {*problem.prices}
    mixed = {*held}
    for pool in {pool for way in scope.ways for pool in way.pools}:
        had = [t for t in scope.meant(pool) if t in reached.things and t not in held]
        mixed.update(sorted(map(str, had), key=lambda t: (reached.things[t], t))[:MIXTURES])
    return frozenset(mixed)


def calm(scope: Scope) -> Scope:
    """Burn no tools or stations, and dig up no station.

    Counts of such ways nearly always have an order, so this finds a plan where others go in
    circles.
    """
    lasting = {thing for way in scope.ways for thing in way.catalysts}
    lasting |= {thing.block for thing in lasting if isinstance(thing, Near)}
    ways = tuple(
        way
        for way in scope.ways
        if way.activity.kind != "gather" or way.activity.target not in STATIONS
    )
    fuels = tuple(fuel for fuel in scope.fuels if fuel not in lasting)
    return Scope(ways, fuels, scope.mixed)


def _digging(way: Way) -> object:
    return way.activity.target, tuple(sorted(way.activity.produces.items()))


def core(problem: Problem, reached: Reach, among: Scope) -> Scope:
    """For each thing, only the way that makes it cheapest when nothing is shared."""
    prices = _Prices(problem, reached, among)
    prices.spread()
    kept: set[Way] = set()
    fuels: set[str] = {fuel for fuel in among.fuels if fuel in problem.start}
    stack: list[Thing] = problem.lacks()
    seen: set[Thing] = set(stack)
    while stack:
        way = prices.by.get(stack.pop())
        if way is None or way in kept:
            continue
        kept.add(way)
        for group in way.needs:
            meant = prices.cheapest(among.meant(group))
            if HEAT in group and isinstance(meant, str):
                fuels.add(meant)
            if meant is not None and meant not in seen:
                seen.add(meant)
                stack.append(meant)
    ways = tuple(way for way in among.ways if way in kept)
    return Scope(ways, tuple(fuel for fuel in among.fuels if fuel in fuels), among.mixed)


class _Prices:
    """The cost of one of each thing when nothing is shared: Dijkstra over sums of costs."""

    def __init__(self, problem: Problem, reached: Reach, among: Scope) -> None:
        self._problem, self._scope = problem, among
        self.ticks: dict[Thing, int] = {}
        self.by: dict[Thing, Way] = {}
        self._missing = {way: {*range(len(way.needs))} for way in among.ways}
        self._sum = {way: problem.costs.of(way).ticks(1) for way in among.ways}
        self._users: dict[Thing, list[tuple[Way, int]]] = {}
        for way in among.ways:
            for number, group in enumerate(way.needs):
                for thing in group:
                    self._users.setdefault(thing, []).append((way, number))
        self._heap: list[tuple[int, int, Thing, Way | None]] = []
        self._pushed = 0

    def cheapest(self, things: Iterable[Thing]) -> Thing | None:
        had = [thing for thing in things if thing in self.ticks]
        return min(had, key=lambda thing: (self.ticks[thing], str(thing)), default=None)

    def _push(self, ticks: int, thing: Thing, way: Way | None) -> None:
        self._pushed += 1
        heapq.heappush(self._heap, (ticks, self._pushed, thing, way))

    def spread(self) -> None:
        for thing in self._problem.start:
            self._push(0, thing, None)
        for item, ticks in self._problem.prices.items():
            self._push(ticks, item, None)
        for way in self._scope.ways:
            if not way.needs:
                self._give(way)
        while self._heap:
            ticks, _, thing, maker = heapq.heappop(self._heap)
            if thing not in self.ticks:
                self.ticks[thing] = ticks
                if maker is not None:
                    self.by[thing] = maker
                self._satisfy(thing, ticks)

    def _satisfy(self, thing: Thing, ticks: int) -> None:
        if thing in self._scope.fuels and HEAT not in self.ticks:
            self._push(ticks, HEAT, None)
        for way, number in self._users.get(thing, ()):
            if number in self._missing[way]:
                self._missing[way].discard(number)
                self._sum[way] += ticks * way.amount(number)
                if not self._missing[way]:
                    self._give(way)

    def _give(self, way: Way) -> None:
        for thing in way.gives:
            self._push(self._sum[way], thing, way)
