"""The cost of model calls, stored so that programs share a budget and it survives a restart.

Each program enters its own charges and settles only these. `PRAGMA data_version` tells whether any
other has written to the database since we looked, so a program that is alone reads nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import get_args

from bots.clock import Uptime, machine_uptime, microseconds, moment
from bots.errors import StoreError
from bots.store.database import Store
from bots.store.table import Row, readable
from llm.engine.budget import Asker, Charge, Others, Payer
from llm.model import LedgerUnavailable

_LATEST = datetime(3000, 1, 1, tzinfo=UTC)  # a later time is damage


class SqliteLedger:
    """The ledger of one run in `llm.engine.budget`; a call that returned is on the disk.

    One to a store: of charges that another one entered through the same store it is not told."""

    def __init__(self, store: Store, uptime: Callable[[], Uptime | None] = machine_uptime) -> None:
        self._store, self._uptime = store, uptime
        self._run = token_hex(8)

    async def now(self, shown: datetime) -> datetime:
        """The time by the stored charges, when the machine's clock shows `shown`.

        That clock may have been set since the last charge. Unless the machine was started anew
        meanwhile, its uptime tells what has really passed; else it is never before that charge."""
        with _named():
            newest = await self._store.read(_newest)
        if newest is None:
            return shown
        at, boot, uptime_s = newest
        now = self._uptime()
        if now is not None and now.boot == boot and now.seconds >= uptime_s:
            return at + timedelta(seconds=now.seconds - uptime_s)
        return max(at, shown)

    async def others(self, since: datetime, mark: int | None) -> Others | None:
        with _named():
            return await self._store.write(lambda one: _others(one, self._run, since, mark))

    async def enter(self, charge: Charge, since: datetime, mark: int | None) -> Others | None:
        uptime = self._uptime()

        def entered(connection: sqlite3.Connection) -> Others | None:
            payer = charge.payer
            boot, uptime_s = (uptime.boot, uptime.seconds) if uptime else (None, None)
            connection.execute(
                "INSERT INTO charges"
                " (run, number, at, bot, speaker, background, asker, nanodollars, settled, boot,"
                " uptime_s)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._run,
                    charge.number,
                    microseconds(charge.at),
                    payer.bot,
                    payer.speaker,
                    payer.background,
                    payer.asker,
                    charge.amount,
                    charge.settled,
                    boot,
                    uptime_s,
                ),
            )
            return _others(connection, self._run, since, mark)

        with _named():
            return await self._store.write(entered)

    async def settle(self, charge: Charge) -> None:
        with _named():
            await self._store.write(lambda one: _settle(one, self._run, charge), patient=True)


@contextmanager
def _named() -> Iterator[None]:
    """Raise errors of the database as errors of the ledger."""
    try:
        yield
    except StoreError as fault:
        raise LedgerUnavailable(str(fault)) from fault


def _others(
    connection: sqlite3.Connection, run: str, since: datetime, mark: int | None
) -> Others | None:
    """Read by the writing connection: only there another mark means another program."""
    newest: int = connection.execute("PRAGMA data_version").fetchone()[0]
    if newest == mark:
        return None
    rows = connection.execute(
        "SELECT id, at, bot, speaker, background, asker, nanodollars, settled FROM charges"
        " WHERE at > ? AND run IS NOT ? ORDER BY at, id",
        (microseconds(since), run),
    )
    return Others(tuple(readable(rows, _charge, "charges")), newest)


def _charge(row: Row) -> Charge:
    id_, at, bot, who, aside, asker, amount, settled = row
    if amount < 0:
        raise ValueError(f"nothing costs {amount}")
    try:
        when = moment(at)
    except OverflowError:  # beyond all calendars it still has its charge, as one of the future
        when = _LATEST
    payer = Payer(bot, who, bool(aside), asker if asker in get_args(Asker) else None)
    return Charge(id_, when, payer, amount, bool(settled))


def _newest(connection: sqlite3.Connection) -> tuple[datetime, str | None, float] | None:
    """When the newest charge was entered: its time, and that by the machine's uptime."""
    row = connection.execute(
        "SELECT at, boot, coalesce(uptime_s, 0) FROM charges WHERE at BETWEEN 0 AND ?"
        " ORDER BY id DESC LIMIT 1",
        (microseconds(_LATEST),),
    ).fetchone()
    return None if row is None else (moment(row[0]), row[1], row[2])


def _settle(connection: sqlite3.Connection, run: str, charge: Charge) -> None:
    connection.execute(
        "UPDATE charges SET nanodollars = ?, settled = 1 WHERE run = ? AND number = ?",
        (charge.amount, run, charge.number),
    )
