"""Tasks with an owner: their failures are logged, and they end when the owner does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import structlog

log = structlog.get_logger()

CLOSE_WITHIN_S = 5.0

OnFailure: TypeAlias = Callable[[BaseException], None]


class OwnedTasks:
    """Keeps its tasks alive until they end or `aclose` cancels them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def start(
        self, work: Coroutine[Any, Any, None], name: str, on_failure: OnFailure | None = None
    ) -> asyncio.Task[None]:
        """Run `work` beside everything else. A failure is logged, then given to `on_failure`."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(done, on_failure))
        return task

    async def aclose(self) -> None:
        """Cancel what runs and wait until it has ended, but not for ever."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            _ended, deaf = await asyncio.wait(tasks, timeout=CLOSE_WITHIN_S)
            for task in deaf:
                log.error("task.not_ended", task=task.get_name(), within_s=CLOSE_WITHIN_S)

    def _ended(self, task: asyncio.Task[None], on_failure: OnFailure | None) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is None:
            return
        log.error("task.failed", task=task.get_name(), exc_info=failure)
        if on_failure is not None:
            on_failure(failure)
