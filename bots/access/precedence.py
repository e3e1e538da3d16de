"""Precedence: owners come before trusted players, who come before everybody else.

Nobody waits for ever: after `PATIENCE` turns of higher ranks in a row, a lower rank gets a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container
from typing import TypeAlias

from bots.access.origin import Fellow, Level, Origin, Person, is_operator
from bots.access.permissions import Permissions
from bots.access.sources import LevelOf
from bridge.world import PlayerName

Rank: TypeAlias = int
"""We serve higher ranks first."""

PATIENCE = 4  # turns
AMONG_BOTS: Rank = 0  # what bots say to each other is background


def ranking(level_of: LevelOf) -> Callable[[Origin], Rank]:
    """The rank of work that we do for an origin."""

    def rank(origin: Origin) -> Rank:
        return AMONG_BOTS if isinstance(origin, Fellow) else int(level_of(origin))

    return rank


def rank_by_name(permissions: Permissions, bots: Container[str]) -> Callable[[str | None], Rank]:
    """The rank of words for somebody, by their recorded name; None means everybody."""

    def rank(name: str | None) -> Rank:
        if name is None:
            return int(Level.PLAYER)
        if is_operator(name):
            return int(Level.OWNER)
        if name in bots:
            return AMONG_BOTS
        return int(permissions.level_of(Person(PlayerName(name))))

    return rank


class Precedence:
    """Chooses the next rank and remembers which ranks it passed over."""

    def __init__(self) -> None:
        self._passed_over: dict[Rank, int] = {}

    def first(self, waiting: Collection[Rank]) -> Rank:
        """The rank to serve next; `waiting` is not empty."""
        overdue = [rank for rank in waiting if self._passed_over.get(rank, 0) >= PATIENCE]
        return max(overdue or waiting)

    def served(self, served: Rank, waiting: Collection[Rank]) -> None:
        """Note who was served while these waited."""
        lower = [rank for rank in waiting if rank < served]
        kept = {rank: n for rank, n in self._passed_over.items() if rank in waiting}
        kept.pop(served, None)
        self._passed_over = kept | {rank: kept.get(rank, 0) + 1 for rank in lower}
