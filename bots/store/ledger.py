"""What model calls cost, stored so that a budget survives a restart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from bots.clock import microseconds, moment
from bots.errors import StoreError
from bots.store.database import Store
from bots.store.rows import Row, readable
from llm.engine.budget import Charge, Payer
from llm.errors import LedgerUnavailable


class SqliteLedger:
    """The ledger of `llm.engine.budget`; a call that returned is on the disk."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def charges_since(self, since: datetime) -> list[Charge]:
        with _named():
            return await self._store.read(lambda connection: _since(connection, since))

    async def newest_id(self) -> int:
        with _named():
            return await self._store.read(_newest_id)

    async def enter(self, charge: Charge) -> None:
        with _named():
            await self._store.write(lambda connection: _enter(connection, charge))

    async def settle(self, charge: Charge) -> None:
        with _named():
            await self._store.write(lambda connection: _settle(connection, charge), patient=True)


@contextmanager
def _named() -> Iterator[None]:
    """Raise errors of the database as errors of the ledger."""
    try:
        yield
    except StoreError as fault:
        raise LedgerUnavailable(str(fault)) from fault


def _since(connection: sqlite3.Connection, since: datetime) -> list[Charge]:
    rows = connection.execute(
        "SELECT id, at, bot, speaker, background, nanodollars, settled FROM charges"
        " WHERE at > ? ORDER BY at, id",
        (microseconds(since),),
    )
    return list(readable(rows, _charge, "charges"))


def _charge(row: Row) -> Charge:
    id_, at, bot, who, aside, amount, settled = row
    if amount < 0:
        raise ValueError(f"nothing costs {amount}")
    return Charge(id_, _moment(at), Payer(bot, who, bool(aside)), amount, bool(settled))


def _moment(at: int) -> datetime:
    """A time beyond all calendars still has its charge, as one of the future."""
    try:
        return moment(at)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _newest_id(connection: sqlite3.Connection) -> int:
    newest: int = connection.execute("SELECT coalesce(max(id), 0) FROM charges").fetchone()[0]
    return newest


def _enter(connection: sqlite3.Connection, charge: Charge) -> None:
    payer = charge.payer
    connection.execute(
        "INSERT INTO charges (id, at, bot, speaker, background, nanodollars, settled)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            charge.id,
            microseconds(charge.at),
            payer.bot,
            payer.speaker,
            payer.background,
            charge.amount,
            charge.settled,
        ),
    )


def _settle(connection: sqlite3.Connection, charge: Charge) -> None:
    connection.execute(
        "UPDATE charges SET nanodollars = ?, settled = 1 WHERE id = ?", (charge.amount, charge.id)
    )
