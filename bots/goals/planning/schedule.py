"""Orders the counts greedily: whole batches first, and what uses up a tool that others need last.

This is fast and nearly always enough. If it gets stuck, the counts may still have an order;
order.py decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bots.goals.planning.burning import QUARTERS, pieces
from bots.goals.planning.columns import Columns, Heat, Pieces, Resource, Tokens
from bots.goals.planning.firing import Firing, after, ready
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach
from bots.goals.planning.ways import Thing, Way

TRIES = 300
"""Firings tried in all, with those taken back."""
_FIRST = {"place": 0, "smelt": 2, "approach": 3}
_SECOND = 1


Quota: TypeAlias = tuple[Tokens | Pieces, str, int]
"""A planned conversion: into what, of which item, how many."""


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


def _begun(problem: Problem, columns: Columns, counts: tuple[int, ...]) -> _State:
    left = {way: n for way, n in zip(columns.ways, counts, strict=False) if n}
    state = _State(left, columns.stock(problem.start, counts))
    for j, column in columns.conversions():
        if counts[j] and column.purpose is not None and not column.is_bought:
            if column.burnt:
                state.shares.setdefault(column.purpose, {})[column.burnt] = counts[j]
            else:
                state.quotas.setdefault(column.purpose, {})[column.item] = counts[j]
    return state


class _Greedy:
    def __init__(
        self, problem: Problem, reached: Reach, columns: Columns, counts: tuple[int, ...]
    ) -> None:
        self._reached = reached
        self._domain = problem.catalogue.domain
        self._wanted = problem.wanted
        self._state = _begun(problem, columns, counts)

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
            if not state.left and self._is_enough():
                return tuple(path)
            choices = self._ranked()
            if not choices and blocked is None:
                blocked = Blocked(state.left, state.stock)
            waiting.append(self._onward(state, choices))
        return blocked or Blocked(begun.left, begun.stock)

    def _is_enough(self) -> bool:
        return all(self._state.stock.get(thing, 0) >= n for thing, n in self._wanted.items())

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
        return _Choice(self._rank(way, count, spent), firing, tuple(quotas))

    def _mixtures(self, way: Way, count: int) -> Iterator[Quota]:
        spent = {thing: n * count for thing, n in way.takes.items()}
        for pool, each in way.pools.items():
            yield from self._mixture(Tokens(pool), each * count, spent)
        if way.burns:
            yield from self._burning(way, count, spent)

    def _mixture(
        self, purpose: Tokens | Pieces, need: int, spent: dict[Thing, int]
    ) -> Iterator[Quota]:
        for item, quota in self._state.quotas.get(purpose, {}).items():
            use = min(need, quota, self._state.stock.get(item, 0) - spent.get(item, 0))
            if use > 0:
                spent[item] = spent.get(item, 0) + use
                need -= use
                yield purpose, item, use

    def _burning(self, way: Way, count: int, spent: dict[Thing, int]) -> Iterator[Quota]:
        """Burn the pieces meant for this way, the longest first, and no more than needed."""
        need = QUARTERS * count
        shares = self._state.shares.get(Heat(way.index), {})
        for kind in sorted(shares, reverse=True):
            most = min(shares[kind], pieces(max(0, need), kind.quarters))
            for quota in self._mixture(kind, most, spent):
                need -= quota[2] * kind.quarters
                yield quota

    def _enough(self, way: Way, count: int, quotas: list[Quota]) -> bool:
        got: dict[Resource, int] = {}
        heat = 0
        for purpose, _, n in quotas:
            got[purpose] = got.get(purpose, 0) + n
            heat += n * purpose.quarters if isinstance(purpose, Pieces) else 0
        tokens = all(got.get(Tokens(p), 0) >= each * count for p, each in way.pools.items())
        return tokens and (not way.burns or heat >= QUARTERS * count)

    def _rank(self, way: Way, count: int, spent: Mapping[Thing, int]) -> tuple[int, ...]:
        """The smallest rank goes first."""
        others = (other for other in self._state.left if other is not way)
        harms = sum(self._harms(spent, other) for other in others)
        part = count < self._state.left[way]
        kind = 9 if part else _FIRST.get(way.activity.kind, _SECOND)
        return (harms, kind, self._reached.ways.get(way, 0), way.index, -count)

    def _harms(self, spent: Mapping[Thing, int], other: Way) -> bool:
        stock = self._state.stock
        return any(c in spent and stock.get(c, 0) <= spent[c] for c in other.catalysts)
