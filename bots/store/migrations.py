"""The database's shape, step by step: `PRAGMA user_version` counts the steps already taken.

The first step makes all tables, of tables.sql. A step that has shipped is never edited; a change of
shape is a new step at the end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from bots.errors import StoreError

Migration: TypeAlias = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x746F776E
"""The program in the file's header, by which SQLite and `file` tell whose it is: ours, from 1.0."""

TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")


def all_tables(connection: sqlite3.Connection) -> None:
    """What 1.0 keeps."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in TABLES.split(";\n"):
        connection.execute(statement)


MIGRATIONS: Sequence[Migration] = (all_tables,)


def newest() -> int:
    """The number of steps that this program knows."""
    return len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, first: int | None = None) -> None:
    """Take the steps this database has not taken, all of them or none; or of the first ones.

    Raises StoreError when a newer program wrote it.
    """
    steps = MIGRATIONS[:first]
    if _steps_left(connection, steps):
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            for step in _steps_left(connection, steps):  # another program may just have taken them
                step(connection)
            connection.execute(f"PRAGMA user_version = {len(steps)}")


def shape_of(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Kind and name of all that was made in a database: tables, indices, triggers, views."""
    return frozenset(connection.execute("SELECT type, name FROM sqlite_master"))


def is_of_ours(connection: sqlite3.Connection) -> bool:
    """Whether `all_tables` made it."""
    found: int = connection.execute("PRAGMA application_id").fetchone()[0]
    return found == APPLICATION_ID


def tables_of(connection: sqlite3.Connection) -> frozenset[str]:
    return frozenset(name for kind, name in shape_of(connection) if kind == "table")


def shape_after(steps: int) -> frozenset[tuple[str, str]]:
    """The shape of a database that has taken so many steps."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        migrate(memory, steps)
        return shape_of(memory)


def names_of_steps_left(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What this database has not taken, in words. Raises StoreError as `migrate`."""
    left = _steps_left(connection, MIGRATIONS)
    return tuple(step.__name__.replace("_", " ") for step in left)


def _steps_left(connection: sqlite3.Connection, steps: Sequence[Migration]) -> Sequence[Migration]:
    taken: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if taken > len(steps):
        raise StoreError(
            f"it was written by a newer townsfolk (its version {taken}, known here: {len(steps)})"
        )
    return steps[taken:]
