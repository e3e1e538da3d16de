"""The database: one thread writes, and a write that has returned is on the disk.

    callers -> queue -> writer thread: take all that wait -> one transaction -> commit -> callers

Waiting writes share one commit. Each runs in its own savepoint, so a failed write undoes only
itself and its error reaches its own caller.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from os import stat_result
from pathlib import Path
from typing import Literal, TypeVar

import structlog

from bots.clock import Sleep
from bots.errors import StoreError, StoreUnwritable
from bots.private_files import FILE_MODE, has_room
from bots.store.migrations import is_of_ours, migrate, names_of_steps_left, tables_of
from bots.store.recording import Journal, RecordingConnection, set_outside, set_place
from bots.store.writer import Writer
from bots.text.printable import printable

log = structlog.get_logger()

T = TypeVar("T")

FILE_NAME = "townsfolk.sqlite"  # in the data folder
BUSY_TIMEOUT_S = 5.0  # we give up when another program holds the database for longer
TRY_AGAIN_S = 0.01
WAITING_WRITES = 10_000  # further callers wait for a place
SETTLED_S = 5.0  # on a full disk some writes succeed: all is well after this time without a failure
LOOK_EVERY_S = 2.0
_LOST_HELP = "what bots hear is kept only until the daemon ends: put the file back, then restart"
_DAMAGED_HELP = "end the daemon, move the data folder away and put a backup back (docs/running.md)"
OF_OTHERS = "which townsfolk did not make"
OLDEST_SQLITE = (3, 37, 0)  # STRICT tables
TABLES_BEFORE_1_0 = frozenset({"utterances", "hearings"})


class Store:
    """One open database. Belongs to the event loop that opened it."""

    def __init__(
        self,
        path: Path,
        writer: Writer,
        reading: sqlite3.Connection,
        journal: Journal | None = None,
    ) -> None:
        self.path = path
        self._journal = journal
        self._writer = writer
        self._reading = reading
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="store-reader")
        self._places = asyncio.Semaphore(WAITING_WRITES)
        self._reads = 0
        self._closed = False
        self._unwritable: str | None = None
        self._last_failure_s = 0.0
        self._failures = 0
        self._file = _identity(path)
        self._lost: str | None = None
        self._damage: str | None = None
        self._inspection = Inspection(path)

    @classmethod
    async def open(cls, path: Path, journal: Journal | None = None) -> Store:
        """Open or create the database and bring it to the newest shape.

        With a journal, the file must be where the journal's place is; each commit is stored there
        first, and the journal is closed with the database.
        Raises StoreError, naming the file, when it cannot be used; a damaged file is not touched.
        """
        writing, reading = await asyncio.to_thread(_connect_both, path, journal)
        return cls(path, Writer(writing, asyncio.get_running_loop(), journal), reading, journal)

    async def write(self, change: Callable[[sqlite3.Connection], T], *, patient: bool = False) -> T:
        """Run `change` in the writer thread and return its result once it is committed.

        The change must not commit or roll back. Changes apply in the order of the calls. Its own
        error undoes it alone and is raised here; SQLite's errors come as StoreError, as
        StoreUnwritable when the disk is full, say. That is logged here, once for each time it
        begins: callers that can do without the write need not log it.
        A cancelled caller's change still happens. A patient one may wait a moment for another,
        to be committed with it.
        """
        return await (await self.submit(change, patient=patient))

    async def submit(
        self, change: Callable[[sqlite3.Connection], T], *, patient: bool = False
    ) -> asyncio.Future[T]:
        """Queue `change`, waiting for a place; the future is done once it is committed."""
        await self._places.acquire()
        if self._closed:
            self._places.release()
            raise StoreError(f"{self.path}: the database is closed")
        written = self._writer.put(change, patient=patient)
        written.add_done_callback(self._written)
        return written

    async def write_and_show(
        self, change: Callable[[sqlite3.Connection], T], show: Callable[[T], object]
    ) -> T:
        """The same; what is stored is shown even if the caller is cancelled meanwhile."""
        written = await self.submit(change)
        written.add_done_callback(lambda done: show(done.result()) if _is_well(done) else None)
        return await asyncio.shield(written)

    async def keep(
        self, change: Callable[[sqlite3.Connection], object], *, patient: bool = False
    ) -> asyncio.Future[object] | None:
        """Queue a change that its caller can do without: only the log tells when it fails. None
        once the database is closed."""
        try:
            written: asyncio.Future[object] = await self.submit(change, patient=patient)
        except StoreError:
            return None
        written.add_done_callback(_is_well)
        return written

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run `query` in the reader thread; it sees every write that has returned."""
        if self._closed:
            raise StoreError(f"{self.path}: the database is closed")
        loop = asyncio.get_running_loop()
        self._reads += 1
        try:
            return await loop.run_in_executor(self._reader, query, self._reading)
        except sqlite3.Error as error:
            if is_out_of_order(error):
                self._tell_damage(str(error))
            raise StoreError(f"{self.path}: {error}") from error
        finally:
            self._reads -= 1

    @property
    def is_at_work(self) -> bool:
        """Whether one of its threads writes or reads."""
        return not self._closed and (self._writer.is_at_work or self._reads > 0)

    @property
    def trouble(self) -> str | None:
        """Why we would lose what we write now; None while all is well."""
        return self._lost or self._damage or self._unwritable

    async def watch(self, sleep: Sleep) -> None:
        """Notice when the file is deleted, replaced or damaged under us, until cancelled. In a file
        without a name SQLite goes on writing, and all of it ends with the program."""
        while True:
            await sleep(LOOK_EVERY_S)
            found = _identity(self.path)
            what = "replaced" if found else "deleted"
            lost = (
                None if found == self._file else f"the file was {what} while in use; {_LOST_HELP}"
            )
            if lost is not None and lost != self._lost:
                log.error("database.lost", file=str(self.path), why=lost)
            self._lost = lost
            if self._inspection.is_due() and not self.is_at_work and not self._lost:
                await self._inspect()

    async def aclose(self) -> None:
        """Commit what waits, then close. Further calls are refused."""
        if self._closed:
            return
        self._closed = True
        self._writer.hand_over()
        if self._journal is not None:
            self._journal.end_soon()
        await asyncio.to_thread(self._end)
        if self._journal is not None:
            await self._journal.aclose()

    def _end(self) -> None:
        self._reader.shutdown()
        self._reading.close()
        self._writer.end()

    def _written(self, written: asyncio.Future[T]) -> None:
        self._places.release()
        if written.cancelled():
            return
        now_s = asyncio.get_running_loop().time()
        failure = written.exception()
        is_settled = failure is None and now_s - self._last_failure_s >= SETTLED_S
        if isinstance(failure, StoreUnwritable):
            self._last_failure_s = now_s
            why = str(failure)
            if self._unwritable != why:
                self._unwritable = why
                self._failures += 1  # the log shows this count because it drops repeated lines
                file, times = str(self.path), self._failures
                log.error("database.write_failed", file=file, why=why, times=times)
        elif is_settled and self._unwritable and has_room(self.path.parent):
            self._unwritable = None
            log.info("database.recovered", file=str(self.path))

    async def _inspect(self) -> None:
        """Inspect a part of the file while nobody needs it. Damage found by reading alone stays."""
        knew = self._inspection.damage
        self._reads += 1
        try:
            await asyncio.to_thread(self._inspection.take_turn)
        finally:
            self._reads -= 1
        if (found := self._inspection.damage) is not None:
            self._tell_damage(found)
        elif knew is not None:
            self._damage = None
            log.info("database.whole_again", file=str(self.path))

    def _tell_damage(self, found: str) -> None:
        if self._damage is None:
            self._damage = f"the file is damaged ({found}); {_DAMAGED_HELP}"
            log.error("database.damaged", file=str(self.path), why=self._damage)


