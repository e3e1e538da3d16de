"""A table whose rows are values by their keys: places, chests, goals and the like."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import structlog

log = structlog.get_logger()

Row: TypeAlias = tuple[Any, ...]

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""Errors from reading a damaged row."""


def readable(rows: Iterable[Row], make: Callable[[Row], T], table: str) -> Iterator[T]:
    """The value of each row. One that cannot be read is set aside: it stays in the database, and
    is told, the first of a table with why, the others by their number."""
    bad: list[Row] = []
    why = ""
    for row in rows:
        try:
            value = make(row)
        except UNREADABLE as error:
            bad.append(row)
            why = why or f"{type(error).__name__}: {error}"[:200]
        else:
            yield value
    if bad:
        first = repr(bad[0][0])[:80]
        log.warning("rows.set_aside", table=table, rows=len(bad), first=first, why=why)


T = TypeVar("T")
K = TypeVar("K")


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

    def by_first(
        self, connection: sqlite3.Connection, make: Callable[[Row], tuple[K, T]]
    ) -> dict[K, list[T]]:
        """The values of the rows by what `make` gives with each, such as its bot."""
        found: dict[K, list[T]] = {}
        for key, value in self.read(connection, make):
            found.setdefault(key, []).append(value)
        return found

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
