"""The places bots know by name: stored first, then seen by whoever asks."""

from __future__ import annotations

import asyncio
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite

from bots.errors import CommandError
from bots.store.database import Store
from bots.store.rows import Row, readable
from bridge.world import Position

MOST = 200  # places of one bot: what a list and a model's prompt can still hold


class Locations:
    """The named places of one bot; names differ by more than case and width."""

    def __init__(self, bot: str, store: Store, known: Iterable[Location] = ()) -> None:
        self._bot, self._store = bot, store
        self._known = {key_of(location.name): location for location in known}

    def all(self) -> tuple[Location, ...]:
        """Every place, by name."""
        return tuple(self._known[key] for key in sorted(self._known))

    def find(self, name: str) -> Location | None:
        return self._known.get(key_of(name))

    async def put(self, location: Location) -> Location | None:
        """Keep a place once it is on the disk; the one it replaces.

        Raises CommandError (`too_many`) when there is no room for a new one."""
        former = self.find(location.name)
        if former is None and len(self._known) >= MOST:
            raise CommandError("too_many", f"I know {MOST} places; remove one first.")
        await self._write(
            lambda connection: put_location(connection, self._bot, location),
            lambda: self._known.update({key_of(location.name): location}),
        )
        return former

    async def remove(self, name: str) -> Location | None:
        """Forget a place; what it was, or None when there was none."""
        former = self.find(name)
        if former is not None:
            await self._write(
                lambda connection: delete_location(connection, self._bot, name),
                lambda: self._known.pop(key_of(name), None),
            )
        return former

    async def _write(
        self, change: Callable[[sqlite3.Connection], None], show: Callable[[], object]
    ) -> None:
        """Store and show, the latter also when the caller was cancelled meanwhile."""
        written = await self._store.submit(change)
        written.add_done_callback(lambda done: show() if _is_well(done) else None)
        await asyncio.shield(written)


class AllLocations:
    """The named places of all bots of a town."""

    def __init__(self, store: Store, known: dict[str, list[Location]]) -> None:
        self._store = store
        self._of = {bot: Locations(bot, store, places) for bot, places in known.items()}

    @classmethod
    async def load(cls, store: Store) -> AllLocations:
        return cls(store, await store.read(all_locations))

    def of(self, bot: str) -> Locations:
        """One bot's places; always the same object."""
        if bot not in self._of:
            self._of[bot] = Locations(bot, self._store)
        return self._of[bot]


def _is_well(written: asyncio.Future[None]) -> bool:
    return not written.cancelled() and written.exception() is None


def all_locations(connection: sqlite3.Connection) -> dict[str, list[Location]]:
    """Each bot's places, in the order of their names."""
    found: dict[str, list[Location]] = {}
    rows = connection.execute("SELECT bot, name, dimension, x, y, z FROM locations ORDER BY key")
    for bot, location in readable(rows, _location, "locations"):
        found.setdefault(bot, []).append(location)
    return found


def _location(row: Row) -> tuple[str, Location]:
    bot, name, dimension, *at = row
    if not all(map(isfinite, at)):
        raise ValueError(f"no place in a world: {at}")
    return bot, Location(name, Position(*at), dimension)


def put_location(connection: sqlite3.Connection, bot: str, location: Location) -> None:
    """Store a place; one of the same name is replaced."""
    at = location.position
    connection.execute(
        "INSERT OR REPLACE INTO locations (bot, key, name, dimension, x, y, z)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (bot, key_of(location.name), location.name, location.dimension, at.x, at.y, at.z),
    )


def delete_location(connection: sqlite3.Connection, bot: str, name: str) -> None:
    connection.execute("DELETE FROM locations WHERE bot = ? AND key = ?", (bot, key_of(name)))


@dataclass(frozen=True, slots=True)
class Location:
    """A point somebody gave a name to; told ones are blocks, by their lower corner."""

    name: str
    position: Position
    dimension: str


def key_of(name: str) -> str:
    """What two spellings of the same name have in common: `Ｈome ` and `home` are one place."""
    return unicodedata.normalize("NFKC", name).strip().casefold()
