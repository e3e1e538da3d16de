"""What the bots know of chests: which they may use, and what was in them at the latest look.

They may use those that one of them placed, and those that somebody allowed; none that somebody
forbade. All bots share this; it is stored in SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from bots.clock import Clock, microseconds_or_none, moment_or_none
from bots.store.database import Store
from bots.store.table import Row, Table
from bridge.world import Container, Position, counts_of

_PLAIN_COLOURS = ("white", "orange", "magenta", "yellow", "lime", "pink", "gray", "cyan")
_MORE_COLOURS = ("purple", "blue", "brown", "green", "red", "black", "light_blue", "light_gray")
CONTAINERS = (
    *("chest", "trapped_chest", "barrel", "shulker_box"),
    *(f"{colour}_shulker_box" for colour in (*_PLAIN_COLOURS, *_MORE_COLOURS)),
)
MOST = 500
"""Chests that are remembered; beyond that, those of others are forgotten that nobody has
looked into for longest."""
LARGE = 54
"""Slots of a double chest: both halves are one."""

_Key: TypeAlias = tuple[str, Position]


@dataclass(frozen=True, slots=True, eq=False)
class Chest:
    """A chest, barrel or shulker box at some place."""

    position: Position
    dimension: str
    items: Mapping[str, int] | None = None
    """What was in it; None: nobody has looked."""
    slots: int = 0
    """How many it has; 0: nobody has looked."""
    free_slots: int = 0
    seen_at: datetime | None = None
    own: bool = False
    """Whether one of the bots placed it."""
    allowed: bool | None = None
    """Whether somebody said that the bots may use it or may not; None: nobody did."""

    @property
    def may_be_used(self) -> bool:
        return self.own if self.allowed is None else self.allowed

    @property
    def key(self) -> _Key:
        return self.dimension, self.position


class Chests:
    """The chests that the bots of one daemon know of."""

    def __init__(self, store: Store, clock: Clock, known: Iterable[Chest] = ()) -> None:
        self._store, self._clock = store, clock
        self._known = {chest.key: chest for chest in known}

    @classmethod
    async def load(cls, store: Store, clock: Clock) -> Chests:
        known = await store.read(lambda connection: _TABLE.read(connection, _read_row))
        return cls(store, clock, known)

    def at(self, dimension: str, position: Position) -> Chest:
        """What is known of a chest; of one that is new, nothing."""
        fresh = Chest(position.block, dimension)
        return self._known.get(fresh.key, fresh)

    def usable(self, dimension: str) -> tuple[Chest, ...]:
        """The chests of a dimension that the bots may use, also those nobody has looked into."""
        return tuple(chest for chest in self._of(dimension) if chest.may_be_used)

    def of_others(self, dimension: str) -> tuple[Chest, ...]:
        """Those that they know and may not use."""
        return tuple(chest for chest in self._of(dimension) if not chest.may_be_used)

    async def placed(self, dimension: str, position: Position) -> None:
        """One of the bots placed a chest: it is theirs, and empty."""
        await self._put(Chest(position.block, dimension, {}, seen_at=self._clock(), own=True))

    async def saw(self, dimension: str, inside: Container) -> Chest:
        """Remember what is in an open chest."""
        chest = replace(
            self.at(dimension, inside.position),
            items=dict(counts_of(inside.items)),
            slots=inside.slots,
            free_slots=inside.slots - len(inside.items),
            seen_at=self._clock(),
        )
        for half in self._other_halves(chest):
            await self._put(replace(half, items={}, free_slots=0))
        await self._put(chest)
        return chest

    async def allow(self, dimension: str, position: Position, allowed: bool) -> Chest:
        """Say whether the bots may use a chest, whoever placed it."""
        chest = replace(self.at(dimension, position), allowed=allowed)
        await self._put(chest)
        return chest

    async def forget(self, chest: Chest) -> None:
        """It is no longer there."""
        if self._known.pop(chest.key, None) is not None:
            key = _row_of(chest)[:4]
            await self._store.keep(lambda connection: _TABLE.delete(connection, *key))

    def _other_halves(self, chest: Chest) -> Iterator[Chest]:
        """The other half of a double chest, if it is remembered too: nothing counts twice."""
        if chest.slots != LARGE:
            return
        x, y, z = chest.position.x, chest.position.y, chest.position.z
        for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            beside = self._known.get((chest.dimension, Position(x + dx, y, z + dz)))
            if beside is not None and beside.slots == LARGE:
                yield beside

    def _of(self, dimension: str) -> Iterator[Chest]:
        return (chest for chest in self._known.values() if chest.dimension == dimension)

    async def _put(self, chest: Chest) -> None:
        self._known.pop(chest.key, None)
        self._known[chest.key] = chest
        row = _row_of(chest)
        await self._store.keep(lambda connection: _TABLE.put(connection, row))
        old = [one for one in self._known.values() if one.allowed is None and not one.own]
        if len(self._known) > MOST and old:
            await self.forget(old[0])


_TABLE = Table(
    "chests",
    (
        *("dimension", "x", "y", "z"),
        *("items", "slots", "free_slots", "seen_at", "own", "allowed"),
    ),
    order="seen_at",
)


def _read_row(row: Row) -> Chest:
    dimension, x, y, z, items, slots, free_slots, seen_at, own, allowed = row
    return Chest(
        Position(x, y, z),
        dimension,
        None if items is None else {str(n): int(c) for n, c in json.loads(items).items()},
        slots,
        free_slots,
        moment_or_none(seen_at),
        bool(own),
        None if allowed is None else bool(allowed),
    )


def _row_of(chest: Chest) -> Row:
    at = chest.position
    return (
        *(chest.dimension, int(at.x), int(at.y), int(at.z)),
        None if chest.items is None else json.dumps(chest.items),
        *(chest.slots, chest.free_slots, microseconds_or_none(chest.seen_at)),
        *(chest.own, chest.allowed),
    )
