"""What the bots know of chests: which they may use, and what was in them at the latest look.

They may use those that one of them placed, and those that somebody allowed; none that somebody
forbade. All bots share this; it is stored in SQLite."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from bots.clock import Clock, microseconds, moment
from bots.errors import StoreError
from bots.store.database import Store
from bots.store.rows import Row, readable
from bridge.world import Container, Position

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
        return cls(store, clock, await store.read(_read_all))

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
        items = Counter[str]()
        for stack in inside.items:
            items[stack.name] += stack.count
        chest = replace(
            self.at(dimension, inside.position),
            items=dict(items),
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
            await self._write(lambda connection: _delete(connection, chest))

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
        await self._write(lambda connection: _put(connection, chest))
        old = [one for one in self._known.values() if one.allowed is None and not one.own]
        if len(self._known) > MOST and old:
            await self.forget(old[0])

    async def _write(self, change: Callable[[sqlite3.Connection], None]) -> None:
        with suppress(StoreError):  # closed, or else the store has logged why
            (await self._store.submit(change)).add_done_callback(_unraised)


def _unraised(written: asyncio.Future[None]) -> None:
    """Nobody waits for it; the store has logged why it failed."""
    if not written.cancelled():
        written.exception()


def _read_all(connection: sqlite3.Connection) -> list[Chest]:
    rows = connection.execute(
        "SELECT dimension, items, slots, free_slots, seen_at, own, allowed, x, y, z FROM chests"
        " ORDER BY seen_at"
    )
    return list(readable(rows, _read_row, "chests"))


def _read_row(row: Row) -> Chest:
    dimension, items, slots, free_slots, seen_at, own, allowed, *at = row
    return Chest(
        Position(*at),
        dimension,
        None if items is None else {str(n): int(c) for n, c in json.loads(items).items()},
        slots,
        free_slots,
        None if seen_at is None else moment(seen_at),
        bool(own),
        None if allowed is None else bool(allowed),
    )


def _put(connection: sqlite3.Connection, chest: Chest) -> None:
    at = chest.position
    connection.execute(
        "INSERT OR REPLACE INTO chests"
        " (dimension, x, y, z, items, slots, free_slots, seen_at, own, allowed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(chest.dimension, int(at.x), int(at.y), int(at.z)),
            None if chest.items is None else json.dumps(chest.items),
            *(chest.slots, chest.free_slots),
            None if chest.seen_at is None else microseconds(chest.seen_at),
            *(chest.own, chest.allowed),
        ),
    )


def _delete(connection: sqlite3.Connection, chest: Chest) -> None:
    at = chest.position
    connection.execute(
        "DELETE FROM chests WHERE dimension = ? AND x = ? AND y = ? AND z = ?",
        (chest.dimension, int(at.x), int(at.y), int(at.z)),
    )
