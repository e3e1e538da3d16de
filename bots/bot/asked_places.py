"""Places of which bots have asked somebody whose they are, stored in SQLite: once is enough."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from bots.errors import StoreError
from bots.store.database import Store
from bridge.world import Position

NEAR = 48.0
"""Blocks around a point that are the same place."""


@dataclass(slots=True)
class AskedPlaces:
    """What the bots of one daemon have asked about."""

    store: Store
    _known: set[tuple[str, Position]]

    @classmethod
    async def load(cls, store: Store) -> AskedPlaces:
        rows = await store.read(
            lambda connection: connection.execute(
                "SELECT dimension, x, y, z FROM asked_places"
            ).fetchall()
        )
        return cls(store, {(row[0], Position(*row[1:])) for row in rows})

    def has(self, dimension: str, point: Position) -> bool:
        """Whether this place was asked about."""
        return any(
            where == dimension and at.distance_to(point) <= NEAR for where, at in self._known
        )

    async def add(self, dimension: str, point: Position) -> None:
        """Remember a place; where the disk fails, until the program ends."""
        self._known.add((dimension, point))
        row = dimension, point.x, point.y, point.z
        with suppress(StoreError):  # the store has logged why
            written = await self.store.submit(
                lambda connection: connection.execute(
                    "INSERT OR IGNORE INTO asked_places (dimension, x, y, z) VALUES (?, ?, ?, ?)",
                    row,
                )
            )
            await asyncio.shield(written)
