"""What runs for a bot and can be stopped: its job, its action, and everything registered here.

All of it has a name, an origin and `stop`, so `!stop` and `!status` see one list:

    jobs           derived: the one in charge, then those that look whether they can be done;
                   `stop` waits for their tear-down
    action         derived: one that no job began, or that outlived its job
    held           derived: goals that wait or are paused; `stop` forgets them
    registered     replies, talks, pastimes, quick commands; `stop` returns at once
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bots.access.origin import Level, Origin

MayStop: TypeAlias = Callable[[Origin | None], bool]
"""Whether what this origin (None: the bot itself) started may be stopped."""


def anything(_started_by: Origin | None) -> bool:
    return True


def may_be_stopped_by(origin: Origin, level: Level) -> MayStop:
    """Trusted players stop everything, others what they started."""
    return lambda started_by: level >= Level.TRUSTED or started_by == origin


class Stoppable(Protocol):
    """Something that runs."""

    @property
    def name(self) -> str: ...

    @property
    def started_by(self) -> Origin | None: ...

    async def stop(self) -> None:
        """End it and wait until nothing of it runs any more."""
        ...


Current: TypeAlias = Callable[[], Sequence[Stoppable]]
"""Returns what a bot works at now."""


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """Something that ends by itself after `stop` is called."""

    name: str
    started_by: Origin | None
    tell: Callable[[], object]

    async def stop(self) -> None:
        self.tell()


class Stoppables:
    """What runs for one bot: its work, then what registered, oldest first, then what waits."""

    def __init__(self, *work: Current, held: Current) -> None:
        self._work, self._held = work, held
        self._registered: list[Registered] = []

    @contextmanager
    def running(
        self, name: str, stop: Callable[[], object], started_by: Origin | None = None
    ) -> Iterator[None]:
        """Register something for as long as the block lasts; `stop` must return at once."""
        entry = Registered(name, started_by, stop)
        self._registered.append(entry)
        try:
            yield
        finally:
            self._registered.remove(entry)

    @property
    def at_work(self) -> Sequence[Stoppable]:
        """The jobs, or else the action."""
        return next((work for current in self._work if (work := current())), ())

    def names(self, whose: MayStop = anything) -> list[str]:
        """The names of what runs and was started by such an origin."""
        return _named((*self.at_work, *self._registered), whose)

    def waiting(self, whose: MayStop = anything) -> list[str]:
        """The names of what waits to run and was given by such an origin."""
        return _named(self._held(), whose)

    async def stop(self, may_stop: MayStop = anything) -> list[str]:
        """Stop everything that may be stopped; its names, the work first.

        What waits goes first, so that it does not begin when the work has ended."""
        told = [entry for entry in self._registered if may_stop(entry.started_by)]
        held = [one for one in self._held() if may_stop(one.started_by)]
        for entry in told:
            await entry.stop()
        await asyncio.gather(*(one.stop() for one in held))  # or the second begins after the first
        # One after the other: an action of the job ends with the job.
        stopped = []
        for current in self._work:
            for work in current():
                if may_stop(work.started_by):
                    await work.stop()
                    stopped.append(work.name)
        return [*stopped, *(one.name for one in (*told, *held))]


def _named(every: Sequence[Stoppable], whose: MayStop) -> list[str]:
    return [one.name for one in every if whose(one.started_by)]
