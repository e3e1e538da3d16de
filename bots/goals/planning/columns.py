"""The columns of the program: what one firing changes, how often it may happen, what it costs.

Besides the ways there are conversions, which cost nothing:

- An item of a pool becomes a token of that pool, so any mixture of a tag will do.
- A fuel becomes a piece that burns for a certain time.
- A piece becomes heat for one smelting way. Each way burns its own pieces, because the rest of a
  burning piece cannot be used by another.

For explanations, items may also be bought, at a price.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from bots.goals.activity import Pool
from bots.goals.planning.amounts import most_needed, most_possible
from bots.goals.planning.burning import QUARTERS, pieces
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope
from bots.goals.planning.ways import Near, Thing, Way

MOST = 4096
"""The most firings of a way, unless sixteen times what is wanted and there to be used is more."""


class Tokens(NamedTuple):
    """Items of one pool, in any mixture."""

    pool: Pool


class Pieces(NamedTuple):
    """Fuels that burn equally long and leave the same behind."""

    quarters: int
    left: str
    """The item each leaves behind, gained on conversion to a piece; empty = nothing."""


class Heat(NamedTuple):
    """Heat for one smelting way, in quarters of an item smelted."""

    way: int


Resource: TypeAlias = str | Near | Tokens | Pieces | Heat


@dataclass(frozen=True, slots=True)
class Column:
    """What one firing changes: of a way, or of a conversion of an item into a resource."""

    net: Mapping[Resource, int]
    most: int
    ticks: int
    item: str = ""
    """What is converted; empty for ways and for pieces."""
    purpose: Resource | None = None
    """What it becomes; for an item that is bought, the item."""
    burnt: Pieces | None = None
    """The pieces that become heat."""

    @property
    def is_bought(self) -> bool:
        return self.item == self.purpose


@dataclass(frozen=True, slots=True)
class Columns:
    """Ways first, in order, then conversions."""

    ways: tuple[Way, ...]
    all: tuple[Column, ...]
    fuels: tuple[str, ...]

    def conversions(self) -> Iterable[tuple[int, Column]]:
        return ((j, self.all[j]) for j in range(len(self.ways), len(self.all)))

    def bought(self, counts: Sequence[int]) -> dict[str, int]:
        """How many of each item are bought."""
        return {c.item: counts[j] for j, c in self.conversions() if c.is_bought and counts[j]}

    def stock(self, start: Mapping[Thing, int], counts: Sequence[int]) -> dict[Thing, int]:
        """The stock after everything is bought."""
        bought = self.bought(counts)
        return {**start, **{item: start.get(item, 0) + n for item, n in bought.items()}}


def columns_of(problem: Problem, reached: Reach, scope: Scope, bound: int | None) -> Columns:
    """Make the columns of the ways that can be of use in a plan no dearer than the bound."""
    cap = max(MOST, 16 * (sum(problem.wanted.values()) + _used_of_start(problem, scope)))
    most = most_needed(problem, scope, most_possible(problem, reached, scope, bound, cap))
    scope = replace(scope, ways=tuple(way for way in scope.ways if most[way]))
    fired = [Column(_net(way), most[way], problem.costs.of(way).unit) for way in scope.ways]
    converted = _conversions(problem, reached, scope, most, cap)
    return Columns(scope.ways, (*fired, *converted), scope.fuels)


def _used_of_start(problem: Problem, scope: Scope) -> int:
    """How many things there are at the start that the ways may use."""
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


def _conversions(
    problem: Problem, reached: Reach, scope: Scope, most: Mapping[Way, int], cap: int
) -> Iterable[Column]:
    remainders = problem.catalogue.domain.remainders
    pools = sorted({pool for way in scope.ways for pool in way.pools})
    for pool in pools:
        for item in pool:
            if item in reached.things and (scope.mixed is None or item in scope.mixed):
                yield _turned(item, Tokens(pool), 1, remainders, cap)
    yield from _burnt(problem, scope, most, cap)
    for item, ticks in problem.prices.items():
        yield Column({item: 1}, cap, ticks, item, item)


def _burnt(problem: Problem, scope: Scope, most: Mapping[Way, int], cap: int) -> Iterable[Column]:
    burning = [way for way in scope.ways if way.burns]
    if not burning:
        return
    heat, remainders = problem.catalogue.domain.fuels, problem.catalogue.domain.remainders
    kinds = {fuel: Pieces(heat[fuel], remainders.get(fuel, "")) for fuel in scope.fuels}
    for fuel, kind in kinds.items():
        yield _turned(fuel, kind, 1, remainders, cap)
    for way in burning:
        for kind in sorted({*kinds.values()}):
            # Heat beyond all that is needed would only loosen the relaxation.
            each = min(QUARTERS * most[way], kind.quarters)
            singly = most[way] * pieces(QUARTERS, each)
            yield Column({kind: -1, Heat(way.index): each}, singly, 0, "", Heat(way.index), kind)


def _turned(
    item: str, purpose: Resource, amount: int, remainders: Mapping[str, str], cap: int
) -> Column:
    net: dict[Resource, int] = {item: -1, purpose: amount}
    if item in remainders:
        net[remainders[item]] = net.get(remainders[item], 0) + 1
    return Column({r: n for r, n in net.items() if n}, cap, 0, item, purpose)
