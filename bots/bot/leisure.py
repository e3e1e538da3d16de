"""When a bot may do as it likes: some time after the last request, and not while it has to stay."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import Any, Protocol, TypeAlias, runtime_checkable

from bots.access.origin import Origin
from bots.clock import Stopwatch
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

        def ended(done: asyncio.Task[None]) -> None:
            stoppable.close()
            if self._current.get(kind) is done:
                del self._current[kind]

        task.add_done_callback(ended)

    def end(self, kind: str) -> bool:
        """End the pastime of this kind; whether there was one."""
        task = self._current.pop(kind, None)
        return task is not None and task.cancel()

    def is_at(self, kind: str) -> bool:
        return kind in self._current

    async def aclose(self) -> None:
        """End all pastimes and wait until they have ended."""
        await self._tasks.aclose()


LATELY_S = 60.0


class Leisure:
    """The free time of one bot."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._since_s = stopwatch()
        self.stays = False
        """Whether its latest order was to stop or to stay."""
        self._did = ""
        self._did_s = -LATELY_S
        self._watchers: list[Callable[[], None]] = []

    @property
    def free_for_s(self) -> float:
        """Seconds since the last request to it."""
        return self._stopwatch() - self._since_s

    @property
    def lately(self) -> str | None:
        """What it did unasked a moment ago, such as “taking a walk”; None for nothing."""
        return self._did if self._stopwatch() - self._did_s < LATELY_S else None

    def does(self, what: str) -> None:
        """Note what the bot does unasked."""
        self._did, self._did_s = what, self._stopwatch()

    def watch(self, turned_to: Callable[[], None]) -> Callable[[], None]:
        """Call `turned_to`, which must not wait, whenever anybody addresses the bot; returns a
        function that ends this."""
        self._watchers.append(turned_to)
        return partial(self._watchers.remove, turned_to)

    def turned_to(self) -> None:
        """Somebody addresses the bot with a line, a question or a talk. Its work continues."""
        for turned_to in tuple(self._watchers):
            turned_to()

    def disturbed(self) -> None:
        """Note that a request came, or has just been fulfilled."""
        self._since_s = self._stopwatch()
        self.turned_to()

    def given_work(self) -> None:
        """Note an order to do something, which ends an order to stay."""
        self.stays = False
        self.disturbed()

    def told_to_stay(self) -> None:
        self.stays = True
        self.disturbed()


@runtime_checkable
class TellsLeisure(Protocol):
    """A result that tells what the bot did unasked, like that of `!status`."""

    @property
    def lately(self) -> str | None: ...
