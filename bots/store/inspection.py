"""Inspects a database in use for damage: a few tables in a turn, all of them in a round.

SQLite may keep earlier pages in memory, so each turn opens the file again.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from os import stat_result
from pathlib import Path

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
    """Of one file that was whole when it was opened."""

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
