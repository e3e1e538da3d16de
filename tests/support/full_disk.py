"""Simulates a full disk for a database in use."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bots.store import writer


@contextmanager
def full_disk() -> Iterator[None]:
    """Every write fails as SQLite's do without room, for as long as the block lasts."""

    def refuse(connection: sqlite3.Connection, changes: list[writer.Change]) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        for change in changes:
            change.error = writer._for_caller(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "_commit", refuse)
        yield
