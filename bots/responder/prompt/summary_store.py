"""Stores summaries of histories, for the next start of the program."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Protocol

from bots.access.sources import Sources, as_text, from_text, joined
from bots.access.visibility import Visibility
from bots.store.database import Store
from bots.store.rows import Row, readable
from llm.engine.context import Line, Summary


class SummaryStorage(Protocol):
    """Summaries by bot and view; both methods raise StoreError."""

    async def load(self, bot: str, view: Visibility) -> tuple[Summary, ...]:
        """The summaries as they were last stored, oldest first."""
        ...

    async def store(self, bot: str, view: Visibility, summaries: Sequence[Summary]) -> None:
        """Replace what was stored by these."""
        ...


class SqliteSummaries:
    """A `SummaryStorage` in the database."""

    def __init__(self, store: Store) -> None:
        self._database = store

    async def load(self, bot: str, view: Visibility) -> tuple[Summary, ...]:
        return await self._database.read(lambda connection: _load(connection, bot, view))

    async def store(self, bot: str, view: Visibility, summaries: Sequence[Summary]) -> None:
        await self._database.write(lambda connection: _store(connection, bot, view, summaries))


def sources_of(part: Line | Summary) -> Sources:
    """Where the words of a line, or of all lines in a summary, come from."""
    return joined(one for one in part.sources if isinstance(one, Sources))


def _load(connection: sqlite3.Connection, bot: str, view: Visibility) -> tuple[Summary, ...]:
    rows = connection.execute(
        "SELECT until, text, sources FROM summaries"
        " WHERE bot = ? AND level = ? AND hearers = ? ORDER BY until",
        (bot, *_key(view)),
    )
    return tuple(readable(rows, _summary, "summaries"))


def _summary(row: Row) -> Summary:
    until, text, sources = row
    return Summary(until, text, frozenset({from_text(sources)}))


def _store(
    connection: sqlite3.Connection, bot: str, view: Visibility, summaries: Sequence[Summary]
) -> None:
    of_view = (bot, *_key(view))
    connection.execute("DELETE FROM summaries WHERE bot = ? AND level = ? AND hearers = ?", of_view)
    connection.executemany(
        "INSERT INTO summaries (bot, level, hearers, until, text, sources)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(*of_view, one.until, one.text, as_text(sources_of(one))) for one in summaries],
    )


def _key(view: Visibility) -> tuple[int, str]:
    hearers = None if view.hearers is None else sorted(view.hearers)
    return int(view.level), json.dumps(hearers)
