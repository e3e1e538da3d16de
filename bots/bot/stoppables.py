"""What `!stop` ends besides the job and the action: replies, talks, pastimes, quick commands.

`Bot.stop` ends three things, each in the way it needs:
- whatever registered here is told to stop, all at once, and ends on its own;
- the job is cancelled and awaited, since its tear-down may still act. It is the newest unfinished
  job, and the actions it began are part of it, so neither is registered a second time;
- the action is cancelled at the bridge, if it belongs to no job. When there is neither, the
  bridge is told to clear all the same, since a container may stand open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import Origin

MayStop: TypeAlias = Callable[[Origin | None], bool]
"""Whether what this origin (None: the bot itself) started may be stopped."""


def anything(_started_by: Origin | None) -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Stoppable:
    name: str
    started_by: Origin | None
    stop: Callable[[], object]


class Stoppables:
    """What runs for one bot besides its job and action, oldest first."""

    def __init__(self) -> None:
        self._running: list[Stoppable] = []

    @contextmanager
    def running(
        self, name: str, stop: Callable[[], object], started_by: Origin | None = None
    ) -> Iterator[None]:
        """Register something for as long as the block lasts; `stop` must return at once."""
        entry = Stoppable(name, started_by, stop)
        self._running.append(entry)
        try:
            yield
        finally:
            self._running.remove(entry)

    def names(self, whose: MayStop = anything) -> list[str]:
        """The names of what runs and was started by such an origin."""
        return [entry.name for entry in self._running if whose(entry.started_by)]

    def stop(self, may_stop: MayStop = anything) -> list[str]:
        """Tell everything to stop that may be stopped; its names."""
        ended = [entry for entry in self._running if may_stop(entry.started_by)]
        for entry in ended:
            entry.stop()
        return [entry.name for entry in ended]
