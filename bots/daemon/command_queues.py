"""Work of several speakers side by side, each speaker's own one after another."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from bots.owned_tasks import OnFailure, OwnedTasks

Work: TypeAlias = Callable[[], Awaitable[None]]
Waiting: TypeAlias = Callable[[Callable[[], object]], AbstractContextManager[None]]


def _unnoticed(_drop: Callable[[], object]) -> AbstractContextManager[None]:
    return nullcontext()


async def _now(work: Work) -> None:
    await work()


class CommandQueues:
    """One lane for each speaker, gone when it is empty. How many may wait is the caller's care."""

    def __init__(self) -> None:
        self._tasks = OwnedTasks()
        self._last: dict[str, asyncio.Task[None]] = {}
        self._overtaking: defaultdict[str, set[asyncio.Task[None]]] = defaultdict(set)
        self._lengths: Counter[str] = Counter()

    def length(self, lane: str) -> int:
        """How much work of this lane is not done, the running one included."""
        return self._lengths[lane]

    def queue(
        self,
        lane: str,
        work: Work,
        on_failure: OnFailure | None = None,
        waiting: Waiting = _unnoticed,
    ) -> None:
        """Do it after all earlier work of this lane, whether that succeeded or not.

        `waiting` gets what drops the work again, for as long as it waits. What overtook the
        lane before drops nothing that came later."""
        overtakers = frozenset(self._overtaking.get(lane, ()))
        turn = self._after(overtakers, self._last.get(lane), work, waiting)
        task = self._tasks.start(turn, lane, on_failure)
        self._last[lane] = task
        self._lengths[lane] += 1
        task.add_done_callback(lambda done: self._leave(lane, done))

    def overtake(self, lane: str, work: Work, on_failure: OnFailure | None = None) -> None:
        """Do it now, before what waits in the lane and before what comes later."""
        task = self._tasks.start(_now(work), lane, on_failure)
        self._overtaking[lane].add(task)
        task.add_done_callback(lambda done: self._has_overtaken(lane, done))

    def at_once(self, work: Work, on_failure: OnFailure | None = None) -> None:
        """Do it now, beside whatever the lanes do."""
        self._tasks.start(_now(work), "at once", on_failure)

    async def aclose(self) -> None:
        """End what runs and what waits."""
        await self._tasks.aclose()

    async def _after(
        self,
        overtakers: frozenset[asyncio.Task[None]],
        previous: asyncio.Task[None] | None,
        work: Work,
        waiting: Waiting,
    ) -> None:
        if overtakers:
            await asyncio.wait(overtakers)
        task = asyncio.current_task()
        if previous is not None and task is not None:
            with waiting(task.cancel):
                await asyncio.wait({previous})
        await work()

    def _leave(self, lane: str, task: asyncio.Task[None]) -> None:
        self._lengths[lane] -= 1
        if not self._lengths[lane]:
            del self._lengths[lane]
        if self._last.get(lane) is task:
            del self._last[lane]

    def _has_overtaken(self, lane: str, task: asyncio.Task[None]) -> None:
        self._overtaking[lane].discard(task)
        if not self._overtaking[lane]:
            del self._overtaking[lane]
