"""From ways to the columns of a program: what one firing changes, how often, for how much.

Besides the ways there are free conversions: one item of a pool becomes one token of that pool (so
that any mixture of a tag will do), a fuel becomes heat of one smelting way (each way burns its
own, because what is left of a burning piece is not carried along), and, for explanations, a thing
may be bought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bots.goals.activity import Pool
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope
from bots.goals.planning.ways import FURNACE, TABLE, Near, Thing, Way

QUARTERS = 4
"""Quarters of heat that one piece takes to smelt."""
MOST = 4096
"""A way is thought to fire no more often than this, or sixteen times what is wanted and
is there to be taken."""


ROUNDS = 12


class Tokens(NamedTuple):
    """Of items of one pool, any mixture."""

    pool: Pool


class Heat(NamedTuple):
    """Quarters in the furnace of one smelting way."""

    way: int


Resource: TypeAlias = str | Near | Tokens | Heat


@dataclass(frozen=True, slots=True)
class Column:
    """What one firing changes; either a way, or a conversion of an item for a resource."""

    net: Mapping[Resource, int]
    most: int
    ticks: int
    item: str = ""
    """What is converted; empty for ways."""
    purpose: Resource | None = None
    """What it is converted into; an item is bought for itself."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Ways first, in order, then conversions."""

    ways: tuple[Way, ...]
    all: tuple[Column, ...]
    fuels: tuple[str, ...]

    def conversions(self) -> Iterable[tuple[int, Column]]:
        return ((j, self.all[j]) for j in range(len(self.ways), len(self.all)))


def columns_of(problem: Problem, reached: Reach, scope: Scope, bound: int | None) -> Columns:
    """Make the columns of what may be used, no dearer than the bound in all."""
    cap = max(MOST, 16 * (sum(problem.wanted.values()) + _used_of_start(problem, scope)))
    most = _Availability(problem, reached, scope, bound, cap).firings()
    fired = [Column(_net(way), most[way], way.activity.unit_ticks) for way in scope.ways]
    converted = _conversions(problem, reached, scope, cap)
    return Columns(scope.ways, (*fired, *converted), scope.fuels)


def _used_of_start(problem: Problem, scope: Scope) -> int:
    """How much is there of all that the ways may take."""
    used = {thing for way in scope.ways for group in way.needs for thing in scope.meant(group)}
    return sum(n for thing, n in problem.start.items() if thing in used)


def _net(way: Way) -> dict[Resource, int]:
    net: dict[Resource, int] = dict(way.gives.items())
    for thing, count in way.takes.items():
        net[thing] = net.get(thing, 0) - count
    for pool, count in way.pools.items():
        net[Tokens(pool)] = -count
    if way.burns:
        net[Heat(way.index)] = -QUARTERS
    return {resource: count for resource, count in net.items() if count}


def _conversions(problem: Problem, reached: Reach, scope: Scope, cap: int) -> Iterable[Column]:
    remainders = problem.catalogue.domain.remainders
    pools = sorted({pool for way in scope.ways for pool in way.pools})
    for pool in pools:
        for item in pool:
            if item in reached.things and (scope.mixed is None or item in scope.mixed):
                yield _turned(item, Tokens(pool), 1, remainders, cap)
    for way in scope.ways:
        if way.burns:
            for fuel in scope.fuels:
                heat = problem.catalogue.domain.fuels[fuel]
                yield _turned(fuel, Heat(way.index), heat, remainders, cap)
    for item, ticks in problem.prices.items():
        yield Column({item: 1}, cap, ticks, item, item)


def _turned(
    item: str, purpose: Resource, amount: int, remainders: Mapping[str, str], cap: int
) -> Column:
    net: dict[Resource, int] = {item: -1, purpose: amount}
    if item in remainders:
        net[remainders[item]] = net.get(remainders[item], 0) + 1
    return Column({r: n for r, n in net.items() if n}, cap, 0, item, purpose)


class _Availability:
    """How often each way can fire at most: by what could ever be there, and by the bound."""

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
        if bound is None or not way.activity.unit_ticks:
            return self._cap
        spare = bound - reached.ways[way]
        return min(self._cap, max(0, spare // way.activity.unit_ticks + 1))

    def firings(self) -> dict[Way, int]:
        """Grow to a fixed point; what still grows after some rounds runs in a circle."""
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
