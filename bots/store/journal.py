"""The port to a history outside of the file, and the file's position in it.

    writer thread: run a group -> Journal.append(group) -> note its place -> COMMIT

So the file always holds a prefix of the history, and a write that has returned is in both.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from bots.errors import StoreUnwritable

LOOK_EVERY_S = 1.0  # how often the writer thread checks that the event loop still runs


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a history."""

    history: str
    position: int
    run: str
    """Its writer. The history gets a new writer id with each change of writer."""
    number: int
    """Of the entry among those of its writer."""


@dataclass(frozen=True, slots=True)
class Replicated:
    """The position of a file in its history."""

    place: Place
    outside: bool
    """Whether it was opened without its history, and may hold more."""
    becoming: str
    """The history that was being made of it; empty when none was."""


class Journal(Protocol):
    """Where each group of changes is stored before it is committed. Used on one event loop."""

    @property
    def place(self) -> Place:
        """Where the file that is opened with it is."""
        ...

    def append(self, group: bytes) -> Coroutine[Any, Any, Place]:
        """Store a group of `bots.store.recording`; returns once it is safe.

        Waits while that cannot be known. Raises StoreUnwritable when the file may not be written
        any more; whether the group is stored is then not known."""
        ...

    def end_soon(self) -> None:
        """Wait no longer than a moment from now on."""
        ...

    async def aclose(self) -> None:
        """Called when the file is closed."""
        ...


def replicated(connection: sqlite3.Connection) -> Replicated | None:
    """How far the file is; None when it has no history. Raises sqlite3.Error."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'replicated'").fetchone():
        return None
    row = connection.execute(
        "SELECT history, position, run, number, outside, becoming FROM replicated"
    ).fetchone()
    return None if row is None else Replicated(Place(*row[:4]), bool(row[4]), row[5])


def set_place(connection: sqlite3.Connection, place: Place) -> None:
    """Note that the file is at this position and holds nothing more."""
    connection.execute(
        "INSERT OR REPLACE INTO replicated"
        " (id, history, position, run, number, outside, becoming) VALUES (1, ?, ?, ?, ?, 0, '')",
        (place.history, place.position, place.run, place.number),
    )


def set_outside(connection: sqlite3.Connection) -> None:
    """Note that no history holds later writes."""
    found = replicated(connection)
    if found is not None and (not found.outside or found.becoming):
        connection.execute("UPDATE replicated SET outside = 1, becoming = ''")


def set_becoming(connection: sqlite3.Connection, history: str) -> None:
    """Note which history is about to be made of the file as it is."""
    connection.execute("INSERT OR IGNORE INTO replicated VALUES (1, '', 0, '', 0, 1, '')")
    connection.execute("UPDATE replicated SET becoming = ?", (history,))


def appended(journal: Journal, group: bytes, loop: asyncio.AbstractEventLoop) -> Place:
    """Append from another thread than the loop's. Raises StoreUnwritable, whatever went wrong."""
    work = journal.append(group)
    try:
        storing = asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError as error:
        work.close()
        raise StoreUnwritable(f"the program has ended: {error}") from error
    try:
        failure = _failure(storing, loop)
    except CancelledError:
        raise StoreUnwritable("the program ends: it is not known whether this is kept") from None
    if failure is None:
        return storing.result()
    if isinstance(failure, StoreUnwritable):
        raise failure
    raise StoreUnwritable(f"the home's history was not written: {failure!r}") from failure


def _failure(storing: Future[Place], loop: asyncio.AbstractEventLoop) -> BaseException | None:
    """Wait until it has ended, as long as the loop has not."""
    while True:
        with suppress(TimeoutError):
            return storing.exception(LOOK_EVERY_S)
        if loop.is_closed():
            return StoreUnwritable("the program has ended: it is not known whether this is kept")
