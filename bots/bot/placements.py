"""Which blocks the bots placed, and which they saw people place, stored in SQLite: so a bot can
tell those of others from its own, and from what grew.

A block is forgotten when somebody saw that it is gone, or when many were placed since."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from bots.chat.attendance import Attendance
from bots.errors import StoreError
from bots.store.database import Store
from bots.store.rows import Row, readable
from bridge.world import Position, WorldSnapshot

MOST = 500
"""Blocks remembered of one bot; the oldest are forgotten."""
MOST_OF_PEOPLE = 5_000
A_PERSON = ""
"""Stands for the bot where a person placed a block; who it was is not kept."""

_Key: TypeAlias = tuple[str, Position]


@dataclass(frozen=True, slots=True)
class Placement:
    """A block that a bot placed, or saw a person place."""

    bot: str
    """Who placed it; `A_PERSON` for any person."""
    item: str
    """What was put down: `torch`."""
    block: str
    """What stood there then: `wall_torch`."""
    position: Position
    dimension: str
    talk: int | None
    """The number of the talk that the bot took part in."""

    @property
    def key(self) -> _Key:
        """A place has one block: the latest counts."""
        return self.dimension, self.position


class Placements:
    """What one bot placed, and what the bots of its talk did."""

    def __init__(self, bot: str, everyone: AllPlacements) -> None:
        self._bot, self._everyone = bot, everyone

    @property
    def talk(self) -> int | None:
        """The number of the talk that the bot is in now."""
        return self._everyone.talk_of(self._bot)

    def ours(self, talk: int | None) -> tuple[Placement, ...]:
        """What this bot placed, and what was placed by those of a talk; the newest first."""
        every = reversed(self._everyone.known)
        return tuple(
            one for one in every if one.bot == self._bot or (one.talk == talk and talk is not None)
        )

    def everyones(self, dimension: str) -> frozenset[Position]:
        """Where bots placed something: it is no sign of people."""
        return frozenset(
            one.position
            for one in self._everyone.known
            if one.dimension == dimension and one.bot != A_PERSON
        )

    @property
    def knows_of_people(self) -> bool:
        """Whether it was seen that people placed anything."""
        return any(one.bot == A_PERSON for one in self._everyone.known)

    def peoples(self, dimension: str) -> Mapping[Position, str]:
        """What people placed, and where: it is theirs, natural as it may look."""
        return {
            one.position: one.block
            for one in self._everyone.known
            if one.dimension == dimension and one.bot == A_PERSON
        }

    def counted_near(self, world: WorldSnapshot, radius: float) -> Counter[str]:
        """How many blocks of each name bots placed so near."""
        return Counter(
            one.block
            for one in self._everyone.known
            if one.dimension == world.dimension
            and one.bot != A_PERSON
            and one.position.distance_to(world.position) <= radius
        )

    async def add(self, item: str, block: str, position: Position, dimension: str) -> None:
        """Remember a block; what was placed there before is forgotten."""
        placed = Placement(self._bot, item, block, position.block, dimension, self.talk)
        await self._everyone.add(placed)

    async def seen(self, block: str, position: Position, dimension: str) -> None:
        """Remember what a person placed, unless it is a block that a bot has just put there."""
        placed = Placement(A_PERSON, block, block, position.block, dimension, None)
        known = self._everyone.at(placed.key)
        if known is None or known.bot == A_PERSON or known.block != block:
            await self._everyone.add(placed)

    async def forget(self, placement: Placement) -> None:
        """The block was seen to be gone."""
        await self._everyone.forget(placement)

    async def gone(self, position: Position, dimension: str) -> None:
        """Nothing stands there any more, whoever placed it."""
        placement = self._everyone.at((dimension, position.block))
        if placement is not None:
            await self._everyone.forget(placement)


class AllPlacements:
    """What all bots placed and saw placed, the oldest first.

    It is kept in memory too: when the database cannot be written, bots go on without a record."""

    def __init__(
        self, store: Store, attendance: Attendance, known: Iterable[Placement] = ()
    ) -> None:
        self._store, self._attendance = store, attendance
        self._known = {one.key: one for one in known}

    @classmethod
    async def load(cls, store: Store, attendance: Attendance) -> AllPlacements:
        return cls(store, attendance, await store.read(_read_all))

    def of(self, bot: str) -> Placements:
        return Placements(bot, self)

    @property
    def known(self) -> tuple[Placement, ...]:
        return tuple(self._known.values())

    def at(self, key: _Key) -> Placement | None:
        return self._known.get(key)

    def talk_of(self, bot: str) -> int | None:
        return self._attendance.talk_of(bot)

    async def add(self, placement: Placement) -> None:
        self._known.pop(placement.key, None)
        self._known[placement.key] = placement
        await self._write(lambda connection: _put(connection, placement))
        own = [one for one in self._known.values() if one.bot == placement.bot]
        for old in own[: -MOST_OF_PEOPLE if placement.bot == A_PERSON else -MOST]:
            await self.forget(old)

    async def forget(self, placement: Placement) -> None:
        if self._known.pop(placement.key, None) is not None:
            await self._write(lambda connection: _delete(connection, placement))

    async def _write(self, change: Callable[[sqlite3.Connection], None]) -> None:
        with suppress(StoreError):  # closed, or else the store has logged why
            (await self._store.submit(change)).add_done_callback(_unraised)


def _unraised(written: asyncio.Future[None]) -> None:
    """Nobody waits for it; the store has logged why it failed."""
    if not written.cancelled():
        written.exception()


def _read_all(connection: sqlite3.Connection) -> list[Placement]:
    rows = connection.execute(
        "SELECT bot, item, block, dimension, talk, x, y, z FROM placements ORDER BY id"
    )
    return list(readable(rows, _read_row, "placements"))


def _read_row(row: Row) -> Placement:
    bot, item, block, dimension, talk, *at = row
    return Placement(bot, item, block, Position(*at), dimension, talk)


def _put(connection: sqlite3.Connection, placed: Placement) -> None:
    """The newest has the highest id; whatever was placed there before goes."""
    at = placed.position
    connection.execute(
        "INSERT OR REPLACE INTO placements (bot, item, block, dimension, talk, x, y, z)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(placed.bot, placed.item, placed.block, placed.dimension, placed.talk),
            *(int(at.x), int(at.y), int(at.z)),
        ),
    )


def _delete(connection: sqlite3.Connection, placed: Placement) -> None:
    at = placed.position
    connection.execute(
        "DELETE FROM placements WHERE dimension = ? AND x = ? AND y = ? AND z = ?",
        (placed.dimension, int(at.x), int(at.y), int(at.z)),
    )
