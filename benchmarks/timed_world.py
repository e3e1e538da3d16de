"""The simulated world, which tells how long it had its questions: it has them in our process and
in Python, a real world has them in Node.

Nothing in it changes but who is there: it is searched for blocks once, since a search in Python
leaves the processor's caches full of it, and garbage, for us to clear away."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from bridge import FakeBridge
from bridge.actions import Query
from bridge.world import BotName, WorldSnapshot

T = TypeVar("T")

Span: TypeAlias = tuple[float, float]
"""From when to when, in seconds."""


class TimedWorld(FakeBridge):
    """Notes when it is looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: list[Span] = []
        """By the machine's monotonic clock."""
        self.cpu_spans: list[Span] = []
        """By the processor time of the thread that all of this runs in."""
        self._found: dict[Query[Any], Any] = {}

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        with self._noted():
            return await super().snapshot(bot, blocks_within=blocks_within)

    async def query(self, bot: BotName, query: Query[T]) -> T:
        with self._noted():
            if query not in self._found:
                self._found[query] = await super().query(bot, query)
            found: T = self._found[query]
            return found

    @contextmanager
    def _noted(self) -> Iterator[None]:
        begun, used = time.monotonic(), time.thread_time()
        try:
            yield
        finally:
            self.spans.append((begun, time.monotonic()))
            self.cpu_spans.append((used, time.thread_time()))


def covered(spans: Sequence[Span], since: float, until: float) -> float:
    """How much of a stretch they cover together; several at a time count once."""
    total, done = 0.0, since
    for begun, ended in sorted(spans):
        begun, ended = max(begun, done), min(ended, until)
        if ended > begun:
            total, done = total + ended - begun, ended
    return total
