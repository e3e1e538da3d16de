"""Stores thoughts, for the next start of the program."""

from __future__ import annotations

import json
import sqlite3
from typing import Any, Protocol

from bots.access.origin import Level
from bots.access.sources import as_text, from_text
from bots.clock import microseconds, moment
from bots.responder.reflection.thought import Note, Thought
from bots.store.database import Store
from bots.store.rows import readable


class ThoughtStorage(Protocol):
    """The newest thoughts of each bot; both methods raise StoreError."""

    async def load(self, bot: str) -> tuple[Thought, ...]: ...

    async def store(self, bot: str, thought: Thought) -> None:
        """Replace the newest thought of its thread and level."""
        ...

    async def forget(self, bot: str, thought: Thought) -> None:
        """The newest thought of its thread and level is gone."""
        ...


class SqliteThoughts:
    """A `ThoughtStorage` in the database."""

    def __init__(self, store: Store) -> None:
        self._database = store

    async def load(self, bot: str) -> tuple[Thought, ...]:
        return await self._database.read(lambda connection: _load(connection, bot))

    async def store(self, bot: str, thought: Thought) -> None:
        await self._database.write(lambda connection: _store(connection, bot, thought))

    async def forget(self, bot: str, thought: Thought) -> None:
        await self._database.write(lambda connection: _forget(connection, bot, thought))


def _load(connection: sqlite3.Connection, bot: str) -> tuple[Thought, ...]:
    rows = connection.execute(
        "SELECT thread, level, at, summary, plan, goal, status, sources, notes FROM thoughts"
        " WHERE bot = ? ORDER BY at",
        (bot,),
    )
    return tuple(readable(rows, _thought, "thoughts"))


def _thought(row: tuple[Any, ...]) -> Thought:
    thread, level, at, summary, plan, goal, status, sources, notes = row
    return Thought(
        thread,
        Level(level),
        moment(at),
        summary,
        tuple(json.loads(plan)),
        goal,
        status,
        from_text(sources),
        tuple(_note(*row) for row in json.loads(notes)),
    )


def _note(by: str, text: str, sources: str | None = None) -> Note:
    """Older versions stored no sources."""
    return Note(by, text, from_text(sources))


def _store(connection: sqlite3.Connection, bot: str, thought: Thought) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO thoughts"
        " (bot, thread, level, at, summary, plan, goal, status, sources, notes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            bot,
            thought.thread,
            int(thought.level),
            microseconds(thought.at),
            thought.summary,
            json.dumps(thought.plan),
            thought.goal,
            thought.status,
            as_text(thought.sources),
            json.dumps([(n.by, n.text, as_text(n.sources)) for n in thought.notes]),
        ),
    )


def _forget(connection: sqlite3.Connection, bot: str, thought: Thought) -> None:
    connection.execute(
        "DELETE FROM thoughts WHERE bot = ? AND thread = ? AND level = ?",
        (bot, thought.thread, int(thought.level)),
    )
