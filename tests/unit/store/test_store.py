"""The database: a write that returned is on the disk; one that failed undid only itself."""

import asyncio
import io
import json
import shutil
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs
from support.numbers import made, numbers, put

from bots.errors import StoreError, StoreUnwritable
from bots.observability.logs import logging_to
from bots.settings.settings import LogSettings
from bots.store import database, migrations, writer
from bots.store.database import FILE_NAME, Store, connect, set_up, steps_ahead

PAGE = 4096  # bytes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "town 町.sqlite"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    store = await Store.open(path)
    await store.write(made)
    yield store
    await store.aclose()


async def test_a_write_returns_its_result_and_the_next_read_sees_it(store: Store) -> None:
    def change(connection: sqlite3.Connection) -> str:
        put(7)(connection)
        return "seven"

    assert await store.write(change) == "seven"
    assert await store.read(numbers) == [7]


async def test_a_write_that_returned_is_seen_by_another_program(store: Store, path: Path) -> None:
    await store.write(put(1))
    other = sqlite3.connect(path)
    try:
        assert numbers(other) == [1]
    finally:
        other.close()


async def test_writes_that_wait_together_share_commits(store: Store, path: Path) -> None:
    wal = path.with_name(path.name + "-wal")
    before = wal.stat().st_size
    await asyncio.gather(*(store.write(put(n)) for n in range(900)))
    pages_if_each_committed = 900 * PAGE
    assert wal.stat().st_size - before < pages_if_each_committed / 4


async def test_a_patient_write_is_committed_with_the_next_one_or_after_a_moment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PATIENCE_S", 60.0)
    patient = asyncio.ensure_future(store.write(put(1), patient=True))
    await asyncio.sleep(0)
    assert not patient.done()
    await store.write(put(2))
    assert patient.done()
    monkeypatch.setattr(writer, "PATIENCE_S", 0.01)
    await store.write(put(3), patient=True)
    assert await store.read(numbers) == [1, 2, 3]


async def test_closing_does_not_forget_what_is_patient(store: Store, path: Path) -> None:
    patient = asyncio.ensure_future(store.write(put(1), patient=True))
    await asyncio.sleep(0)
    await store.aclose()
    await patient
    with closing(sqlite3.connect(path)) as other:
        assert numbers(other) == [1]


async def test_a_failing_write_undoes_itself_alone_and_tells_its_caller(store: Store) -> None:
    refusal = ValueError("not this one")
    outcomes = await asyncio.gather(
        store.write(put(1)),
        store.write(put(2, fail=refusal)),
        store.write(put(3)),
        return_exceptions=True,
    )
    assert list(outcomes) == [None, refusal, None]
    assert await store.read(numbers) == [1, 3]


async def test_an_error_of_sqlite_comes_as_a_store_error_with_its_cause(store: Store) -> None:
    await store.write(put(1))
    with pytest.raises(StoreError, match="UNIQUE constraint failed") as caught:
        await store.write(put(1))
    assert isinstance(caught.value.__cause__, sqlite3.IntegrityError)


async def test_a_broken_change_or_query_is_a_store_error_and_no_fault_of_the_database(
    store: Store,
) -> None:
    for broken in (store.read, store.write):
        with pytest.raises(StoreError, match="no such table") as raised:
            await broken(lambda c: c.execute("SELECT * FROM nowhere").close())
        assert not isinstance(raised.value, StoreUnwritable)
    with pytest.raises(StoreError, match="readonly"):
        await store.read(put(1))
    assert store.trouble is None


async def test_a_change_that_ends_the_transaction_fails_and_writing_goes_on(store: Store) -> None:
    def rude(connection: sqlite3.Connection) -> None:
        connection.rollback()

    in_one_commit = store.write(put(1), patient=True), store.write(rude)
    outcomes = await asyncio.gather(*in_one_commit, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreError, StoreError]
    await store.write(put(2))
    assert await store.read(numbers) == [2]


async def test_a_stop_iteration_reaches_its_caller_and_harms_no_neighbour(store: Store) -> None:
    def careless(connection: sqlite3.Connection) -> None:
        next(iter(()))

    outcomes = await asyncio.gather(
        store.write(careless), store.write(put(1)), return_exceptions=True
    )
    assert isinstance(outcomes[0], StoreError)
    assert await store.read(numbers) == [1]


