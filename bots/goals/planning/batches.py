"""Joins firings of the same way into one where the order still works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bots.goals.planning.firing import Firing, after, ready
from bots.goals.planning.ways import Thing


def joined(
    order: Iterable[Firing], start: Mapping[Thing, int], remainders: Mapping[str, str]
) -> tuple[Firing, ...]:
    """Join each firing with the previous one of its way, at either place; smelting stays apart."""
    firings = tuple(order)
    for later in range(len(firings) - 1, 0, -1):
        for shorter in _shorter(firings, later):
            if _works(shorter, start, remainders):
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


def _works(
    firings: Iterable[Firing], start: Mapping[Thing, int], remainders: Mapping[str, str]
) -> bool:
    stock = start
    for firing in firings:
        if not ready(firing.way, stock, firing.spent()):
            return False
        stock = after(stock, firing, remainders)
    return True
