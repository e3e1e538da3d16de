"""Which blocks the bots placed, and which they saw people place, stored in SQLite: so a bot can
tell those of others from its own, and from what grew.

A block is forgotten when somebody saw that it is gone, or when many were placed since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bots.chat.attendance import Attendance
from bots.store.database import Store
from bots.store.table import Row, Table
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
        return self._everyone.attendance.talk_of(self._bot)

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
        known = self._everyone.by_place.get(placed.key)
        if known is None or known.bot == A_PERSON or known.block != block:
            await self._everyone.add(placed)

    async def forget(self, placement: Placement) -> None:
        """The block was seen to be gone."""
        await self._everyone.forget(placement)

    async def gone(self, position: Position, dimension: str) -> None:
        """Nothing stands there any more, whoever placed it."""
        placement = self._everyone.by_place.get((dimension, position.block))
        if placement is not None:
            await self._everyone.forget(placement)


class AllPlacements:
    """What all bots placed and saw placed, the oldest first.

    It is kept in memory too: when the database cannot be written, bots go on without a record."""

    def __init__(
        self, store: Store, attendance: Attendance, known: Iterable[Placement] = ()
    ) -> None:
        self._store, self.attendance = store, attendance
        self.by_place = {one.key: one for one in known}

    @classmethod
    async def load(cls, store: Store, attendance: Attendance) -> AllPlacements:
        known = await store.read(lambda connection: _TABLE.read(connection, _read_row))
        return cls(store, attendance, known)

    def of(self, bot: str) -> Placements:
        return Placements(bot, self)

    @property
    def known(self) -> tuple[Placement, ...]:
        return tuple(self.by_place.values())

    async def add(self, placement: Placement) -> None:
        self.by_place.pop(placement.key, None)
        self.by_place[placement.key] = placement
        row = _row_of(placement)
        await self._store.keep(lambda connection: _TABLE.put(connection, row))
        own = [one for one in self.by_place.values() if one.bot == placement.bot]
        for old in own[: -MOST_OF_PEOPLE if placement.bot == A_PERSON else -MOST]:
            await self.forget(old)

    async def forget(self, placement: Placement) -> None:
        if self.by_place.pop(placement.key, None) is not None:
            key = _row_of(placement)[:4]
            await self._store.keep(lambda connection: _TABLE.delete(connection, *key))


_TABLE = Table(
    "placements",
    ("dimension", "x", "y", "z", "bot", "item", "block", "talk"),
    order="id",  # the newest has the highest
)


def _read_row(row: Row) -> Placement:
    dimension, x, y, z, bot, item, block, talk = row
    return Placement(bot, item, block, Position(x, y, z), dimension, talk)


def _row_of(placed: Placement) -> Row:
    at = placed.position
    where = placed.dimension, int(at.x), int(at.y), int(at.z)
    return (*where, placed.bot, placed.item, placed.block, placed.talk)
