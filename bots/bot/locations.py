"""The places that bots know by name, stored in SQLite."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import isfinite

from bots.access.sources import FACTS, MayKnow, Sources, anything, as_text, from_text
from bots.clock import microseconds_or_none, moment_or_none
from bots.errors import CommandError
from bots.store.database import Store
from bots.store.table import Row, Table
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
        row = _row_of(self._bot, location)
        await self._store.write_and_show(
            lambda connection: _TABLE.put(connection, row),
            lambda _: self._known.update({key_of(location.name): location}),
        )
        return former

    async def remove(self, name: str) -> Location | None:
        """Forget a place and return it; None when there was none."""
        former, key = self.find(name), key_of(name)
        if former is not None:
            await self._store.write_and_show(
                lambda connection: _TABLE.delete(connection, self._bot, key),
                lambda _: self._known.pop(key, None),
            )
        return former


class AllLocations:
    """The named places of all bots."""

    def __init__(self, store: Store, known: dict[str, list[Location]]) -> None:
        self._store = store
        self._of = {bot: Locations(bot, store, places) for bot, places in known.items()}

    @classmethod
    async def load(cls, store: Store) -> AllLocations:
        return cls(store, await store.read(partial(_TABLE.by_first, make=_read_row)))

    def of(self, bot: str) -> Locations:
        """One bot's places; always the same object."""
        if bot not in self._of:
            self._of[bot] = Locations(bot, self._store)
        return self._of[bot]


def key_of(name: str) -> str:
    """The key of a name: `Ｈome ` and `home` are one place."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


_TABLE = Table(
    "locations",
    ("bot", "key", "name", "dimension", "sources", "named_at", "x", "y", "z"),
    order="key",
)


def _read_row(row: Row) -> tuple[str, Location]:
    bot, _, name, dimension, sources, named_at, *at = row
    if not all(map(isfinite, at)):
        raise ValueError(f"no place in a world: {at}")
    named_at = moment_or_none(named_at)
    return bot, Location(name, Position(*at), dimension, from_text(sources), named_at)


def _row_of(bot: str, location: Location) -> Row:
    at = location.position
    return (
        *(bot, key_of(location.name), location.name, location.dimension),
        *(as_text(location.sources), microseconds_or_none(location.named_at)),
        *(at.x, at.y, at.z),
    )
