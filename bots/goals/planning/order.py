"""Searches all orders of at most the given counts: finds one, proves there is none, or gives up.

The search chooses alternatives of pools and fuels itself. So its proof says: no order of these
counts or fewer reaches what is wanted, whatever is mixed or burnt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bots.goals.planning.burning import QUARTERS, pieces
from bots.goals.planning.firing import Firing, after, ready
from bots.goals.planning.problem import Problem
from bots.goals.planning.ways import Thing, Way

Counts = Mapping[Way, int]


@dataclass(frozen=True, slots=True)
class NoOrder:
    """`proven`: every order was tried. Otherwise the search gave up."""

    proven: bool
    nodes: int


def find_order(
    problem: Problem, fuels: tuple[str, ...], counts: Counts, start: Mapping[Thing, int], nodes: int
) -> tuple[Firing, ...] | NoOrder:
    """Search depth first, never twice from the same counts left and the same stock."""
    search = Search(problem, fuels, nodes)
    found = search.run(dict(counts), dict(start))
    if found is not None:
        return tuple(found)
    return NoOrder(proven=search.nodes <= nodes, nodes=search.nodes)


class Search:
    """A search that gives up after `limit` choices."""

    def __init__(self, problem: Problem, fuels: tuple[str, ...], limit: int) -> None:
        self._domain = problem.catalogue.domain
        self._wanted = problem.wanted
        heat = problem.catalogue.domain.fuels
        self._fuels = tuple(sorted(fuels, key=lambda fuel: (heat[fuel], fuel)))
        self._limit = limit
        self._seen: set[tuple[object, ...]] = set()
        self.nodes = 0

    def run(self, left: dict[Way, int], stock: dict[Thing, int]) -> list[Firing] | None:
        """Search with a stack of its own: an order may be deeper than Python's recursion limit."""
        done: list[list[Firing]] = []
        waiting = [self._branches(left, stock)]
        while waiting:
            branch = next(waiting[-1], None)
            if branch is None or self.nodes > self._limit:
                waiting.pop()
                del done[len(waiting) - 1 if waiting else 0 :]
                continue
            firings, left, stock = branch
            if all(stock.get(t, 0) >= n for t, n in self._wanted.items()):
                return [firing for part in (*done, firings) for firing in part]
            if not left:
                continue
            done.append(firings)
            waiting.append(self._branches(left, stock))
        return None

    def _is_tired(self) -> bool:
        """Count a choice; mixtures count too, since they alone can be too many to try."""
        self.nodes += 1
        return self.nodes > self._limit

    def _branches(
        self, left: dict[Way, int], stock: dict[Thing, int]
    ) -> Iterator[tuple[list[Firing], dict[Way, int], dict[Thing, int]]]:
        harmless, left, stock = self._harmless(left, stock)
        if not left:
            yield harmless, left, stock
            return
        key = (tuple((w.index, n) for w, n in left.items()), frozenset(stock.items()))
        if key in self._seen:
            return
        self._seen.add(key)
        if self._is_tired():
            return
        for way in left:
            for firing in self.firings(way, left[way], stock):
                yield [*harmless, firing], _less(left, firing), self._after(stock, firing)

    def _after(self, stock: dict[Thing, int], firing: Firing) -> dict[Thing, int]:
        stock = after(stock, firing, self._domain.remainders)
        return {thing: n for thing, n in stock.items() if n}

    def _harmless(
        self, left: dict[Way, int], stock: dict[Thing, int]
    ) -> tuple[list[Firing], dict[Way, int], dict[Thing, int]]:
        """Fire at once every way that takes nothing another could lack."""
        fired: list[Firing] = []
        going = True
        while going:
            going = False
            for way in [*left]:
                firing = Firing(way, left[way], {})
                if self._is_harmless(way, left, stock) and ready(way, stock, firing.spent()):
                    left, stock = _less(left, firing), self._after(stock, firing)
                    fired.append(firing)
                    going = True
        return fired, left, stock

    def _is_harmless(self, way: Way, left: dict[Way, int], stock: dict[Thing, int]) -> bool:
        if way.pools or way.burns:
            return False
        return all(self._is_spare(thing, left, stock) for thing in way.takes)

    def _is_spare(self, thing: Thing, left: dict[Way, int], stock: dict[Thing, int]) -> bool:
        free = any(
            thing in way.catalysts
            or any(thing in pool for pool in way.pools)
            or (way.burns and thing in self._domain.fuels)
            for way in left
        )
        due = sum(way.takes.get(thing, 0) * n for way, n in left.items())
        due += self._wanted.get(thing, 0)
        return not free and stock.get(thing, 0) >= due

    @property
    def is_over(self) -> bool:
        return self.nodes > self._limit

    def firings(self, way: Way, most: int, stock: Mapping[Thing, int]) -> Iterator[Firing]:
        for count in range(most, 0, -1) if way.burns else (1,):
            for mixed in self._mixtures(way, count, stock):
                firing = Firing(way, count, mixed)
                if ready(way, stock, firing.spent()):
                    yield firing

    def _mixtures(
        self, way: Way, count: int, stock: Mapping[Thing, int]
    ) -> Iterator[dict[str, int]]:
        yield from self._with_pools([*way.pools.items()], way, count, {}, stock)

    def _with_pools(
        self,
        pools: list[tuple[tuple[str, ...], int]],
        way: Way,
        count: int,
        mixed: dict[str, int],
        stock: Mapping[Thing, int],
    ) -> Iterator[dict[str, int]]:
        if not pools:
            if way.burns:
                yield from self._heated(self._fuels, QUARTERS * count, mixed, stock)
            else:
                yield mixed
            return
        (pool, each), *others = pools
        for chosen in self._chosen(pool, each * count, mixed, stock):
            yield from self._with_pools(others, way, count, chosen, stock)

    def _chosen(
        self,
        items: tuple[str, ...],
        need: int,
        mixed: dict[str, int],
        stock: Mapping[Thing, int],
    ) -> Iterator[dict[str, int]]:
        """Every way to take `need` of the items, starting with as many as possible of the first."""
        if self._is_tired():
            return
        if need == 0:
            yield mixed
        elif sum(stock.get(item, 0) - mixed.get(item, 0) for item in items) >= need:
            item, *others = items
            free = min(need, stock.get(item, 0) - mixed.get(item, 0))
            for use in range(free, -1, -1):
                more = {**mixed, item: mixed.get(item, 0) + use} if use else mixed
                yield from self._chosen(tuple(others), need - use, more, stock)

    def _heated(
        self,
        fuels: tuple[str, ...],
        need: int,
        mixed: dict[str, int],
        stock: Mapping[Thing, int],
    ) -> Iterator[dict[str, int]]:
        """Every choice of fuels, weakest first, whose last piece is still needed."""
        if self._is_tired():
            return
        if need <= 0:
            yield mixed
        elif fuels:
            fuel, *others = fuels
            there = stock.get(fuel, 0) - mixed.get(fuel, 0)
            heat = self._domain.fuels[fuel]
            for use in range(min(there, pieces(need, heat)) + 1):
                more = {**mixed, fuel: mixed.get(fuel, 0) + use} if use else mixed
                yield from self._heated(tuple(others), need - use * heat, more, stock)


def _less(left: dict[Way, int], firing: Firing) -> dict[Way, int]:
    rest = dict(left)
    rest[firing.way] -= firing.count
    if not rest[firing.way]:
        del rest[firing.way]
    return rest
