"""Copies a database while others write to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bots.errors import StoreError, StoreUnwritable
from bots.private_files import for_owner_alone
from bots.store.database import connect, what_else
from bots.store.migrations import shape_after, shape_of
from bots.text.printable import printable


def copy_database(source: Path, copy: Path) -> int:
    """Copy everything committed so far into a new file; returns its schema version.

    Writers continue; their later commits are not in the copy. Raises StoreError if the database
    is damaged or locked, StoreUnwritable if there is no room for the copy.
    """
    if other := what_else(source):
        raise StoreError(f"{source} is {other}")
    with open(copy, "xb", opener=for_owner_alone):
        pass
    try:
        with closing(connect(source, mode="ro")) as reading, closing(connect(copy)) as writing:
            # All is read as it is now. Without a transaction `backup` would wait for a lock
            # without end, and begin anew after each commit of another program.
            reading.execute("BEGIN")
            steps: int = reading.execute("PRAGMA user_version").fetchone()[0]
            reading.backup(writing)
            _seal(writing)
    except sqlite3.Error as error:
        kind = StoreUnwritable if _is_without_room(error) else StoreError
        raise kind(f"{source}: the database cannot be copied: {error}") from error
    return steps


def check_copy(copy: Path, steps: int) -> None:
    """Check that the copy is intact and has the tables of this schema version.

    Raises StoreError, whose text goes on after its name."""
    try:
        with closing(connect(copy, mode="ro")) as reading:
            found = reading.execute("PRAGMA quick_check(1)").fetchone()[0]
            taken = reading.execute("PRAGMA user_version").fetchone()[0]
            shape = shape_of(reading)
    except sqlite3.Error as error:
        raise StoreError(f"cannot be read: {error}") from error
    if found != "ok" or taken != steps:
        raise StoreError("is not whole")
    ours = shape_after(steps)
    if missing := sorted(name for kind, name in ours - shape):
        raise StoreError(f"has no {missing[0]}")
    if strange := sorted(name for kind, name in shape - ours if kind in ("trigger", "view")):
        raise StoreError(f"has a trigger or view of its own, {printable(strange[0])!r}")


def _seal(copy: sqlite3.Connection) -> None:
    """Find damage that came along, and make the copy one file."""
    found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(f"it is damaged ({found})")
    copy.execute("PRAGMA journal_mode = DELETE")


def _is_without_room(error: sqlite3.Error) -> bool:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_FULL
