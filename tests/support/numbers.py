"""A table of numbers in a database."""

import sqlite3
from collections.abc import Callable


def made(connection: sqlite3.Connection) -> None:
    """Make the table."""
    connection.execute("CREATE TABLE numbers (n INTEGER UNIQUE)")


def put(number: int, fail: Exception | None = None) -> Callable[[sqlite3.Connection], None]:
    def change(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO numbers VALUES (?)", (number,))
        if fail is not None:
            raise fail

    return change


def numbers(connection: sqlite3.Connection) -> list[int]:
    return [n for (n,) in connection.execute("SELECT n FROM numbers ORDER BY rowid")]
