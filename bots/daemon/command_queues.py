"""Runs the commands of several speakers side by side, each speaker's own in order."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import TypeAlias

from bots.owned_tasks import OnFailure, OwnedTasks

Work: TypeAlias = Callable[[], Awaitable[None]]
Waiting: TypeAlias = Callable[[Callable[[], object]], AbstractContextManager[None]]
"""Makes the context that is open while a command waits, from the function that drops it."""


async def _now(work: Work) -> None:
    await work()


class CommandQueues:
    """One queue for each speaker, gone when it is empty; the caller limits how many may wait."""

    def __init__(self) -> None:
        self._tasks = OwnedTasks()
        self._last: dict[str, asyncio.Task[None]] = {}
        self._overtaking: defaultdict[str, set[asyncio.Task[None]]] = defaultdict(set)
        self._lengths: Counter[str] = Counter()

    def length(self, speaker: str) -> int:
        """How many commands of this speaker are not done, the running one included."""
        return self._lengths[speaker]

    def queue(
        self,
        speaker: str,
        work: Work,
        on_failure: OnFailure,
        waiting: Waiting,
    ) -> None:
        """Run it after the speaker's earlier commands, whether they succeeded or not.

        While the work waits, the context of `waiting` is open; it gets the function that drops
        the work. A command that overtook earlier is waited for, so it drops nothing later."""
        overtakers = frozenset(self._overtaking.get(speaker, ()))
        turn = self._after(overtakers, self._last.get(speaker), work, waiting)
        task = self._tasks.start(turn, speaker, on_failure)
        self._last[speaker] = task
        self._lengths[speaker] += 1
        task.add_done_callback(lambda done: self._leave(speaker, done))

    def overtake(self, speaker: str, work: Work, on_failure: OnFailure) -> None:
        """Run it now, before what waits in the queue and before what comes later."""
        task = self._tasks.start(_now(work), speaker, on_failure)
        self._overtaking[speaker].add(task)
        task.add_done_callback(lambda done: self._has_overtaken(speaker, done))

    def at_once(self, work: Work, on_failure: OnFailure | None = None) -> None:
        """Run it now, beside all queues."""
        self._tasks.start(_now(work), "at once", on_failure)

    async def aclose(self) -> None:
        """Cancel what runs and what waits."""
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

    def _leave(self, speaker: str, task: asyncio.Task[None]) -> None:
        self._lengths[speaker] -= 1
        if not self._lengths[speaker]:
            del self._lengths[speaker]
        if self._last.get(speaker) is task:
            del self._last[speaker]

    def _has_overtaken(self, speaker: str, task: asyncio.Task[None]) -> None:
        self._overtaking[speaker].discard(task)
        if not self._overtaking[speaker]:
            del self._overtaking[speaker]
