"""One budget for daemons of several machines: their charges are entries of a durable stream.

A charge is in the stream before its call begins, and whoever entered it then looks at what stands
before it there: of two that together would exceed a cap, the later one gives way.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from secrets import token_hex
from typing import get_args

from bots.clock import microseconds, moment
from bots.cluster.bus import Bus, BusError
from bots.store.table import readable
from bridge.foreign_json import read_object
from llm.engine.budget import Asker, Charge, Others, Payer
from llm.model import LedgerUnavailable

STREAM = "charges"
CLOCKS_APART = timedelta(hours=1)  # how far the clocks of broker and daemons may be from each other


class BusLedger:
    """The ledger of one run in `llm.engine.budget`; a call that returned is in the broker."""

    def __init__(self, bus: Bus) -> None:
        self._bus, self._run = bus, token_hex(8)
        self._read_to: int | None = None
        self._others: dict[tuple[str, int], Charge] = {}
        self._mark = 0
        """Where the newest charge of others stands."""
        self._turn = asyncio.Lock()

    async def others(self, since: datetime, mark: int | None) -> Others | None:
        async with self._turn:
            with self._at_once():
                await self._look(since)
        return self._told(since, mark)

    async def enter(self, charge: Charge, since: datetime, mark: int | None) -> Others | None:
        # One at a time: who comes later in the stream must not be seen, or both would give way.
        async with self._turn:
            with self._at_once():
                position = await self._bus.append(STREAM, _body(self._run, charge))
                await self._look(since, position)
        return self._told(since, mark)

    async def settle(self, charge: Charge) -> None:
        with _named():
            await self._bus.append(STREAM, _body(self._run, charge))

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """Without a broker refuse, rather than wait for it: somebody waits for an answer."""
        if not self._bus.is_up:
            raise LedgerUnavailable("the broker is gone")
        with _named():
            yield

    async def _look(self, since: datetime, until: int | None = None) -> None:
        """Read what is new, up to a position."""
        if self._read_to is None:
            self._read_to = await self._bus.before(STREAM, since - CLOCKS_APART)
        while until is None or self._read_to < until:
            page = await self._bus.read(STREAM, self._read_to)
            if not page:
                return
            fitting = [one for one in page if until is None or one.position <= until]
            rows = [(entry.position, entry.body) for entry in fitting]
            for run, number, charge in readable(rows, lambda row: _read(*row), STREAM):
                if run != self._run:
                    first = self._others.get((run, number), charge)
                    self._mark = charge.number
                    self._others[run, number] = replace(charge, number=first.number)
            self._read_to = fitting[-1].position if fitting else page[0].position - 1
            if len(fitting) < len(page):
                return

    def _told(self, since: datetime, mark: int | None) -> Others | None:
        if mark == self._mark:
            return None
        self._others = {key: one for key, one in self._others.items() if one.at > since}
        return Others(tuple(self._others.values()), self._mark)


@contextmanager
def _named() -> Iterator[None]:
    """Raise errors of the bus as errors of the ledger."""
    try:
        yield
    except BusError as fault:
        raise LedgerUnavailable(str(fault)) from fault


def _body(run: str, charge: Charge) -> bytes:
    payer = charge.payer
    facts = {
        "run": run,
        "number": charge.number,
        "at": microseconds(charge.at),
        "bot": payer.bot,
        "speaker": payer.speaker,
        "background": payer.background,
        "asker": payer.asker,
        "nanodollars": charge.amount,
        "settled": charge.settled,
    }
    return json.dumps(facts).encode()


def _read(position: int, body: bytes) -> tuple[str, int, Charge]:
    """Run and number of a charge, and the charge with the position for its number."""
    facts = read_object(body)
    amount, asker = int(facts["nanodollars"]), facts["asker"]
    if amount < 0:
        raise ValueError(f"nothing costs {amount}")
    payer = Payer(
        str(facts["bot"]),
        None if facts["speaker"] is None else str(facts["speaker"]),
        bool(facts["background"]),
        asker if asker in get_args(Asker) else None,
    )
    charge = Charge(position, moment(facts["at"]), payer, amount, bool(facts["settled"]))
    return str(facts["run"]), int(facts["number"]), charge
