"""Orders the counts: greedily first, then by an exhaustive search; then joins firings of a way.

The greedy order does whole batches first, and what uses up a tool that others need last. This is
fast and nearly always enough. The exhaustive search finds an order of at most the given counts,
proves that there is none, or gives up. It chooses alternatives of pools and fuels itself. So its
proof says: no order of these counts or fewer reaches what is wanted, whatever is mixed or burnt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from bots.goals.planning.problem import Problem
from bots.goals.planning.program import Columns, Heat, Pieces, Resource, Tokens
from bots.goals.planning.reachability import Reach
from bots.goals.planning.ways import QUARTERS, Firing, Thing, Way, after, pieces, ready, stock_after

TRIES = 300
"""Firings tried in all, with those taken back."""
_FIRST = {"place": 0, "smelt": 2, "approach": 3}
_SECOND = 1
Quota: TypeAlias = tuple[Tokens | Pieces, str, int]
"""A planned conversion: into what, of which item, how many."""
Counts = Mapping[Way, int]


@dataclass(frozen=True, slots=True)
class Blocked:
    """Where it got stuck: the firings left, and the stock."""

    left: Mapping[Way, int]
    stock: Mapping[Thing, int]


def schedule(
    problem: Problem, reached: Reach, columns: Columns, counts: tuple[int, ...]
) -> tuple[Firing, ...] | Blocked:
    """Find an order for the counts, or say where it got stuck."""
    return _Greedy(problem, reached, columns, counts).run()


@dataclass(frozen=True, slots=True)
class _Choice:
    rank: tuple[int, ...]
    firing: Firing
    quotas: tuple[Quota, ...]
    """The conversions it uses."""


@dataclass(slots=True)
class _State:
    """The firings left, the stock, and the conversions left."""

    left: dict[Way, int]
    stock: dict[Thing, int]
    quotas: dict[Resource, dict[str, int]] = field(default_factory=dict)
    shares: dict[Resource, dict[Pieces, int]] = field(default_factory=dict)
    """How many pieces of each kind each smelting way may burn."""

    def key(self) -> object:
        spare = tuple((item, n) for quota in self.quotas.values() for item, n in quota.items())
        meant = tuple((kind, n) for share in self.shares.values() for kind, n in share.items())
        return tuple((way.index, n) for way, n in self.left.items()), spare, meant

    def after(self, choice: _Choice, remainders: Mapping[str, str]) -> _State:
        left, firing = dict(self.left), choice.firing
        left[firing.way] -= firing.count
        if not left[firing.way]:
            del left[firing.way]
        quotas = {purpose: dict(quota) for purpose, quota in self.quotas.items()}
        shares = {heat: dict(share) for heat, share in self.shares.items()}
        for purpose, item, n in choice.quotas:
            quotas[purpose][item] -= n
            if isinstance(purpose, Pieces):
                shares[Heat(firing.way.index)][purpose] -= n
        return _State(left, after(self.stock, firing, remainders), quotas, shares)


class _Greedy:
    def __init__(
        self, problem: Problem, reached: Reach, columns: Columns, counts: tuple[int, ...]
    ) -> None:
        self._reached = reached
        self._domain = problem.catalogue.domain
        self._wanted = problem.wanted
        left = {way: n for way, n in zip(columns.ways, counts, strict=False) if n}
        state = _State(left, columns.stock(problem.start, counts))
        for j, column in columns.conversions():
            if counts[j] and column.purpose is not None and not column.is_bought:
                if column.burnt:
                    state.shares.setdefault(column.purpose, {})[column.burnt] = counts[j]
                else:
                    state.quotas.setdefault(column.purpose, {})[column.item] = counts[j]
        self._state = state

    def run(self) -> tuple[Firing, ...] | Blocked:
        """Take the choice that ranks first; go back where that gets stuck, up to the limit."""
        begun = self._state
        tried, seen, blocked = 0, {begun.key()}, None
        path: list[Firing] = []
        waiting = [self._onward(begun, self._ranked())]
        while waiting and tried < TRIES:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                path = path[: max(0, len(waiting) - 1)]
                continue
            choice, state = step
            if state.key() in seen:
                continue
            seen.add(state.key())
            tried += 1
            path.append(choice.firing)
            self._state = state
            wanted = self._wanted.items()
            if not state.left and all(state.stock.get(thing, 0) >= n for thing, n in wanted):
                return tuple(path)
            choices = self._ranked()
            if not choices and blocked is None:
                blocked = Blocked(state.left, state.stock)
            waiting.append(self._onward(state, choices))
        return blocked or Blocked(begun.left, begun.stock)

    def _onward(self, state: _State, choices: list[_Choice]) -> Iterator[tuple[_Choice, _State]]:
        return ((c, state.after(c, self._domain.remainders)) for c in choices)

    def _ranked(self) -> list[_Choice]:
        left = self._state.left
        whole = [c for way, n in left.items() if (c := self._try(way, n))]
        if not any(choice.rank[0] == 0 for choice in whole):
            whole += [c for way in left if (c := self._largest_part(way))]
        return sorted(whole, key=lambda choice: choice.rank)

    def _largest_part(self, way: Way) -> _Choice | None:
        """The largest part of the count that can fire now, by bisection: what can fire more often
        can fire less often."""
        best, low, high = None, 1, self._state.left[way] - 1
        while low <= high:
            size = (low + high) // 2 if best else low
            choice = self._try(way, size)
            if choice is None and best is None:
                return None
            best, low, high = (choice, size + 1, high) if choice else (best, low, size - 1)
        return best

    def _try(self, way: Way, count: int) -> _Choice | None:
        quotas = [*self._mixtures(way, count)]
        mixed: dict[str, int] = {}
        for _, item, n in quotas:
            mixed[item] = mixed.get(item, 0) + n
        firing = Firing(way, count, mixed)
        spent = firing.spent()
        if not self._enough(way, count, quotas) or not ready(way, self._state.stock, spent):
            return None
        # The smallest rank goes first.
        stock = self._state.stock
        others = (other for other in self._state.left if other is not way)
        harms = sum(
            any(c in spent and stock.get(c, 0) <= spent[c] for c in other.catalysts)
            for other in others
        )
        part = count < self._state.left[way]
        kind = 9 if part else _FIRST.get(way.activity.kind, _SECOND)
        rank = (harms, kind, self._reached.ways.get(way, 0), way.index, -count)
        return _Choice(rank, firing, tuple(quotas))

    def _mixtures(self, way: Way, count: int) -> Iterator[Quota]:
        spent = {thing: n * count for thing, n in way.takes.items()}
        for pool, each in way.pools.items():
            yield from self._mixture(Tokens(pool), each * count, spent)
        if way.burns:
            # Burn the pieces meant for this way, the longest first, and no more than needed.
            need = QUARTERS * count
            shares = self._state.shares.get(Heat(way.index), {})
            for kind in sorted(shares, reverse=True):
                most = min(shares[kind], pieces(max(0, need), kind.quarters))
                for quota in self._mixture(kind, most, spent):
                    need -= quota[2] * kind.quarters
                    yield quota

    def _mixture(
        self, purpose: Tokens | Pieces, need: int, spent: dict[Thing, int]
    ) -> Iterator[Quota]:
        for item, quota in self._state.quotas.get(purpose, {}).items():
            use = min(need, quota, self._state.stock.get(item, 0) - spent.get(item, 0))
            if use > 0:
                spent[item] = spent.get(item, 0) + use
                need -= use
                yield purpose, item, use

    def _enough(self, way: Way, count: int, quotas: list[Quota]) -> bool:
        got: dict[Resource, int] = {}
        heat = 0
        for purpose, _, n in quotas:
            got[purpose] = got.get(purpose, 0) + n
            heat += n * purpose.quarters if isinstance(purpose, Pieces) else 0
        tokens = all(got.get(Tokens(p), 0) >= each * count for p, each in way.pools.items())
        return tokens and (not way.burns or heat >= QUARTERS * count)


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
                is_plain = not (way.pools or way.burns)
                is_harmless = is_plain and all(self._is_spare(t, left, stock) for t in way.takes)
                if is_harmless and ready(way, stock, firing.spent()):
                    left, stock = _less(left, firing), self._after(stock, firing)
                    fired.append(firing)
                    going = True
        return fired, left, stock

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
            for mixed in self._with_pools([*way.pools.items()], way, count, {}, stock):
                firing = Firing(way, count, mixed)
                if ready(way, stock, firing.spent()):
                    yield firing

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


def joined(
    order: Iterable[Firing], start: Mapping[Thing, int], remainders: Mapping[str, str]
) -> tuple[Firing, ...]:
    """Join each firing with the previous one of its way, at either place; smelting stays apart."""
    firings = tuple(order)
    for later in range(len(firings) - 1, 0, -1):
        for shorter in _shorter(firings, later):
            if stock_after(start, shorter, remainders) is not None:
                firings = shorter
                break
    return firings


def _shorter(firings: Sequence[Firing], later: int) -> Iterator[tuple[Firing, ...]]:
    last = firings[later]
    same = [k for k in range(later) if firings[k].way is last.way]
    if not same or last.way.burns:
        return
    first = firings[same[-1]]
    mixed = dict(first.mixed)
    for item, n in last.mixed.items():
        mixed[item] = mixed.get(item, 0) + n
    both = Firing(last.way, first.count + last.count, mixed)
    before, between = firings[: same[-1]], firings[same[-1] + 1 : later]
    behind = firings[later + 1 :]
    yield (*before, both, *between, *behind)
    yield (*before, *between, both, *behind)
