"""Tasks with an owner: their failures are logged, and they end when the owner does.

A task started here without `on_failure` is not fatal: its failure is logged and its owner goes
on. A task of an `asyncio.TaskGroup` is fatal to the group.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeAlias, TypeVar

import structlog

log = structlog.get_logger()

CLOSE_WITHIN_S = 5.0

T = TypeVar("T")


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)
OnFailure: TypeAlias = Callable[[BaseException], None]
OnEnd: TypeAlias = Callable[[str, BaseException], None]
"""Hears the name of a task that failed, and how."""


def not_told(_name: str, _failure: BaseException) -> None:
    """Nobody hears of a failure beside the log."""


async def until_first(*works: Awaitable[object]) -> None:
    """Run several until the first ends; cancel the others and raise what that one raised."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()


async def in_thread(work: Callable[..., T], *args: Any) -> T:
    """Run `work` in a thread. A caller that is cancelled goes on only once it has ended: else it
    would still write what others may open next."""
    doing = asyncio.ensure_future(asyncio.to_thread(work, *args))
    try:
        await asyncio.wait({doing})
    except asyncio.CancelledError:
        await asyncio.wait({doing})
        doing.exception()  # it is nobody's any more
        raise
    return doing.result()


@asynccontextmanager
async def opened_in_thread(kind: Callable[..., C], *args: Any) -> AsyncIterator[C]:
    """Open something in a thread, and close it there whatever happens meanwhile."""
    opening = asyncio.ensure_future(asyncio.to_thread(kind, *args))
    try:
        await asyncio.wait({opening})
        yield opening.result()
    finally:
        await asyncio.wait({opening})
        if opening.exception() is None:
            await in_thread(opening.result().close)


class OwnedTasks:
    """Keeps its tasks alive until they end or `aclose` cancels them."""

    def __init__(self, on_end: OnEnd = not_told) -> None:
        """`on_end` hears of every failure of a task without an `on_failure` of its own."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._on_end = on_end

    def __len__(self) -> int:
        return len(self._tasks)

    def start(
        self, work: Coroutine[Any, Any, None], name: str, on_failure: OnFailure | None = None
    ) -> asyncio.Task[None]:
        """Run `work` in the background. A failure is logged, then given to `on_failure`."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(done, on_failure))
        return task

    async def aclose(self) -> None:
        """Cancel what runs and wait until it has ended, at most `CLOSE_WITHIN_S`."""
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
        else:
            self._on_end(task.get_name(), failure)
