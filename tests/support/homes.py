"""Homes with a history on a bus, and what their files hold."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from support.broker import running_broker

from bots.clock import utc_now
from bots.cluster.bus import Bus
from bots.cluster.history import HomeHistory, OpenHome
from bots.cluster.local import LocalBus
from bots.cluster.nats_bus import NatsBus

LEASE_S = 60.0
HOME = "7f3a"
NUMBERS = "CREATE TABLE IF NOT EXISTS numbers (n INTEGER UNIQUE, words ANY) STRICT"


@asynccontextmanager
async def two_buses(kind: str, folder: Path) -> AsyncIterator[tuple[Bus, Bus]]:
    """The bus as two daemons see it."""
    if kind == "local":
        bus = LocalBus(utc_now, time.monotonic, LEASE_S)
        yield bus, bus
        await bus.aclose()
        return
    async with running_broker(folder) as broker:
        mine = await NatsBus.connect([broker.url], "test", LEASE_S)
        yours = await NatsBus.connect([broker.url], "test", LEASE_S)
        try:
            yield mine, yours
        finally:
            await mine.aclose()
            await yours.aclose()


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