async def test_the_write_of_a_cancelled_caller_still_happens(store: Store) -> None:
    writing = asyncio.create_task(store.write(put(1)))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await store.write(put(2))
    assert await store.read(numbers) == [1, 2]


async def test_writes_apply_in_the_order_of_the_calls_also_beyond_the_bound(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAITING_WRITES", 100)
    again = await Store.open(path)
    await asyncio.gather(*(again.write(put(n)) for n in range(600)))
    await again.aclose()
    assert await store.read(numbers) == list(range(600))


async def test_closing_commits_what_waits(store: Store, path: Path) -> None:
    written = [await store.submit(put(n)) for n in range(500)]
    await store.aclose()
    assert all(one.done() and one.exception() is None for one in written)
    reopened = await Store.open(path)
    assert len(await reopened.read(numbers)) == 500
    await reopened.aclose()


async def test_a_closed_store_refuses_and_may_be_closed_again(store: Store) -> None:
    await store.aclose()
    await store.aclose()
    with pytest.raises(StoreError, match="closed"):
        await store.write(put(1))
    with pytest.raises(StoreError, match="closed"):
        await store.read(numbers)


async def test_every_commit_is_forced_to_the_disk_of_its_user_alone(store: Store) -> None:
    def settings(connection: sqlite3.Connection) -> list[object]:
        asked = ("journal_mode", "synchronous")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]

    full = 2
    journal, synchronous = None, None

    def change(connection: sqlite3.Connection) -> None:
        nonlocal journal, synchronous
        journal, synchronous = settings(connection)

    await store.write(change)
    assert (journal, synchronous) == ("wal", full)
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def content(path: Path) -> bytes:
    return path.read_bytes()


def overwrite(path: Path, content: bytes) -> None:
    path.write_bytes(content)


async def test_a_file_that_is_no_database_is_named_and_left_untouched(path: Path) -> None:
    before = b"these are my holiday notes\n" * 100
    overwrite(path, before)
    with pytest.raises(StoreError, match=r"town 町\.sqlite.*damaged.*left untouched"):
        await Store.open(path)
    assert content(path) == before


async def test_a_damaged_database_is_named_and_left_untouched(store: Store, path: Path) -> None:
    await asyncio.gather(*(store.write(put(n)) for n in range(5_000)))
    await store.aclose()
    damaged = bytearray(content(path))
    damaged[-3 * PAGE : -PAGE] = b"\xa5" * (2 * PAGE)
    overwrite(path, bytes(damaged))
    with pytest.raises(StoreError, match="damaged"):
        await Store.open(path)
    assert content(path) == damaged


async def test_a_database_of_a_newer_program_is_refused_and_left_untouched(path: Path) -> None:
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 999")
    newer.close()
    before = content(path)
    with pytest.raises(StoreError, match="written by a newer townsfolk"):
        await Store.open(path)
    assert content(path) == before


async def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        await Store.open(tmp_path / "nowhere" / FILE_NAME)
    with pytest.raises(StoreError, match="cannot be used"):
        await Store.open(tmp_path)


