"""Damage to a database in use is found by looking for it and by reading, and told."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import anyio
import pytest
from structlog.testing import capture_logs
from support.rig import until

from bots.errors import StoreError
from bots.store import database
from bots.store.database import Inspection, Store

PAGE = 4096  # bytes
RUBBISH = b"\xa5" * PAGE


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(database, "REST_TURNS", 1)


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A database of some hundred pages, all of them in its file."""
    path = tmp_path / "townsfolk.sqlite"
    store = await Store.open(path)

    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE first (n INTEGER, words TEXT)")
        connection.execute("CREATE TABLE last (n INTEGER, words TEXT)")
        for table in ("first", "last"):
            rows = [(n, f"{n} {table} " * 40) for n in range(500)]
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)

    await store.write(fill)
    await store.aclose()
    return path


@asynccontextmanager
async def watched(path: Path) -> AsyncIterator[Store]:
    store = await Store.open(path)
    watching = asyncio.create_task(store.watch(asyncio.sleep))
    try:
        yield store
    finally:
        watching.cancel()
        await asyncio.wait({watching})
        await store.aclose()


async def until_trouble(store: Store) -> str:
    await until(lambda: store.trouble is not None)
    return str(store.trouble)


def damage(path: Path, page: int) -> bytes:
    """Overwrite one page; what the file held before."""
    before = path.read_bytes()
    with path.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(RUBBISH)
    return before


def pages_of(path: Path) -> int:
    return path.stat().st_size // PAGE


async def test_damage_nobody_reads_is_found_told_once_and_over_when_mended(path: Path) -> None:
    with capture_logs() as logged:
        async with watched(path) as store:
            before = damage(path, pages_of(path) - 2)
            assert "the file is damaged" in await until_trouble(store)
            with path.open("r+b") as file:
                file.write(before)
            await until(lambda: store.trouble is None)
    told = [one["event"] for one in logged if one["event"].startswith("database.")]
    assert told == ["database.damaged", "database.whole_again"]


@pytest.mark.parametrize("seed", range(6))
async def test_whichever_page_is_damaged_a_round_finds_it(path: Path, seed: int) -> None:
    looking = Inspection(path)
    damage(path, random.Random(seed).randrange(pages_of(path)))
    await anyio.to_thread.run_sync(looking.take_turn)
    assert looking.damage


async def test_a_round_takes_several_short_turns_and_finds_what_is_in_any(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TURN_S", -1.0)
    looking = Inspection(path)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'first'"
        ).fetchone()
    damage(path, root - 1)
    turns = 0
    while not looking.damage:
        looking.take_turn()
        turns += 1
        assert looking.is_due() or looking.damage
    assert turns == 3  # the schema, the last, the first


async def test_what_takes_too_long_is_passed_over_and_is_no_damage(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LONGEST_S", -1.0)
    monkeypatch.setattr(database, "STEPS", 1)
    looking = Inspection(path)
    damage(path, pages_of(path) - 2)
    looking.take_turn()
    assert looking.damage is None


async def test_a_whole_database_is_looked_through_once_and_then_left_alone(path: Path) -> None:
    looking = Inspection(path)
    looking.take_turn()
    assert looking.damage is None
    assert [looking.is_due() for _ in range(20)] == [False] * 20


async def test_what_only_reading_finds_is_told_and_stays(path: Path) -> None:
    """An index of words may be damaged where no page is."""
    async with watched(path) as store:

        def broken(_: sqlite3.Connection) -> None:
            error = sqlite3.DatabaseError("database disk image is malformed")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT_VTAB
            raise error

        with pytest.raises(StoreError):
            await store.read(broken)
        await asyncio.to_thread(store._inspection.take_turn)
        assert "malformed" in str(store.trouble)


async def test_a_page_that_is_read_tells_at_once(path: Path) -> None:
    store = await Store.open(path)
    try:
        for page in range(2, pages_of(path)):
            damage(path, page)
        with pytest.raises(StoreError, match="malformed"):
            await store.read(lambda c: c.execute("SELECT sum(length(words)) FROM last").fetchall())
        assert "the file is damaged" in str(store.trouble)
    finally:
        await store.aclose()


async def test_a_wrong_query_is_no_damage(path: Path) -> None:
    async with watched(path) as store:
        with pytest.raises(StoreError):
            await store.read(lambda c: c.execute("SELECT * FROM nowhere").fetchall())
        assert store.trouble is None


async def test_a_database_that_others_hold_is_no_damage(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        looking = Inspection(path)
        looking.take_turn()
    assert looking.damage is None
