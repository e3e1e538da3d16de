"""Writes records of decisions to a file, and keeps short ones in memory for the metrics."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import structlog
from pydantic_core import to_jsonable_python

from bots.clock import Clock
from bots.observability.logs import LOG_FOLDER
from bots.observability.redaction import Redactor
from bots.observability.trace import Trace, TraceLog, TraceReader
from bots.owned_tasks import OnEnd, OwnedTasks, not_told
from bots.private_files import ends_torn, for_owner_alone, make_private_folder
from bots.queues import BoundedQueue
from bots.responder.records.metrics import (
    RECORDED,
    Brief,
    Record,
    Spent,
    concise,
    counts,
    metrics,
)
from bridge.foreign_json import read_object
from llm.engine.budget import Budget
from llm.engine.decision import Decision, Matter
from llm.engine.prices import DOLLAR
from llm.model import Question

log = structlog.get_logger()

FILE_NAME = "decisions.jsonl"
PROMPTS_NAME = "prompts.jsonl"
FILE_BYTES = 10_000_000
OLD_FILES = 4  # with the current one at most 50 MB on disk
MOST_PROMPTS_WAITING = 200  # to be written; of more, the oldest are dropped
MOST_RECENT = 20_000  # concise records of a period
TOGETHER_S = 0.5  # after a write; what comes meanwhile is written together
CLOSE_WITHIN_S = 5.0
_ENDINGS = ("success", "reason", "message")


class RecordFile:
    """A file such as `decisions.jsonl`, and older records in `decisions.jsonl.1` and so on.

    For one thread at a time. Every method may raise OSError."""

    def __init__(
        self,
        data_dir: Path,
        secrets: Iterable[str] = (),
        *,
        name: str = FILE_NAME,
        file_bytes: int = FILE_BYTES,
    ) -> None:
        self.path = data_dir / LOG_FOLDER / name
        self._redactor = Redactor(secrets)
        self._file_bytes = file_bytes

    def append(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Append records, with secrets hidden."""
        lines = b"".join(map(self._line, records))
        make_private_folder(self.path.parent)
        if self.path.exists() and self.path.stat().st_size + len(lines) > self._file_bytes:
            for number in range(OLD_FILES - 1, 0, -1):
                if self._old(number).exists():
                    self._old(number).replace(self._old(number + 1))
            self.path.replace(self._old(1))
        with open(self.path, "ab+", opener=for_owner_alone) as file:
            file.write(b"\n" + lines if ends_torn(file) else lines)

    def read_back(self, since: datetime) -> Iterator[dict[str, Any]]:
        """The records since then, oldest first; unreadable lines are skipped."""
        for path in reversed([self.path, *map(self._old, range(1, OLD_FILES + 1))]):
            if path.exists() and path.stat().st_mtime >= since.timestamp():
                with path.open("rb") as file:
                    for line in file:
                        record = _record(line)
                        if record is not None and datetime.fromisoformat(record["at"]) >= since:
                            yield record

    def find(self, mark: bytes, is_wanted: Callable[[Mapping[str, Any]], bool]) -> Any | None:
        """The newest record that is wanted; its line must hold `mark`, so that few are parsed."""
        for path in [self.path, *map(self._old, range(1, OLD_FILES + 1))]:
            if path.exists() and (found := _newest(path, mark, is_wanted)) is not None:
                return found
        return None

    def _line(self, record: Mapping[str, Any]) -> bytes:
        plain = to_jsonable_python(record, inf_nan_mode="null", fallback=str)
        text = json.dumps(self._redactor.value(plain), ensure_ascii=False, separators=(",", ":"))
        # A name may hold half a surrogate pair; a record must not fail over it.
        return text.encode("utf-8", "backslashreplace") + b"\n"

    def _old(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")


def _newest(
    path: Path, mark: bytes, is_wanted: Callable[[Mapping[str, Any]], bool]
) -> Mapping[str, Any] | None:
    found = None
    with path.open("rb") as file:
        for line in file:
            if mark in line:
                with suppress(ValueError, KeyError, TypeError):  # torn or foreign
                    record = read_object(line)
                    found = record if is_wanted(record) else found
    return found


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = read_object(line)
        at = datetime.fromisoformat(record["at"])
    except (ValueError, TypeError, KeyError):
        return None
    whole = at.tzinfo is not None and isinstance(record.get("name"), str)
    return record if whole else None


WITHOUT_DAEMON = timedelta(hours=24)


class RecordKeeper:
    """Reads the trace from `start` to `aclose`; metrics cover one period of the budget."""

    def __init__(
        self,
        trace: TraceLog,
        file: RecordFile,
        budget: Budget,
        clock: Clock,
        on_end: OnEnd = not_told,
    ) -> None:
        """`clock` runs evenly: by the machine's, which may be set, a record would stay for days."""
        self._trace, self._file, self._budget, self._clock = trace, file, budget, clock
        self.run = clock().isoformat()
        """Tells the records of this run from those of others."""
        self._recent: deque[tuple[datetime, Brief]] = deque(maxlen=MOST_RECENT)
        self._can_write = True
        self._reader: TraceReader | None = None
        self._closing = asyncio.Event()
        self._tasks = OwnedTasks(on_end)

    def start(self) -> None:
        self._reading = self._trace.reading()
        self._reader = self._reading.__enter__()
        self._task = self._tasks.start(self._keep(self._reader), "records")

    async def aclose(self) -> None:
        """Write what is left."""
        if self._reader is None:
            return
        self._closing.set()
        self._reader.close()
        await asyncio.wait({self._task}, timeout=CLOSE_WITHIN_S)
        await self._tasks.aclose()
        self._reading.__exit__(None, None, None)

    def stats(self) -> dict[str, Any]:
        """The metrics of the budget's period that ends now, as JSON."""
        since = self._forget_old()
        spent = Spent(self._budget.spent() / DOLLAR, self._budget.caps.everything / DOLLAR)
        return _as_json([record for _at, record in self._recent], spent, since, self.run)

    async def _keep(self, reader: TraceReader) -> None:
        since = self._clock() - self._budget.caps.period
        for record in await asyncio.to_thread(_read_back, self._file, since):
            self._remember(record, datetime.fromisoformat(record["at"]))
        while traces := await reader.drain():
            records = [record_of(t, self.run) for t in traces if t.name in RECORDED]
            for record in records:
                self._remember(record, self._clock())
            if records:
                appended = asyncio.to_thread(_append, self._file, records, self._can_write)
                self._can_write = await appended
                await _pause(self._closing)

    def _remember(self, record: Record, at: datetime) -> None:
        if (short := concise(record)) is not None:
            self._recent.append((at, short))
        self._forget_old()

    def _forget_old(self) -> datetime:
        """Drop what is of no period that ends now or later; when that begins."""
        since = self._clock() - self._budget.caps.period
        while self._recent and self._recent[0][0] < since:
            self._recent.popleft()
        return since


class PromptKeeper:
    """Writes what models were asked to a file, from `start` to `aclose`; a `PromptLog`.

    The number of a prompt is its place in this run; its decision's record has it too."""

    def __init__(
        self,
        file: RecordFile,
        run: str,
        clock: Clock,
        on_end: OnEnd = not_told,
        *,
        is_on: bool,
    ) -> None:
        self._file, self._run, self._clock, self._is_on = file, run, clock, is_on
        self._numbers = count(1)
        self._waiting = BoundedQueue[Record](MOST_PROMPTS_WAITING, "drop_oldest")
        self._can_write = True
        self._closing = asyncio.Event()
        self._tasks = OwnedTasks(on_end)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = self._tasks.start(self._write_on(), "prompts")

    def asked(self, matter: Matter, question: Question, decision: Decision) -> int | None:
        if not self._is_on:
            return None
        number = next(self._numbers)
        at = self._clock().isoformat()
        asked = _asked(matter, question, decision)
        self._waiting.put({"run": self._run, "prompt": number, "at": at, **asked})
        return number

    async def find(self, number: int) -> Record | None:
        """A prompt of this run, if it is still kept. Raises OSError."""

        def is_wanted(record: Record) -> bool:
            return bool(record["run"] == self._run and record["prompt"] == number)

        return await asyncio.to_thread(self._file.find, b'"prompt":%d,' % number, is_wanted)

    async def aclose(self) -> None:
        """Write what is left."""
        self._closing.set()
        self._waiting.close()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=CLOSE_WITHIN_S)
        await self._tasks.aclose()

    async def _write_on(self) -> None:
        while prompts := await self._waiting.drain():
            appended = asyncio.to_thread(_append, self._file, prompts, self._can_write)
            self._can_write = await appended
            await _pause(self._closing)


