"""Decides whether the goal is reachable by searching all stocks: slow, but it always terminates.

This is Karp and Miller's algorithm. From each stock every firing is tried. A stock with no more of
anything than a known one leads nowhere new. A stock with more of something than one on the path to
it, and less of nothing, can repeat that path; what grew can grow without limit and counts as
infinite. There are finitely many such stocks, so the search ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.goals.planning.order import Search
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Scope
from bots.goals.planning.ways import QUARTERS, Firing, Thing, Way, after

Stock: TypeAlias = Mapping[Thing, int]
"""Counts above 0; FOREVER for what can grow without limit."""
CHOICES = 50
"""The most mixtures tried per stock, on average."""
FOREVER: int = math.inf  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    stock: Stock
    before: _Place | None = None
    firing: Firing | None = None

    def way_here(self) -> Iterator[_Place]:
        place: _Place | None = self
        while place is not None:
            yield place
            place = place.before


def go_everywhere(
    problem: Problem, scope: Scope, most: int, is_late: Callable[[], bool]
) -> tuple[Firing, ...] | Literal["none", "some", "open"]:
    """Search up to `most` stocks for one that has all that is wanted, and return the way there.

    "none": the goal cannot be reached. "some": it can, but the firings are not known. "open": the
    limit was reached first, or it `is_late`.
    """
    begun, search = _Place(dict(problem.start)), Search(problem, scope.fuels, CHOICES * most)
    known, waiting = [begun.stock], [begun]
    while waiting:
        place = waiting.pop()
        if _has(place.stock, problem.wanted):
            return _firings_to(place)
        for firing in _onward(problem, scope, search, place.stock):
            stock = _grown(place, after(place.stock, firing, problem.catalogue.domain.remainders))
            if not any(_has(other, stock) for other in known):
                known.append(stock)
                waiting.append(_Place(stock, place, firing))
            if is_late():
                return "open"
        if len(known) > most or search.is_over:
            return "open"
    return "none"


def _has(stock: Stock, wanted: Stock) -> bool:
    return all(stock.get(thing, 0) >= n for thing, n in wanted.items())


def _firings_to(place: _Place) -> tuple[Firing, ...] | Literal["some"]:
    if FOREVER in place.stock.values():
        return "some"
    return tuple(p.firing for p in place.way_here() if p.firing is not None)[::-1]


def _onward(problem: Problem, scope: Scope, search: Search, stock: Stock) -> Iterator[Firing]:
    for way in scope.ways:
        most = _most_at_once(problem, scope, way, stock) if way.burns else 1
        yield from search.firings(way, most, stock)


def _most_at_once(problem: Problem, scope: Scope, way: Way, stock: Stock) -> int:
    """How many can be smelted together; 1 if there is no limit."""
    heat = problem.catalogue.domain.fuels
    limits = [stock.get(thing, 0) // n for thing, n in way.takes.items()]
    limits += [sum(stock.get(i, 0) for i in pool) // n for pool, n in way.pools.items()]
    limits.append(sum(stock.get(fuel, 0) * heat[fuel] for fuel in scope.fuels) // QUARTERS)
    most = min(limits)
    return most if most < FOREVER else 1


def _grown(place: _Place, stock: Stock) -> Stock:
    """The stock, with FOREVER for what grew since a stock on the path that it covers."""
    grown = {thing: n for thing, n in stock.items() if n > 0}
    for earlier in place.way_here():
        if _has(grown, earlier.stock):
            for thing, n in grown.items():
                if n > earlier.stock.get(thing, 0):
                    grown[thing] = FOREVER
    return grown
