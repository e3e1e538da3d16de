"""Summaries of what was said, kept for the next start."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Protocol

from bots.responder.prompt.visibility import Visibility
from bots.store.database import Store
from bots.store.rows import Row, readable
from llm.engine.context import Summary


class SqliteSummaries:
    """`bots.responder.prompt.summary_store.KeptSummaries` in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, bot: str, view: Visibility) -> tuple[Summary, ...]:
        return await self._store.read(lambda connection: _load(connection, bot, view))

    async def keep(self, bot: str, view: Visibility, summaries: Sequence[Summary]) -> None:
        await self._store.write(lambda connection: _keep(connection, bot, view, summaries))


def _load(connection: sqlite3.Connection, bot: str, view: Visibility) -> tuple[Summary, ...]:
    rows = connection.execute(
        "SELECT until, text, sources FROM summaries"
        " WHERE bot = ? AND level = ? AND public = ? ORDER BY until",
        (bot, view.level, view.public),
    )
    return tuple(readable(rows, _summary, "summaries"))


def _summary(row: Row) -> Summary:
    until, text, sources = row
    return Summary(until, text, frozenset(json.loads(sources)))


def _keep(
    connection: sqlite3.Connection, bot: str, view: Visibility, summaries: Sequence[Summary]
) -> None:
    of_view = (bot, int(view.level), view.public)
    connection.execute("DELETE FROM summaries WHERE bot = ? AND level = ? AND public = ?", of_view)
    connection.executemany(
        "INSERT INTO summaries (bot, level, public, until, text, sources)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(*of_view, one.until, one.text, json.dumps(sorted(one.sources))) for one in summaries],
    )


class KeptSummaries(Protocol):
    """Both raise StoreError."""

    async def load(self, bot: str, view: Visibility) -> tuple[Summary, ...]:
        """The summaries as they were last kept, oldest first."""
        ...

    async def keep(self, bot: str, view: Visibility, summaries: Sequence[Summary]) -> None:
        """Put these in the place of what was kept."""
        ...


class MemorySummaries:
    """Keeps them as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Visibility], tuple[Summary, ...]] = {}

    async def load(self, bot: str, view: Visibility) -> tuple[Summary, ...]:
        return self._kept.get((bot, view), ())

    async def keep(self, bot: str, view: Visibility, summaries: Sequence[Summary]) -> None:
        self._kept[bot, view] = tuple(summaries)
