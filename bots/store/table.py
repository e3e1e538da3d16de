"""A table whose rows are values by their keys: places, chests, goals and the like."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from bots.store.rows import Row, readable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns in the order in which `put` gets and `read` gives their values."""

    name: str
    columns: tuple[str, ...]
    order: str = "1"
    """Of the rows that are read: by the first column, unless told otherwise."""

    def read(self, connection: sqlite3.Connection, make: Callable[[Row], T]) -> list[T]:
        """The value of each row; those that are damaged are left out."""
        query = f"SELECT {', '.join(self.columns)} FROM {self.name} ORDER BY {self.order}"
        return list(readable(connection.execute(query), make, self.name))

    def put(self, connection: sqlite3.Connection, *rows: Row) -> None:
        """Insert rows, each in place of the one of its key."""
        marks = ", ".join("?" * len(self.columns))
        connection.executemany(
            f"INSERT OR REPLACE INTO {self.name} ({', '.join(self.columns)}) VALUES ({marks})", rows
        )

    def delete(self, connection: sqlite3.Connection, *values: object) -> None:
        """Delete the rows that begin with these values."""
        which = " AND ".join(f"{column} = ?" for column in self.columns[: len(values)])
        connection.execute(f"DELETE FROM {self.name} WHERE {which}", values)
