"""Pastimes: what a bot does in the background until it is stopped, such as watching or idling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, ExitStack
from typing import Any, TypeAlias

from bots.access.origin import Origin
from bots.owned_tasks import OwnedTasks

Running: TypeAlias = Callable[
    [str, Callable[[], object], Origin | None], AbstractContextManager[None]
]
"""`Bot.running`: registers something that `!stop` can end."""


class Pastimes:
    """At most one of each kind; each runs beside jobs, and `!stop` ends it."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._tasks = OwnedTasks()
        self._current: dict[str, asyncio.Task[None]] = {}

    def begin(
        self,
        kind: str,
        work: Coroutine[Any, Any, None],
        *,
        shown: str | None = None,
        started_by: Origin | None = None,
    ) -> None:
        """Start a pastime in place of the one of its kind; `!stop` calls it `shown`."""
        self.end(kind)
        task = self._tasks.start(work, kind)
        stoppable = ExitStack()
        stoppable.enter_context(self._running(shown or kind, task.cancel, started_by))
        self._current[kind] = task
        task.add_done_callback(lambda _: stoppable.close())
        task.add_done_callback(lambda done: self._forget(kind, done))

    def end(self, kind: str) -> bool:
        """End the pastime of this kind; whether there was one."""
        task = self._current.pop(kind, None)
        return task is not None and task.cancel()

    def is_at(self, kind: str) -> bool:
        return kind in self._current

    async def aclose(self) -> None:
        """End all pastimes and wait until they have ended."""
        await self._tasks.aclose()

    def _forget(self, kind: str, task: asyncio.Task[None]) -> None:
        if self._current.get(kind) is task:
            del self._current[kind]
