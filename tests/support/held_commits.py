"""A database that another program holds: nothing is committed until it lets go."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def commits_held(folder: Path) -> Iterator[None]:
    """For as long as the block lasts no write of the store gets to its end."""
    (path,) = folder.glob("*.sqlite")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()
