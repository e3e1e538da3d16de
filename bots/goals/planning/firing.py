"""A firing: a way done some times at once, with the alternatives and fuels it uses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bots.goals.planning.costing import Costs
from bots.goals.planning.ways import Near, Thing, Way


@dataclass(frozen=True, slots=True)
class Firing:
    """`mixed` counts the items chosen for pools and as fuel; all else follows from the way."""

    way: Way
    count: int
    mixed: Mapping[str, int]

    def spent(self) -> dict[Thing, int]:
        spent = {thing: n * self.count for thing, n in self.way.takes.items()}
        for item, n in self.mixed.items():
            spent[item] = spent.get(item, 0) + n
        return spent

    def gained(self, remainders: Mapping[str, str]) -> dict[Thing, int]:
        gained = {thing: n * self.count for thing, n in self.way.gives.items()}
        for item, n in self.mixed.items():
            if item in remainders:
                gained[remainders[item]] = gained.get(remainders[item], 0) + n
        return gained


def ready(way: Way, stock: Mapping[Thing, int], spent: Mapping[Thing, int]) -> bool:
    """Whether the stock covers what is spent, and tool and station besides."""
    return all(stock.get(t, 0) >= n for t, n in spent.items()) and all(
        stock.get(c, 0) > spent.get(c, 0) * (not isinstance(c, Near)) for c in way.catalysts
    )


def after(
    stock: Mapping[Thing, int], firing: Firing, remainders: Mapping[str, str]
) -> dict[Thing, int]:
    """The stock after a firing."""
    left = dict(stock)
    for thing, n in firing.spent().items():
        left[thing] = left.get(thing, 0) - n
    for thing, n in firing.gained(remainders).items():
        left[thing] = left.get(thing, 0) + n
    return left


def ticks_of(firings: Collection[Firing], costs: Costs) -> int:
    """The cost of an order: the fixed ticks of each way once, and the ticks of every firing."""
    fixed = sum(costs.of(way).fixed for way in {firing.way for firing in firings})
    return fixed + sum(costs.of(firing.way).unit * firing.count for firing in firings)
