"""Looks through a database in use for damage: a few tables in a turn, all in a round.

What was read before may lie in SQLite's memory, so each turn opens the file anew.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from os import stat_result
from pathlib import Path

TURN_S = 0.2
LONGEST_S = 3.0  # for one table; a longer one is passed over
STEPS = 10_000  # of SQLite's, from one look at the clock to the next
REST_TURNS = 5  # from one round to the next: our own checkpoints change the file, too
MOST_REST_TURNS = 300  # though nothing changed: disks forget
_SCHEMA = "sqlite_schema"
_OUT_OF_ORDER = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
}


class Inspection:
    """Of one file that was whole when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left: list[str] = []
        self._rested = 0
        self._seen = _stamp(path)
        self._found: str | None = None
        self.damage: str | None = None
        """What the newest round found."""

    def is_due(self) -> bool:
        """Whether there is something to look at; asked once a turn."""
        self._rested += 1
        has_changed = _stamp(self._path) != self._seen or self.damage is not None
        rest = REST_TURNS if has_changed else MOST_REST_TURNS
        return bool(self._left) or self._rested >= rest

    def take_turn(self) -> None:
        """Look at some tables. Blocks for a moment."""
        if not self._left:
            self._found, self._rested, self._seen = None, 0, _stamp(self._path)
        try:
            with closing(_opened(self._path)) as connection:
                self._left = self._left or _tables(connection)
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
    """Whether the file is what is wrong, or its disk: no lock, and no fault of a query."""
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


def _tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(f"SELECT name FROM {_SCHEMA} WHERE type = 'table' AND rootpage > 0")
    return [*(name for (name,) in rows), _SCHEMA]


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0.0)


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when somebody writes to the file; None where there is none."""
    try:
        found: stat_result = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
