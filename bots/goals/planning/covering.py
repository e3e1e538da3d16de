"""Decides whether the goal is reachable by visiting every stock: slow, but it always terminates.

Karp and Miller's way: from each stock of things every firing is tried; a stock that another covers
leads nowhere new; and where a stock has grown on the way to itself, what has grown can grow without
end. Of such stocks there are finitely many, so in the end possible or not is decided.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.goals.planning.burning import QUARTERS
from bots.goals.planning.firing import Firing, after
from bots.goals.planning.order import Search
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Scope
from bots.goals.planning.ways import Thing, Way

Stock: TypeAlias = Mapping[Thing, int]
"""Counts above 0; what can grow without end counts FOREVER."""
CHOICES = 50
"""Limit of mixtures tried per stock, on average."""
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
    problem: Problem, scope: Scope, most: int
) -> tuple[Firing, ...] | Literal["none", "some", "open"]:
    """Look at so many stocks for one with all that is wanted; `some` is known, but not how."""
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
    """How many can be smelted together; without end of all that it takes one will do."""
    heat = problem.catalogue.domain.fuels
    limits = [stock.get(thing, 0) // n for thing, n in way.takes.items()]
    limits += [sum(stock.get(i, 0) for i in pool) // n for pool, n in way.pools.items()]
    limits.append(sum(stock.get(fuel, 0) * heat[fuel] for fuel in scope.fuels) // QUARTERS)
    most = min(limits)
    return most if most < FOREVER else 1


def _grown(place: _Place, stock: Stock) -> Stock:
    """What is more than it was on the way, with nothing less, can be made without end."""
    grown = {thing: n for thing, n in stock.items() if n > 0}
    for earlier in place.way_here():
        if _has(grown, earlier.stock):
            for thing, n in grown.items():
                if n > earlier.stock.get(thing, 0):
                    grown[thing] = FOREVER
    return grown
