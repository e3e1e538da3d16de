"""From counts to an order, greedily: whole batches, what others still need as a tool last.

Fast and nearly always enough. When nothing can go on, the counts may still have an order: that is
for order.py to say, never concluded here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bots.goals.planning.columns import Columns, Heat, Resource, Tokens
from bots.goals.planning.firing import QUARTERS, Firing, after, pieces, ready
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach
from bots.goals.planning.ways import Thing, Way

TRIES = 300
"""Steps tried in all, those taken back included."""
_FIRST = {"place": 0, "gather": 1, "craft": 1, "smelt": 2}


@dataclass(frozen=True, slots=True)
class Blocked:
    """What could not fire, and what was there by then."""

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
    quotas: tuple[tuple[Resource, str, int], ...]
    """What it takes of each conversion that was decided on."""


@dataclass(slots=True)
class _State:
    """What is left to do, what is there, and which conversions are left."""

    left: dict[Way, int]
    stock: dict[Thing, int]
    quotas: dict[Resource, dict[str, int]]

    def key(self) -> object:
        spare = tuple((item, n) for quota in self.quotas.values() for item, n in quota.items())
        return tuple((way.index, n) for way, n in self.left.items()), spare

    def after(self, choice: _Choice, remainders: Mapping[str, str]) -> _State:
        left, firing = dict(self.left), choice.firing
        left[firing.way] -= firing.count
        if not left[firing.way]:
            del left[firing.way]
        quotas = {purpose: dict(quota) for purpose, quota in self.quotas.items()}
        for purpose, item, n in choice.quotas:
            quotas[purpose][item] -= n
        return _State(left, after(self.stock, firing, remainders), quotas)


class _Greedy:
    def __init__(
        self, problem: Problem, reached: Reach, columns: Columns, counts: tuple[int, ...]
    ) -> None:
        self._reached = reached
        self._domain = problem.catalogue.domain
        self._wanted = problem.wanted
        self._state = _State(
            {way: n for way, n in zip(columns.ways, counts, strict=False) if n},
            dict(problem.start),
            {},
        )
        for j, column in columns.conversions():
            if counts[j] and column.purpose == column.item:
                stock = self._state.stock
                stock[column.item] = stock.get(column.item, 0) + counts[j]
            elif counts[j] and column.purpose is not None:
                self._state.quotas.setdefault(column.purpose, {})[column.item] = counts[j]

    def run(self) -> tuple[Firing, ...] | Blocked:
        """Go on with what ranks first; turn back some times where that got stuck."""
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
        """What can be done of more can be done of less: halve what is open."""
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

    def _mixtures(self, way: Way, count: int) -> Iterator[tuple[Resource, str, int]]:
        spent = {thing: n * count for thing, n in way.takes.items()}
        for pool, each in way.pools.items():
            yield from self._mixture(Tokens(pool), each * count, spent)
        if way.burns:
            yield from self._burning(way, count, spent)

    def _mixture(
        self, purpose: Tokens, need: int, spent: dict[Thing, int]
    ) -> Iterator[tuple[Resource, str, int]]:
        for item, quota in self._state.quotas.get(purpose, {}).items():
            use = min(need, quota, self._state.stock.get(item, 0) - spent.get(item, 0))
            if use > 0:
                spent[item] = spent.get(item, 0) + use
                need -= use
                yield purpose, item, use

    def _burning(
        self, way: Way, count: int, spent: dict[Thing, int]
    ) -> Iterator[tuple[Resource, str, int]]:
        """Burn all that was meant for it when it is done whole, else no more than needed."""
        heat = Heat(way.index)
        need = QUARTERS * count
        fuels = self._domain.fuels
        quotas = self._state.quotas.get(heat, {})
        for item in sorted(quotas, key=lambda f: (-fuels[f], f)):
            use = min(quotas[item], self._state.stock.get(item, 0) - spent.get(item, 0))
            use = min(use, pieces(need, fuels[item]))
            if use > 0 and need > 0:
                spent[item] = spent.get(item, 0) + use
                need -= use * fuels[item]
                yield heat, item, use

    def _enough(self, way: Way, count: int, quotas: list[tuple[Resource, str, int]]) -> bool:
        got: dict[Resource, int] = {}
        for purpose, item, n in quotas:
            each = self._domain.fuels[item] if isinstance(purpose, Heat) else 1
            got[purpose] = got.get(purpose, 0) + n * each
        tokens = all(got.get(Tokens(p), 0) >= each * count for p, each in way.pools.items())
        return tokens and (not way.burns or got.get(Heat(way.index), 0) >= QUARTERS * count)

    def _rank(self, way: Way, count: int, spent: Mapping[Thing, int]) -> tuple[int, ...]:
        """Smaller is sooner."""
        others = (other for other in self._state.left if other is not way)
        harms = sum(self._harms(spent, other) for other in others)
        part = count < self._state.left[way]
        kind = 9 if part else _FIRST[way.activity.kind]
        return (harms, kind, self._reached.ways.get(way, 0), way.index, -count)

    def _harms(self, spent: Mapping[Thing, int], other: Way) -> bool:
        stock = self._state.stock
        return any(c in spent and stock.get(c, 0) <= spent[c] for c in other.catalysts)
