"""Homes with a history on a bus, and what their files hold."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from bots.cluster.bus import Bus
from bots.cluster.history import HomeHistory, OpenHome

HOME = "7f3a"
NUMBERS = "CREATE TABLE IF NOT EXISTS numbers (n INTEGER UNIQUE, words ANY) STRICT"


@asynccontextmanager
async def home_of(bus: Bus, path: Path, member: str = "one", **how: Any) -> AsyncIterator[OpenHome]:
    """The home open at one daemon, with a table for numbers."""
    home = await HomeHistory(bus, HOME).open(path, member, 1, **how)
    try:
        yield home
    finally:
        await home.store.aclose()


async def put(home: OpenHome, number: int, words: object = None) -> None:
    await home.store.write(putting(number, words))


def putting(number: int, words: object = None) -> Callable[[sqlite3.Connection], None]:
    def change(connection: sqlite3.Connection) -> None:
        connection.execute(NUMBERS)
        connection.execute("INSERT INTO numbers VALUES (?, ?)", (number, words))

    return change


def numbers_in(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name='numbers'").fetchone():
            return []
        return [n for (n,) in connection.execute("SELECT n FROM numbers ORDER BY n")]


def contents(path: Path) -> dict[str, list[Any]]:
    """Every row of every table, those within indices of words too; not how far it is."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        )
        rows = {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)
            for (name,) in tables.fetchall()
            if name != "replicated"
        }
    return {"schema": found, **rows}
