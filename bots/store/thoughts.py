"""What bots thought beside the talk, kept for the next start."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from bots.deciding.threads.thought import Note, Thought
from bots.origin import Level
from bots.store.database import Store
from bots.store.moments import microseconds, moment


class SqliteThoughts:
    """`bots.deciding.threads.kept.KeptThoughts` in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, bot: str) -> tuple[Thought, ...]:
        return await self._store.read(lambda connection: _load(connection, bot))

    async def keep(self, bot: str, thought: Thought) -> None:
        await self._store.write(lambda connection: _keep(connection, bot, thought))


def _load(connection: sqlite3.Connection, bot: str) -> tuple[Thought, ...]:
    rows = connection.execute(
        "SELECT thread, level, at, summary, plan, goal, status, sources, notes FROM thoughts"
        " WHERE bot = ? ORDER BY at",
        (bot,),
    )
    return tuple(map(_thought, rows))


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
        frozenset(json.loads(sources)),
        tuple(Note(by, text) for by, text in json.loads(notes)),
    )


def _keep(connection: sqlite3.Connection, bot: str, thought: Thought) -> None:
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
            json.dumps(sorted(thought.sources)),
            json.dumps([(note.by, note.text) for note in thought.notes]),
        ),
    )
