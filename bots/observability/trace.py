"""The trace: one stream of events that the records, WebSocket and log read.

It observes; nothing is decided from it. A trace holds facts, no permissions and no secrets.
Readers never slow the writer: each has a bounded queue that drops its oldest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from bots.clock import Clock
from bots.queues import BoundedQueue

KEPT = 2_000  # traces that `recent` gives
KEPT_LONGER = MappingProxyType({"decision.made": 500, "decision.approved": 500})
"""Names whose newest traces are kept apart, however much else happens."""
READER_BUFFER = 1_000  # traces one reader may lag before its oldest are dropped


@dataclass(frozen=True, slots=True)
class Trace:
    """One event."""

    sequence: int
    at: datetime
    name: str
    """`noun.past_verb`, as `reply.sent`."""
    bot: str | None
    facts: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        head = {"sequence": self.sequence, "at": self.at.isoformat(), "name": self.name}
        return {**head, "bot": self.bot, **self.facts}


class TraceReader(BoundedQueue[Trace]):
    """One reader's window on the stream; it loses the oldest traces it has not read."""

    def __init__(self) -> None:
        super().__init__(READER_BUFFER, "drop_oldest")


class TraceLog:
    """Keeps the newest traces and gives each to every reader."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: deque[Trace] = deque(maxlen=KEPT)
        self._longer = {name: deque[Trace](maxlen=most) for name, most in KEPT_LONGER.items()}
        self._readers: set[TraceReader] = set()
        self._next = 1

    def note(self, name: str, bot: str | None = None, **facts: Any) -> Trace:
        """Add an event; never waits."""
        return self.add(self._clock(), name, bot, facts)

    def add(self, at: datetime, name: str, bot: str | None, facts: Mapping[str, Any]) -> Trace:
        """Add an event that was noted elsewhere, with a sequence of this log."""
        trace = Trace(self._next, at, name, bot, facts)
        self._next += 1
        self._kept.append(trace)
        if name in self._longer:
            self._longer[name].append(trace)
        for reader in self._readers:
            reader.put(trace)
        return trace

    def recent(self, name: str | None = None) -> Iterator[Trace]:
        """Kept traces, oldest first, all or of one name."""
        if name in self._longer:
            return iter(list(self._longer[name]))
        return (t for t in list(self._kept) if name is None or t.name == name)

    @contextmanager
    def reading(self) -> Iterator[TraceReader]:
        """A reader for as long as the block lasts."""
        reader = TraceReader()
        self._readers.add(reader)
        try:
            yield reader
        finally:
            self._readers.discard(reader)
