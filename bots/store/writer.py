"""The writing thread: it commits all waiting changes together and tells the callers.

A patient change goes along with the next urgent one, or after a moment. Nobody waits for it, and
its own commit would delay urgent ones.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, TypeAlias, TypeVar

from bots.errors import StoreError, StoreUnwritable
from bots.store.recording import (
    Journal,
    Place,
    RecordingConnection,
    Statement,
    appended,
    packed,
    replay,
    set_place,
)

T = TypeVar("T")

PATIENCE_S = 0.05
_OF_DATABASE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOTADB,
}
TOGETHER = 1_000  # changes in one commit; with many more, the first would wait too long


class Change:
    """One caller's change and its result."""

    __slots__ = ("error", "result", "run", "written")

    def __init__(
        self, run: Callable[[sqlite3.Connection], Any], written: asyncio.Future[Any]
    ) -> None:
        self.run = run
        self.written = written
        self.result: Any = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        if self.written.done():
            return  # its caller was cancelled
        if self.error is not None:
            self.written.set_exception(self.error)
        else:
            self.written.set_result(self.result)


Inbox: TypeAlias = "SimpleQueue[list[Change] | None]"  # None: nothing more will come


class Writer:
    """Owns the writing connection and the only thread that uses it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        loop: asyncio.AbstractEventLoop,
        journal: Journal | None = None,
    ) -> None:
        self._connection = connection
        self._loop = loop
        self._journaled = _Journaled(connection, loop, journal) if journal is not None else None
        self._inbox: Inbox = SimpleQueue()
        self._patient: list[Change] = []
        self._handed = 0
        # A daemon thread: a program that dies without closing loses only what never returned.
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    def put(
        self, run: Callable[[sqlite3.Connection], T], *, patient: bool = False
    ) -> asyncio.Future[T]:
        """Queue a change; its future is done after the commit."""
        written: asyncio.Future[T] = self._loop.create_future()
        self._patient.append(Change(run, written))
        if patient:
            self._loop.call_later(PATIENCE_S, self.hand_over)
        else:
            self.hand_over()
        return written

    def hand_over(self) -> None:
        """Hand the patient changes to the thread."""
        if self._patient:
            self._handed += len(self._patient)
            self._inbox.put(self._patient)
            self._patient = []

    @property
    def is_at_work(self) -> bool:
        """Whether the thread has changes whose callers wait."""
        return self._handed > 0

    def end(self) -> None:
        """Commit what waits and close. Blocks; call it off the loop."""
        self._inbox.put(None)
        self._thread.join()
        self._connection.close()

    def _work(self) -> None:
        more = True
        while more:
            changes, more = _take(self._inbox)
            if changes:
                if self._journaled is None:
                    _commit(self._connection, changes)
                else:
                    self._journaled.commit(changes)
                self._tell(changes)

    def _tell(self, changes: list[Change]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._settle, changes)

    def _settle(self, changes: list[Change]) -> None:
        self._handed -= len(changes)
        for change in changes:
            change.settle()


def _take(inbox: Inbox) -> tuple[list[Change], bool]:
    """All changes that wait, at least one unless the end has come; and whether more may follow."""
    changes: list[Change] = []
    handed = inbox.get()
    with suppress(Empty):
        while handed is not None:
            changes += handed
            if len(changes) >= TOGETHER:
                return changes, True
            handed = inbox.get_nowait()
    return changes, handed is not None


class _Scope:
    """A change's own savepoint: what it raises undoes it alone and goes to its caller."""

    def __init__(self, connection: sqlite3.Connection, change: Change) -> None:
        self._connection = connection
        self._change = change

    def __enter__(self) -> None:
        self._connection.execute("SAVEPOINT change")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._change.error = _for_caller(error)
        if not self._connection.in_transaction:  # SQLite gave it up, as it does on a full disk
            raise sqlite3.OperationalError(f"the transaction ended early: {error}") from error
        if error is not None:
            self._connection.execute("ROLLBACK TO change")
        self._connection.execute("RELEASE change")
        return True


def _commit(connection: sqlite3.Connection, changes: list[Change]) -> None:
    """Apply and commit; when that fails as a whole, every change carries the error."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        for change in changes:
            with _Scope(connection, change):
                change.result = change.run(connection)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        _fail(changes, error)
    with suppress(sqlite3.Error):  # the next BEGIN would say so again
        connection.rollback()


class _Journaled:
    """Commits that are appended to a journal first: what is not there is not in the file."""

    def __init__(
        self, connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop, journal: Journal
    ) -> None:
        assert isinstance(connection, RecordingConnection)
        self._connection, self._loop, self._journal = connection, loop, journal
        self._refusal: StoreUnwritable | None = None
        self._kept_out: tuple[bytes, Place] | None = None
        """Changes that the journal holds but the full disk did not take."""

    def commit(self, changes: list[Change]) -> None:
        """As `_commit`."""
        try:
            if self._refusal is not None:
                raise self._refusal
            self._take_in()
            self._connection.execute("BEGIN IMMEDIATE")
            if any(group := [self._run(change) for change in changes]):
                self._append(packed([statements for statements in group if statements]))
            self._connection.execute("COMMIT")
            self._kept_out = None
        except (sqlite3.Error, StoreUnwritable) as error:
            _fail(changes, error)
        with suppress(sqlite3.Error):
            self._connection.rollback()

    def _run(self, change: Change) -> list[Statement]:
        """What it did; nothing when it failed."""
        done: list[Statement] = []
        with _Scope(self._connection, change):
            with self._connection.recorded() as statements:
                result = change.run(self._connection)
            change.result, done = result, statements
        return done

    def _append(self, group: bytes) -> None:
        try:
            place = appended(self._journal, group, self._loop)
        except StoreUnwritable as refusal:
            self._refusal = refusal
            raise
        self._kept_out = group, place
        set_place(self._connection, place)

    def _take_in(self) -> None:
        """Do what the file could not take before anything that may build on it."""
        if self._kept_out is not None:
            group, place = self._kept_out
            self._connection.execute("BEGIN IMMEDIATE")
            replay(self._connection, group)
            set_place(self._connection, place)
            self._connection.execute("COMMIT")
            self._kept_out = None


def _fail(changes: list[Change], error: Exception) -> None:
    for change in changes:
        change.error = change.error or _for_caller(error)


def _for_caller(error: BaseException | None) -> BaseException | None:
    if not isinstance(error, (sqlite3.Error, StopIteration)):  # a future refuses StopIteration
        return error
    kind = StoreUnwritable if _is_of_database(error) else StoreError
    failure = kind(f"the database could not be written: {error}")
    failure.__cause__ = error
    return failure


def _is_of_database(error: BaseException) -> bool:
    """Whether the error is not the change's fault: a full disk, a lock, damage, missing rights."""
    if not isinstance(error, sqlite3.Error):
        return False
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:  # ours: a transaction that ended early, for another change's error
        return error.__cause__ is not None and _is_of_database(error.__cause__)
    return code & 0xFF in _OF_DATABASE