def _is_well(written: asyncio.Future[T]) -> bool:
    """Whether it was written; asking is enough for asyncio not to complain of a failure."""
    return not written.cancelled() and written.exception() is None


def steps_ahead(path: Path) -> tuple[str, ...]:
    """The steps by which opening it would change its shape, in words; changes nothing.

    Raises StoreError when it is damaged, or of a newer version."""
    if not path.exists():
        return ()
    try:
        _check(path)
        with closing(connect(path, mode="ro")) as connection:
            return names_of_steps_left(connection)
    except (sqlite3.Error, StoreError) as error:
        raise StoreError(f"{path}: the database cannot be used: {error}") from error


def bring_to_newest(path: Path) -> None:
    """Make the file, or bring it to the newest shape, as `Store.open` does. Raises StoreError."""
    for connection in _connect_both(path, None):
        connection.close()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file this is; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connect_both(
    path: Path, journal: Journal | None
) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: 3.37 or newer is needed")
    try:
        _check(path)
        return _prepared(path, journal), connect(path, mode="ro")
    except (sqlite3.Error, OSError, StoreError) as error:
        raise StoreError(f"{path}: the database cannot be used: {error}") from error


def what_else(path: Path) -> str:
    """What a file is, in words, if it is a database that we cannot go on with; else empty.

    It is looked at as it lies there: not a byte of it or beside it is written."""
    try:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return _others_tables(connection)
    except sqlite3.Error:  # damaged: that is told when it is opened
        return ""


