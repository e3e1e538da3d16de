"""Where a bot died or nearly died of late, stored in SQLite: at night it walks around there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import isfinite
from sqlite3 import Connection

from bots.clock import Clock, microseconds, moment
from bots.store.database import Store
from bots.store.table import Row, Table
from bridge.world import Position, WorldSnapshot

NEARLY = 6.0  # half-hearts: with so few left it was a near death
LASTS = timedelta(seconds=2_400)  # two days of the game
MOST = 16
SAME = 4.0  # blocks: blows so near to one another fell at one place


@dataclass(frozen=True, slots=True)
class _Peril:
    dimension: str
    position: Position
    at: datetime


class Perils:
    """Those of one bot, as whoever has it shun them tells."""

    def __init__(
        self, bot: str, store: Store, clock: Clock, known: tuple[_Peril, ...] = ()
    ) -> None:
        self._bot, self._store, self._clock = bot, store, clock
        self._known = known

    def __bool__(self) -> bool:
        return bool(self._lasting())

    async def add(self, dimension: str, position: Position) -> None:
        others = (
            one
            for one in self._lasting()
            if one.dimension != dimension or one.position.distance_to(position) > SAME
        )
        self._known = (*others, _Peril(dimension, position, self._clock()))[-MOST:]
        rows = [_row_of(self._bot, one) for one in self._known]

        def change(connection: Connection) -> None:
            _TABLE.delete(connection, self._bot)
            _TABLE.put(connection, *rows)

        await self._store.keep(change)

    def shunned(self, world: WorldSnapshot) -> tuple[Position, ...]:
        """At night those of this dimension; by day, and in peace, none."""
        if world.is_day or world.is_peaceful:
            return ()
        return tuple(one.position for one in self._lasting() if one.dimension == world.dimension)

    def _lasting(self) -> list[_Peril]:
        now = self._clock()
        return [one for one in self._known if one.at <= now < one.at + LASTS]


class AllPerils:
    """Those of all bots."""

    def __init__(self, store: Store, clock: Clock, known: dict[str, list[_Peril]]) -> None:
        self._store, self._clock = store, clock
        self._of = {bot: Perils(bot, store, clock, tuple(places)) for bot, places in known.items()}

    @classmethod
    async def load(cls, store: Store, clock: Clock) -> AllPerils:
        return cls(store, clock, await store.read(partial(_TABLE.by_first, make=_read_row)))

    def of(self, bot: str) -> Perils:
        """One bot's; always the same object."""
        if bot not in self._of:
            self._of[bot] = Perils(bot, self._store, self._clock)
        return self._of[bot]


_TABLE = Table("perils", ("bot", "dimension", "x", "y", "z", "at"), order="at")


def _read_row(row: Row) -> tuple[str, _Peril]:
    bot, dimension, x, y, z, at = row
    if not all(map(isfinite, (x, y, z))):
        raise ValueError(f"no place in a world: {row}")
    return bot, _Peril(dimension, Position(x, y, z), moment(at))


def _row_of(bot: str, peril: _Peril) -> Row:
    at = peril.position
    return bot, peril.dimension, at.x, at.y, at.z, microseconds(peril.at)
