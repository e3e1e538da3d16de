"""The places that bots know by name, stored in SQLite."""

from __future__ import annotations

import asyncio
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from math import isfinite

from bots.access.sources import FACTS, MayKnow, Sources, anything, as_text, from_text
from bots.clock import microseconds, moment
from bots.errors import CommandError
from bots.store.database import Store
from bots.store.rows import Row, readable
from bridge.world import Position

MOST = 200  # places of one bot: as many as a list and a prompt can hold


@dataclass(frozen=True, slots=True)
class Location:
    """A named point; one given by coordinates is the lower corner of a block."""

    name: str
    position: Position
    dimension: str
    sources: Sources = FACTS
    """Where the name comes from, and who may know of the place."""
    named_at: datetime | None = None
    """When it got the name; None: nobody noted it."""


class Locations:
    """The named places of one bot; case and width of a name do not matter."""

    def __init__(self, bot: str, store: Store, known: Iterable[Location] = ()) -> None:
        self._bot, self._store = bot, store
        self._known = {key_of(location.name): location for location in known}

    def all(self, may_know: MayKnow = anything) -> tuple[Location, ...]:
        """Every place that may be known, by name."""
        places = (self._known[key] for key in sorted(self._known))
        return tuple(place for place in places if may_know(place.sources))

    def find(self, name: str, may_know: MayKnow = anything) -> Location | None:
        """The place of this name, if it may be known."""
        found = self._known.get(key_of(name))
        return found if found is not None and may_know(found.sources) else None

    async def put(self, location: Location) -> Location | None:
        """Store a place and return the one it replaces. Raises CommandError too_many."""
        former = self.find(location.name)
        if former is None and len(self._known) >= MOST:
            raise CommandError("too_many", f"I know {MOST} places; remove one first.")
        await self._write(
            lambda connection: _put(connection, self._bot, location),
            lambda: self._known.update({key_of(location.name): location}),
        )
        return former

    async def remove(self, name: str) -> Location | None:
        """Forget a place and return it; None when there was none."""
        former = self.find(name)
        if former is not None:
            await self._write(
                lambda connection: _delete(connection, self._bot, name),
                lambda: self._known.pop(key_of(name), None),
            )
        return former

    async def _write(
        self, change: Callable[[sqlite3.Connection], None], show: Callable[[], object]
    ) -> None:
        """Store a change, then show it to readers, even if the caller is cancelled meanwhile."""
        written = await self._store.submit(change)
        written.add_done_callback(lambda done: show() if _is_well(done) else None)
        await asyncio.shield(written)


class AllLocations:
    """The named places of all bots."""

    def __init__(self, store: Store, known: dict[str, list[Location]]) -> None:
        self._store = store
        self._of = {bot: Locations(bot, store, places) for bot, places in known.items()}

    @classmethod
    async def load(cls, store: Store) -> AllLocations:
        return cls(store, await store.read(_read_all))

    def of(self, bot: str) -> Locations:
        """One bot's places; always the same object."""
        if bot not in self._of:
            self._of[bot] = Locations(bot, self._store)
        return self._of[bot]


def key_of(name: str) -> str:
    """The key of a name: `Ｈome ` and `home` are one place."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _read_all(connection: sqlite3.Connection) -> dict[str, list[Location]]:
    """The places of each bot, by name."""
    found: dict[str, list[Location]] = {}
    rows = connection.execute(
        "SELECT bot, name, dimension, sources, named_at, x, y, z FROM locations ORDER BY key"
    )
    for bot, location in readable(rows, _read_row, "locations"):
        found.setdefault(bot, []).append(location)
    return found


def _read_row(row: Row) -> tuple[str, Location]:
    bot, name, dimension, sources, named_at, *at = row
    if not all(map(isfinite, at)):
        raise ValueError(f"no place in a world: {at}")
    named = None if named_at is None else moment(named_at)
    return bot, Location(name, Position(*at), dimension, from_text(sources), named)


def _put(connection: sqlite3.Connection, bot: str, location: Location) -> None:
    """Store a place; one of the same name is replaced."""
    at, named_at = location.position, location.named_at
    connection.execute(
        "INSERT OR REPLACE INTO locations (bot, key, name, dimension, sources, named_at, x, y, z)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(bot, key_of(location.name), location.name, location.dimension),
            as_text(location.sources),
            None if named_at is None else microseconds(named_at),
            *(at.x, at.y, at.z),
        ),
    )


def _delete(connection: sqlite3.Connection, bot: str, name: str) -> None:
    connection.execute("DELETE FROM locations WHERE bot = ? AND key = ?", (bot, key_of(name)))


def _is_well(written: asyncio.Future[None]) -> bool:
    return not written.cancelled() and written.exception() is None