def add_pets(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE pets (name TEXT NOT NULL) STRICT")


def add_pet(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("INSERT INTO pets VALUES (?)", (name,))


async def test_a_later_step_is_told_and_then_taken_once_without_loss(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(path)
    await store.write(put_place)
    await store.aclose()
    assert steps_ahead(path) == ()
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, add_pets))
    assert steps_ahead(path) == ("add pets",)
    for name in ("Rex", "Tom"):
        store = await Store.open(path)
        await store.write(partial(add_pet, name=name))
        await store.aclose()
    with closing(connect(path)) as connection:
        assert connection.execute("SELECT name FROM pets").fetchall() == [("Rex",), ("Tom",)]
        assert places(connection) == 1


def test_a_failing_step_leaves_the_shape_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)

    def create(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (n)")

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("SELECT nonsense")

    monkeypatch.setattr(migrations, "MIGRATIONS", (create, fail))
    with pytest.raises(sqlite3.OperationalError):
        migrations.migrate(connection)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    version = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    assert (tables, version) == ((0,), (0,))


def too_much(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE IF NOT EXISTS heap (b BLOB)")
    connection.execute("INSERT INTO heap VALUES (zeroblob(1000000))")


async def may_grow(store: Store, pages: int) -> None:
    await store.write(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchall())


async def refused(store: Store) -> None:
    """A write for which there is no room, as on a full disk."""
    (pages,) = await store.read(lambda c: c.execute("PRAGMA page_count").fetchone())
    await may_grow(store, pages)
    with pytest.raises(StoreUnwritable, match="disk is full"):
        await store.write(too_much)


async def test_a_full_disk_is_told_once_and_once_more_when_there_is_room(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk: the write is refused by an error of its own, reads go on, and one line in the
    log says so however many writes fail."""
    monkeypatch.setattr(database, "SETTLED_S", 3_600.0)
    with capture_logs() as logged:
        for _ in range(3):
            await refused(store)
        assert await store.read(numbers) == []
        assert store.trouble is not None
        monkeypatch.setattr(database, "SETTLED_S", 0.0)
        await may_grow(store, 1_000_000)
        await store.write(too_much)
    assert store.trouble is None
    assert [entry["event"] for entry in logged] == ["database.write_failed", "database.recovered"]


async def test_a_write_that_still_fits_onto_a_full_disk_is_no_recovery(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log said that all was well, and nothing more of the failures that followed."""
    monkeypatch.setattr(database, "SETTLED_S", 0.0)
    bytes_free = 9 * PAGE
    disk = lambda _: SimpleNamespace(total=10**9, free=bytes_free)  # noqa: E731
    monkeypatch.setattr(shutil, "disk_usage", disk)
    await refused(store)
    await store.write(put(1))
    assert store.trouble is not None
    bytes_free = 10**8
    await store.write(put(2))
    assert store.trouble is None


async def test_each_time_a_disk_is_full_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log leaves out what it has said half a minute ago, but this is news."""
    monkeypatch.setattr(database, "SETTLED_S", 0.0)
    out = io.StringIO()
    with logging_to(tmp_path, LogSettings(), stream=out):
        for number in range(2):
            await refused(store)
            await store.write(put(number))
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    failed, recovered = "database.write_failed", "database.recovered"
    assert [one["event"] for one in told] == [failed, recovered, failed, recovered]
    assert [one["times"] for one in told if one["event"] == failed] == [1, 2]


async def test_programs_that_start_at_the_same_time_make_one_database(path: Path) -> None:
    stores = await asyncio.gather(*(Store.open(path) for _ in range(8)))
    await stores[0].write(put_place)
    assert [await store.read(places) for store in stores] == [1] * 8
    for store in stores:
        await store.aclose()


class Trying(sqlite3.Connection):
    """Tells when a statement of it is refused."""

    refused = threading.Event()

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        try:
            return super().execute(*statement)
        except sqlite3.OperationalError:
            self.refused.set()
            raise


def test_a_new_file_that_another_program_writes_to_is_waited_for(path: Path) -> None:
    path.touch()
    with closing(sqlite3.connect(path)) as other, closing(connect(path, factory=Trying)) as mine:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor() as pool:
            prepared = pool.submit(set_up, mine)
            assert Trying.refused.wait(30)
            other.rollback()
            prepared.result(30)
        assert mine.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_new_file_held_by_others_is_not_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.touch()
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.05)
    with closing(sqlite3.connect(path)) as other, closing(connect(path)) as mine:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            set_up(mine)


def put_place(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO placements VALUES (1, 'A', 'torch', 'torch', 'x', 1, 0, 0, 0)")


def places(connection: sqlite3.Connection) -> int:
    count: int = connection.execute("SELECT count(*) FROM placements").fetchone()[0]
    return count


async def test_the_store_is_at_work_until_all_is_written_and_read(store: Store) -> None:
    assert not store.is_at_work
    writing, reading = await store.submit(put(1)), asyncio.ensure_future(store.read(numbers))
    assert store.is_at_work
    await asyncio.gather(writing, reading)
    assert not store.is_at_work