def _append(file: RecordFile, records: Iterable[Record], could_write: bool) -> bool:
    """Whether it was written; of failures in a row the first is logged."""
    try:
        file.append(records)
    except OSError as error:
        if could_write:
            log.warning("records.not_written", file=str(file.path), why=error.strerror)
        return False
    return True


async def _pause(closing: asyncio.Event) -> None:
    """Let what is to be written gather, unless the end has come."""
    with suppress(TimeoutError):
        async with asyncio.timeout(TOGETHER_S):
            await closing.wait()


def _asked(matter: Matter, question: Question, decision: Decision) -> Record:
    """A question as it was last sent, and what came of it. Of tools, the names."""
    return {
        "bot": matter.payer.bot,
        "work": matter.work,
        "model": decision.model,
        "source": decision.source,
        "why": decision.why,
        "tokens_in": decision.usage.prompt,
        "tokens_cached": decision.usage.cache_read,
        "tokens_out": decision.usage.output,
        "cost_usd": decision.cost / DOLLAR,
        "tools": [tool.name for tool in question.tools],
        "system": question.system,
        "character": question.character,
        "turns": [{"role": turn.role, "text": turn.text} for turn in question.turns],
        "rounds": [
            {
                "calls": [
                    {"name": one.name, "arguments": one.arguments} for one in two.asked.calls
                ],
                "results": [result.text for result in two.results],
            }
            for two in question.rounds
        ],
        "text": decision.text,
    }


def stats_left(file: RecordFile, now: datetime) -> dict[str, Any]:
    """The metrics of records a daemon has left; the cost is the sum of the records."""
    since = now - WITHOUT_DAEMON
    records = [short for r in _read_back(file, since) if (short := concise(r)) is not None]
    cost = sum(record.cost_usd or 0.0 for record in records)
    return _as_json(records, Spent(cost, None), since, None)


def record_of(trace: Trace, run: str) -> Record:
    """A trace as a record: decisions whole, results cut down to how they ended."""
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


def _as_json(
    records: list[Brief], spent: Spent, since: datetime, run: str | None
) -> dict[str, Any]:
    measured = metrics(records, spent, run)
    return {
        "since": since.isoformat(),
        "decisions": counts(records),
        "metrics": {name: metric.as_json() for name, metric in measured.items()},
    }
