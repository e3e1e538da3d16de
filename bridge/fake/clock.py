"""Time that moves when told to, or when nobody has anything else to do."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2000, 1, 1, tzinfo=UTC)
SETTLE_PASSES = 1000  # of the event loop; a task that never waits must not hang `advance`
LOOK_AGAIN_S = 0.002  # while threads work


class VirtualClock:
    """A clock, a stopwatch and a sleep that share one invented time.

    With `auto`, time jumps to the next sleeper as soon as no task of the event loop could
    run, no thread works that `asyncio.to_thread` began or `hold_while` told of, and `idle_s` real
    seconds have passed. A daemon on this clock tells of its own threads. Other threads, processes
    and sockets are not seen: raise `idle_s` or use `auto=False` and `advance` there."""

    def __init__(
        self, start: datetime = START, *, auto: bool = True, idle_s: float = 0.005
    ) -> None:
        self._start, self._elapsed_s = start, 0.0
        self._auto, self._idle_s = auto, idle_s
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._probe: asyncio.Handle | None = None
        self._held_by: list[Callable[[], bool]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed_s)

    def monotonic(self) -> float:
        """Seconds since this clock was made."""
        return self._elapsed_s

    async def sleep(self, seconds: float) -> None:
        """Wait until this much virtual time has passed; 0 or less only yields."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        await self.timer(seconds)

    def timer(self, seconds: float) -> asyncio.Future[None]:
        """A future that is done after this much virtual time; cancel it to forget it."""
        wakes: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(
            self._sleepers, (self._elapsed_s + max(0.0, seconds), next(self._numbers), wakes)
        )
        self._watch()
        return wakes

    def hold_while(self, is_at_work: Callable[[], bool]) -> None:
        """Do not jump while this is true: a thread works whose result may change much."""
        self._held_by.append(is_at_work)

    async def advance(self, seconds: float) -> None:
        """Let time pass; whoever wakes on the way runs before later sleepers wake, and threads
        come to their end as with `auto`."""
        await self._settle()
        until = self._elapsed_s + seconds
        while (due := self._next_due()) is not None and due <= until:
            self._jump(due)
            await self._settle()
        self._elapsed_s = max(self._elapsed_s, until)
        await self._settle()

    async def _settle(self) -> None:
        await settle()
        while self._is_held():
            await asyncio.sleep(LOOK_AGAIN_S)
            await settle()

    def _is_held(self) -> bool:
        """Whether a thread works that time waits for."""
        threads: Any = getattr(asyncio.get_running_loop(), "_default_executor", None)
        # Whether something that `asyncio.to_thread` began goes on; there is no public question
        # for this either. A thread is idle again only after it has handed over its result.
        is_pool = isinstance(threads, ThreadPoolExecutor)
        works = is_pool and len(threads._threads) > threads._idle_semaphore._value
        return works or any(is_at_work() for is_at_work in self._held_by)

    def _next_due(self) -> float | None:
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def _jump(self, due: float) -> None:
        self._elapsed_s = max(self._elapsed_s, due)
        while (next_due := self._next_due()) is not None and next_due <= self._elapsed_s:
            heapq.heappop(self._sleepers)[2].set_result(None)

    def _watch(self) -> None:
        if self._auto and (self._probe is None or self._probe.cancelled()):
            self._probe = asyncio.get_running_loop().call_later(self._idle_s, self._look)

    def _look(self) -> None:
        self._probe = None
        loop, due = asyncio.get_running_loop(), self._next_due()
        if due is None:
            return
        if _is_busy(loop):
            self._probe = loop.call_soon(self._look)
        elif self._is_held():
            self._probe = loop.call_later(max(self._idle_s, LOOK_AGAIN_S), self._look)
        else:
            self._jump(due)
            self._watch()


async def settle() -> None:
    """Yield until no other task of this event loop can run."""
    for _ in range(SETTLE_PASSES):
        await asyncio.sleep(0)
        if not _is_busy(asyncio.get_running_loop()):
            return


def _is_busy(loop: asyncio.AbstractEventLoop) -> bool:
    # asyncio has no public question for this; loops without the queue count as idle.
    return bool(getattr(loop, "_ready", ()))
