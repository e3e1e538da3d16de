"""Upper limits: how often each way can fire, and how often that can be of use.

Small limits make the relaxation tight, because it spreads the fixed cost of a way over as many
firings as the way may have. A firing is *possible* if its ingredients could ever be there and the
bound leaves time for it. It is *of use* if something may take what it gives. Limiting ways to that
loses no best plan: in the cheapest plan with the fewest firings, every firing gives something that
is wanted, taken or worked with; the last one that did not could be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bots.goals.planning.burning import QUARTERS, pieces
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope
from bots.goals.planning.ways import FURNACE, TABLE, Near, Thing, Way

ROUNDS = 12


def most_possible(
    problem: Problem, reached: Reach, scope: Scope, bound: int | None, cap: int
) -> dict[Way, int]:
    """Firings for which there could be enough, and enough time below the bound; at most the cap."""
    return _Availability(problem, reached, scope, bound, cap).firings()


def most_needed(problem: Problem, scope: Scope, possible: Mapping[Way, int]) -> dict[Way, int]:
    """Firings whose products something could need."""
    most = dict(possible)
    left = problem.catalogue.domain.remainders
    plain = [way for way in scope.ways if way.gives and not _leaves(way, scope, left)]
    for _ in range(ROUNDS):
        due = _due(problem, scope, most)
        lacking = {t: max(0, n - problem.start.get(t, 0)) for t, n in due.items()}
        changed = False
        for way in plain:
            useful = max(pieces(lacking.get(thing, 0), n) for thing, n in way.gives.items())
            if useful < most[way]:
                most[way], changed = useful, True
        if not changed:
            break
    return most


def _leaves(way: Way, scope: Scope, left: Mapping[str, str]) -> bool:
    mixed = {item for pool in way.pools for item in pool} | {*(scope.fuels if way.burns else ())}
    return not mixed.isdisjoint(left)


def _due(problem: Problem, scope: Scope, most: Mapping[Way, int]) -> dict[Thing, int]:
    """The most of each thing that can be wanted, taken, burnt or worked with."""
    heat = problem.catalogue.domain.fuels
    due: dict[Thing, int] = dict(problem.wanted)
    tokens: dict[tuple[str, ...], int] = {}
    smelted = sum(count for way, count in most.items() if way.burns)
    for way, count in most.items():
        if count:
            for thing, n in way.takes.items():
                due[thing] = due.get(thing, 0) + n * count
            for pool, n in way.pools.items():
                tokens[pool] = tokens.get(pool, 0) + n * count
    for pool, n in tokens.items():
        for thing in scope.meant(pool):
            due[thing] = due.get(thing, 0) + n
    for fuel in scope.fuels:
        # At worst items are smelted one by one, and the rest of the fuel is lost each time.
        due[fuel] = due.get(fuel, 0) + smelted * pieces(QUARTERS, heat[fuel])
    for thing in {thing for way, count in most.items() if count for thing in way.catalysts}:
        due[thing] = due.get(thing, 0) + 1
    return due


class _Availability:
    """Grows what is there by what can be made of it."""

    def __init__(
        self, problem: Problem, reached: Reach, scope: Scope, bound: int | None, cap: int
    ) -> None:
        self._problem, self._scope, self._cap = problem, scope, cap
        self._most = dict.fromkeys(scope.ways, 0)
        self._there: dict[Thing, int] = {**problem.start, **dict.fromkeys(problem.prices, cap)}
        self._limits = {way: self._limit(way, reached, bound) for way in scope.ways}
        self._left = problem.catalogue.domain.remainders

    def _limit(self, way: Way, reached: Reach, bound: int | None) -> int:
        if way.activity.kind == "place":
            placed = Near(way.activity.target)
            wanted = self._problem.wanted.get(placed, 1) - self._problem.start.get(placed, 0)
            return wanted if placed in (TABLE, FURNACE) else self._cap
        unit = self._problem.costs.of(way).unit
        if bound is None or not unit:
            return self._cap
        spare = bound - reached.ways[way]
        return min(self._cap, max(0, spare // unit + 1))

    def firings(self) -> dict[Way, int]:
        """Grow to a fixed point. A way still growing after some rounds is on a cycle: it gets its
        limit."""
        changed, rounds = True, 0
        while changed:
            changed, rounds = False, rounds + 1
            for way in self._scope.ways:
                count = min(self._limits[way], *self._by_groups(way))
                if count > self._most[way]:
                    count = self._limits[way] if rounds > ROUNDS else count
                    self._add(way, count - self._most[way])
                    self._most[way] = count
                    changed = True
        return self._most

    def _by_groups(self, way: Way) -> Iterable[int]:
        yield self._cap
        for thing, count in way.takes.items():
            yield self._there.get(thing, 0) // count
        for pool, count in way.pools.items():
            yield sum(self._there.get(item, 0) for item in pool) // count
        if way.burns and not any(self._there.get(fuel, 0) for fuel in self._scope.fuels):
            yield 0

    def _add(self, way: Way, more: int) -> None:
        for thing, count in way.gives.items():
            self._there[thing] = min(self._cap, self._there.get(thing, 0) + more * count)
        used = {item for pool in way.pools for item in pool}
        used |= {*self._scope.fuels} if way.burns else set()
        for item in used & self._left.keys():
            self._there[self._left[item]] = self._cap
