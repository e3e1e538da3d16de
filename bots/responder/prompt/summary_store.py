"""Stores summaries of conversations, for the next start of the program."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Protocol

from bots.access.sources import as_text, from_text
from bots.chat.message import Circle
from bots.clock import moment
from bots.responder.prompt.notes import MOST_CIRCLES, Chains, Note, sources_of
from bots.store.database import Store
from bots.store.rows import Row, readable
from llm.engine.context import Summary


class SummaryStorage(Protocol):
    """Summaries by bot and conversation; both methods raise StoreError."""

    async def load(self, bot: str) -> Chains:
        """The summaries as they were last stored."""
        ...

    async def store(self, bot: str, circle: Circle, summaries: Sequence[Summary]) -> None:
        """Replace those of a conversation by these."""
        ...


class SqliteSummaries:
    """A `SummaryStorage` in the database."""

    def __init__(self, store: Store) -> None:
        self._database = store

    async def load(self, bot: str) -> Chains:
        return await self._database.read(lambda connection: _load(connection, bot))

    async def store(self, bot: str, circle: Circle, summaries: Sequence[Summary]) -> None:
        await self._database.write(lambda connection: _store(connection, bot, circle, summaries))


def _load(connection: sqlite3.Connection, bot: str) -> Chains:
    rows = connection.execute(
        "SELECT until, text, sources, circle, name, (SELECT heard_at FROM hearings"
        " WHERE bot = summaries.bot AND sequence = until) FROM summaries WHERE bot = ?"
        " ORDER BY until",
        (bot,),
    )
    chains = dict[Circle, tuple[Summary, ...]]()
    for circle, summary in readable(rows, _note, "summaries"):
        chains[circle] = (*chains.pop(circle, ()), summary)
    return chains


def _note(row: Row) -> Note:
    until, text, sources, circle, name, heard_at = row
    at = None if heard_at is None else moment(heard_at)
    return Circle.read(circle, name), Summary(until, text, frozenset({from_text(sources)}), at)


def _store(
    connection: sqlite3.Connection, bot: str, circle: Circle, summaries: Sequence[Summary]
) -> None:
    of_circle = (bot, *circle)
    connection.execute("DELETE FROM summaries WHERE bot = ? AND circle = ? AND name = ?", of_circle)
    connection.executemany(
        "INSERT INTO summaries (bot, circle, name, until, text, sources) VALUES (?, ?, ?, ?, ?, ?)",
        [(*of_circle, one.until, one.text, as_text(sources_of(one))) for one in summaries],
    )
    _forget_oldest(connection, bot, circle)


def _forget_oldest(connection: sqlite3.Connection, bot: str, circle: Circle) -> None:
    """Keep so many conversations of this kind."""
    kind = (bot, circle.kind)
    connection.execute(
        "DELETE FROM summaries WHERE bot = ? AND circle = ? AND name NOT IN"
        " (SELECT name FROM summaries WHERE bot = ? AND circle = ?"
        " GROUP BY name ORDER BY max(until) DESC, name LIMIT ?)",
        (*kind, *kind, MOST_CIRCLES),
    )
