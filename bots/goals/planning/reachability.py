"""What can be had at all, and a lower bound on the cost of one of each thing.

Dijkstra over things. A way can start once one thing of each of its groups can be had. It costs at
least as much as the dearest of its groups plus its own ticks, even if all else is shared. So no
thing costs less than its bound, and a thing that is not reached cannot be had.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bots.goals.planning.problem import Problem
from bots.goals.planning.ways import HEAT, Thing, Way


@dataclass(frozen=True, slots=True)
class Reach:
    """Lower bounds in ticks: for one of each thing, and for one firing of each way."""

    things: Mapping[Thing, int]
    ways: Mapping[Way, int]


def reach(problem: Problem) -> Reach:
    """Spread from what is there; every way fires once, as soon as it can."""
    return _Spreading(problem).run()


class _Spreading:
    def __init__(self, problem: Problem) -> None:
        self._catalogue = problem.catalogue
        self._fuels, self._costs = frozenset(problem.fuels), problem.costs
        self._extra: dict[Thing, list[tuple[Way, int]]] = {}
        """Users of things among the ways that are not in the catalogue."""
        for way in problem.ways:
            if way.index >= len(problem.catalogue.ways):
                for number, group in enumerate(way.needs):
                    for thing in group:
                        self._extra.setdefault(thing, []).append((way, number))
        self._missing = {way: {*range(len(way.needs))} for way in problem.ways}
        self._things: dict[Thing, int] = {}
        self._ways: dict[Way, int] = {}
        self._heap: list[tuple[int, int, Thing]] = []
        self._pushed = 0
        for thing in [*problem.start, *problem.prices]:
            self._push(0, thing)
        for way in problem.ways:
            if not way.needs:
                self._fire(way, 0)

    def _push(self, ticks: int, thing: Thing) -> None:
        if thing not in self._things:
            self._pushed += 1
            heapq.heappush(self._heap, (ticks, self._pushed, thing))

    def run(self) -> Reach:
        while self._heap:
            ticks, _, thing = heapq.heappop(self._heap)
            if thing in self._things:
                continue
            self._things[thing] = ticks
            if thing in self._fuels:
                self._push(ticks, HEAT)
            users = self._catalogue.users.get(thing, [])
            for way, number in [*users, *self._extra.get(thing, ())]:
                missing = self._missing.get(way)
                if missing and number in missing:
                    missing.discard(number)
                    if not missing:
                        self._fire(way, ticks)
            # A way that fired before this alternative was reached may now give its remainder.
            remainder = self._catalogue.domain.remainders.get(str(thing))
            for item, way in self._catalogue.returning.get(remainder or "", ()):
                if item == thing and way in self._ways and remainder:
                    self._push(ticks + self._costs.of(way).ticks(1), remainder)
        return Reach(self._things, self._ways)

    def _fire(self, way: Way, ticks: int) -> None:
        done = ticks + self._costs.of(way).ticks(1)
        self._ways[way] = done
        for thing in way.gives:
            self._push(done, thing)
        # The remainders of alternatives and fuels that can already be had, with their bounds.
        remainders = self._catalogue.domain.remainders
        used = {item for pool in way.pools for item in pool}
        used |= self._fuels if way.burns else set()
        returned_by = [
            (remainders[item], self._things[item])
            for item in sorted(used & remainders.keys())
            if item in self._things
        ]
        for returned, ready in returned_by:
            self._push(max(done, ready), returned)


@dataclass(frozen=True, slots=True)
class Scope:
    """The ways and fuels that a program may use."""

    ways: tuple[Way, ...]
    fuels: tuple[str, ...]
    mixed: frozenset[str] | None = None
    """Items that may be taken for pools; None = all."""

    def meant(self, group: tuple[Thing, ...]) -> tuple[Thing, ...]:
        """The alternatives of a group that may be used."""
        if HEAT in group:
            return self.fuels
        if self.mixed is None or len(group) == 1:
            return group
        return tuple(thing for thing in group if thing in self.mixed)

    def together(self, other: Scope, among: Scope) -> Scope:
        """The union with another scope, limited to what is in a third."""
        ways, fuels = {*self.ways, *other.ways}, {*self.fuels, *other.fuels}
        both = self.mixed is not None and other.mixed is not None
        return Scope(
            tuple(way for way in among.ways if way in ways),
            tuple(fuel for fuel in among.fuels if fuel in fuels),
            (self.mixed or frozenset()) | (other.mixed or frozenset()) if both else None,
        )


def helpful(problem: Problem, reached: Reach, among: Scope, bound: int | None = None) -> Scope:
    """Keep the ways that lead to the goal and cost no more than the bound, in order."""
    ticks = reached.ways
    ways = [w for w in among.ways if w in ticks and (bound is None or ticks[w] <= bound)]
    fuels = tuple(f for f in among.fuels if f in reached.things)
    open_ = Scope(tuple(ways), fuels, among.mixed)
    makers = makers_among(problem, open_.ways)
    stack = problem.lacks()
    seen: set[Thing] = {*stack}
    kept: set[Way] = set()
    while stack:
        for way in makers.get(stack.pop(), ()):
            if way in kept:
                continue
            kept.add(way)
            meant = {thing for group in way.needs for thing in open_.meant(group)}
            stack.extend(meant - seen)
            seen |= meant
    led_back = [way for way in open_.ways if way in kept]
    return Scope(tuple(led_back), fuels, among.mixed)


def makers_among(problem: Problem, ways: Iterable[Way]) -> dict[Thing, list[Way]]:
    """For each thing, the ways that may give it, in order."""
    makers: dict[Thing, list[Way]] = {}
    for way in ways:
        for thing in problem.catalogue.left_by(way):
            makers.setdefault(thing, []).append(way)
    return makers
