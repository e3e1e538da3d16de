"""SQL of the talks: how each began, everything that happened in it, and why it ended."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoredTalk:
    """One row; `settings` and `moments` are JSON that `bots/talk/keeping.py` reads."""

    id: int
    began_at: int
    """Microseconds since 1970."""
    settings: str
    moments: tuple[tuple[int, str], ...] = ()
    """(milliseconds since it began, happening), in order."""


def add_talk(connection: sqlite3.Connection, began_at: int, settings: str) -> int:
    """Store that a talk began; its id."""
    added = connection.execute(
        "INSERT INTO talks (began_at, settings) VALUES (?, ?)", (began_at, settings)
    )
    assert added.lastrowid is not None
    return added.lastrowid


def add_moment(connection: sqlite3.Connection, talk: int, at_ms: int, happening: str) -> None:
    connection.execute(
        "INSERT INTO talk_moments (talk_id, at_ms, happening) VALUES (?, ?, ?)",
        (talk, at_ms, happening),
    )


def end_talk(connection: sqlite3.Connection, talk: int, why: str) -> None:
    """Store why it ended; what happened in it is in the histories and is kept here no longer."""
    connection.execute("UPDATE talks SET ended = ? WHERE id = ?", (why, talk))
    connection.execute("DELETE FROM talk_moments WHERE talk_id = ?", (talk,))


def open_talks(connection: sqlite3.Connection) -> list[StoredTalk]:
    """The talks that have not ended, oldest first."""
    rows = connection.execute(
        "SELECT id, began_at, settings FROM talks WHERE ended IS NULL ORDER BY id"
    ).fetchall()
    return [
        StoredTalk(number, began_at, settings, _moments(connection, number))
        for number, began_at, settings in rows
    ]


def _moments(connection: sqlite3.Connection, talk: int) -> tuple[tuple[int, str], ...]:
    rows = connection.execute(
        "SELECT at_ms, happening FROM talk_moments WHERE talk_id = ? ORDER BY id", (talk,)
    )
    return tuple((at_ms, happening) for at_ms, happening in rows)
