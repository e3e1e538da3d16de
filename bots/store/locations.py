"""SQL of the places that bots were told the names of."""

from __future__ import annotations

import sqlite3

from bots.location import Location, key_of
from bridge.world import Position


def all_locations(connection: sqlite3.Connection) -> dict[str, list[Location]]:
    """Each bot's places, in the order of their names."""
    found: dict[str, list[Location]] = {}
    rows = connection.execute("SELECT bot, name, dimension, x, y, z FROM locations ORDER BY key")
    for bot, name, dimension, x, y, z in rows:
        found.setdefault(bot, []).append(Location(name, Position(x, y, z), dimension))
    return found


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
