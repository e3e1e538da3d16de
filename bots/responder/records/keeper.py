"""Keeps records of what is decided: in a file for people, in memory for the measures."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import structlog

from bots.clock import Clock
from bots.observability.trace import Trace, TraceLog, TraceReader
from bots.responder.records.file import RecordFile
from bots.responder.records.metrics import TELLING, Record, Spent, concise, counts, metrics
from llm.engine.budget import Budget
from llm.engine.prices import DOLLAR

log = structlog.get_logger()

MOST_KEPT = 20_000  # concise records of a period
CLOSE_WITHIN_S = 5.0
WITHOUT_DAEMON = timedelta(hours=24)
_ENDINGS = ("success", "reason", "message")


class RecordKeeper:
    """Reads the trace from `start` to `aclose`; the budget's period is what it looks back on."""

    def __init__(self, trace: TraceLog, file: RecordFile, budget: Budget, clock: Clock) -> None:
        self._trace, self._file, self._budget, self._clock = trace, file, budget, clock
        self._run = clock().isoformat()
        self._kept: deque[tuple[datetime, Record]] = deque(maxlen=MOST_KEPT)
        self._is_writing_well = True
        self._reader: TraceReader | None = None

    def start(self) -> None:
        self._reading = self._trace.reading()
        self._reader = self._reading.__enter__()
        self._task = asyncio.create_task(self._keep(self._reader), name="records")

    async def aclose(self) -> None:
        """Write down what is left."""
        if self._reader is None:
            return
        self._reader.close()
        await asyncio.wait({self._task}, timeout=CLOSE_WITHIN_S)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._reading.__exit__(None, None, None)

    def stats(self) -> dict[str, Any]:
        """The measures of the budget's period that ends now, as JSON."""
        period = self._budget.caps.period
        since = self._clock() - period
        while self._kept and self._kept[0][0] < since:
            self._kept.popleft()
        spent = Spent(self._budget.spent() / DOLLAR, self._budget.caps.everything / DOLLAR)
        return _told([record for _at, record in self._kept], spent, since, self._run)

    async def _keep(self, reader: TraceReader) -> None:
        since = self._clock() - self._budget.caps.period
        self._remember(await asyncio.to_thread(_read_back, self._file, since))
        while traces := await reader.drain():
            records = [record_of(t, self._run) for t in traces if t.name in TELLING]
            self._remember(records)
            if records:
                await asyncio.to_thread(self._write, records)

    def _remember(self, records: Iterable[Record]) -> None:
        for record in records:
            if (short := concise(record)) is not None:
                self._kept.append((datetime.fromisoformat(record["at"]), short))

    def _write(self, records: list[Record]) -> None:
        try:
            self._file.append(records)
        except OSError as error:
            if self._is_writing_well:
                log.warning("records.not_written", file=str(self._file.path), why=error.strerror)
            self._is_writing_well = False
        else:
            self._is_writing_well = True


def stats_left(file: RecordFile, now: datetime) -> dict[str, Any]:
    """The measures of what a daemon that ended has left: the cost is what its records add up to."""
    since = now - WITHOUT_DAEMON
    records = [short for r in _read_back(file, since) if (short := concise(r)) is not None]
    cost = sum(record.get("cost_usd", 0.0) for record in records)
    return _told(records, Spent(cost, None), since, None)


def record_of(trace: Trace, run: str) -> Record:
    """A trace as it is written down: decisions whole, of results only how they ended."""
    record = {"run": run, **trace.as_json()}
    if "result" in record:
        record["result"] = {k: v for k, v in record["result"].items() if k in _ENDINGS}
    return record


def _read_back(file: RecordFile, since: datetime) -> list[Record]:
    try:
        return list(file.read_back(since))
    except OSError as error:
        log.warning("records.not_read", file=str(file.path), why=error.strerror)
        return []


def _told(records: list[Record], spent: Spent, since: datetime, run: str | None) -> dict[str, Any]:
    measured = metrics(records, spent, run)
    return {
        "since": since.isoformat(),
        "decisions": counts(records),
        "metrics": {name: metric.as_json() for name, metric in measured.items()},
    }
