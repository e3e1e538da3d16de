"""Summaries of what was said, kept for the next start."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Protocol

from bots.access.sources import Sources, as_text, from_text, joined
from bots.access.visibility import Visibility
from bots.store.database import Store
from llm.engine.context import Line, Summary


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
        " WHERE bot = ? AND level = ? AND hearers = ? ORDER BY until",
        (bot, *_key(view)),
    )
    return tuple(Summary(until, text, frozenset({from_text(of)})) for until, text, of in rows)


def _keep(
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


def sources_of(part: Line | Summary) -> Sources:
    """Where the words of a line, or of all lines in a summary, come from."""
    return joined(one for one in part.sources if isinstance(one, Sources))


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