def _others_tables(connection: sqlite3.Connection) -> str:
    tables = tables_of(connection)
    if not tables or is_of_ours(connection):
        return ""
    if tables >= TABLES_BEFORE_1_0:
        return "the database of a townsfolk before 1.0, which this one cannot read"
    shown = printable(", ".join(sorted(tables)[:3]))
    more = ", …" if len(tables) > 3 else ""
    return f"the database of another program (with {shown}{more}), {OF_OTHERS}"


def _check(path: Path) -> None:
    """Make the file, private to its user; or find damage before anything is written to it."""
    if not path.exists():
        path.touch(mode=FILE_MODE)
        return
    if other := what_else(path):
        raise StoreError(f"it is {other}; it was left untouched: use another data folder")
    try:
        with closing(connect(path, mode="ro")) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError:
        raise  # a lock or missing rights are no damage
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise StoreError(f"the file is damaged and was left untouched ({found})")


def connect(
    path: Path,
    mode: Literal["ro", "rw"] = "rw",
    factory: type[sqlite3.Connection] = sqlite3.Connection,
) -> sqlite3.Connection:
    """Open the file. Raises sqlite3.Error."""
    # Each connection is used by one thread at a time, but not by the one that opens it.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        factory=factory,
    )
    # One damaged text would make its whole query fail.
    connection.text_factory = lambda stored: stored.decode("utf-8", "replace")
    return connection


def _prepared(path: Path, journal: Journal | None) -> sqlite3.Connection:
    kind = sqlite3.Connection if journal is None else RecordingConnection
    connection = connect(path, factory=kind)
    try:
        if other := _others_tables(connection):  # of which all lay in its -wal
            raise StoreError(f"it is {other}; it was left untouched: use another data folder")
        migrate(connection)
        set_up(connection)
        if journal is None:
            set_outside(connection)
        else:
            set_place(connection, journal.place)
    except (sqlite3.Error, StoreError):
        connection.close()
        raise
    return connection


def set_up(connection: sqlite3.Connection) -> None:
    """How the database is written. Raises sqlite3.Error."""
    _write_ahead(connection)
    for setting in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """SQLite waits for others who hold the file, except for this change: it fails at once."""
    give_up_at = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_at:
                raise
            time.sleep(TRY_AGAIN_S)
        else:
            return


TURN_S = 0.2
LONGEST_S = 3.0  # for one table; we skip slower ones
STEPS = 10_000  # SQLite instructions between two looks at the clock
REST_TURNS = 5  # turns between two rounds, because our own checkpoints change the file too
MOST_REST_TURNS = 300  # turns after which we look again even without a change: disks lose bits
_SCHEMA = "sqlite_schema"
_OUT_OF_ORDER = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
}


class Inspection:
    """Looks for damage in a database in use: a few tables in a turn, all of them in a round.

    SQLite may keep earlier pages in memory, so each turn opens the file again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left: list[str] = []
        self._rested = 0
        self._seen = _stamp(path)
        self._found: str | None = None
        self.damage: str | None = None
        """The finding of the newest round."""

    def is_due(self) -> bool:
        """Whether there is something to inspect; called once a turn."""
        self._rested += 1
        has_changed = _stamp(self._path) != self._seen or self.damage is not None
        rest = REST_TURNS if has_changed else MOST_REST_TURNS
        return bool(self._left) or self._rested >= rest

    def take_turn(self) -> None:
        """Look at some tables. Blocks for a moment."""
        if not self._left:
            self._found, self._rested, self._seen = None, 0, _stamp(self._path)
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=0.0)) as connection:
                if not self._left:
                    query = f"SELECT name FROM {_SCHEMA} WHERE type = 'table' AND rootpage > 0"
                    self._left = [*(name for (name,) in connection.execute(query)), _SCHEMA]
                self._found = self._found or self._first_fault(connection)
        except sqlite3.DatabaseError as error:
            self._left = []
            self._found = self._found or (str(error) if is_out_of_order(error) else None)
        if self._found is not None or not self._left:
            self._left, self.damage = [], self._found

    def _first_fault(self, connection: sqlite3.Connection) -> str | None:
        end_s = time.monotonic() + TURN_S
        while self._left:
            found = _fault(connection, self._left.pop())
            if found is not None or time.monotonic() > end_s:
                return found
        return None


def is_out_of_order(error: sqlite3.Error) -> bool:
    """Whether the file or its disk is at fault, not a lock or a query."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _OUT_OF_ORDER


def _fault(connection: sqlite3.Connection, table: str) -> str | None:
    give_up_s = time.monotonic() + LONGEST_S
    connection.set_progress_handler(lambda: time.monotonic() > give_up_s, STEPS)
    quoted = table.replace("'", "''")
    try:
        found: str = connection.execute(f"PRAGMA quick_check('{quoted}')").fetchone()[0]
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        return None
    return None if found == "ok" else found


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when somebody writes to the file; None where there is none."""
    try:
        found: stat_result = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
