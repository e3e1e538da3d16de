"""What `!stop` can end: everything that runs for a bot registers here while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import Origin

MayStop: TypeAlias = Callable[[Origin | None], bool]
"""Whether something that this origin (None: the bot itself) started may be stopped."""


def anything(_started_by: Origin | None) -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Stoppable:
    name: str
    started_by: Origin | None
    stop: Callable[[], object]


class Stoppables:
    """The running things of one bot, oldest first."""

    def __init__(self) -> None:
        self._running: list[Stoppable] = []

    @contextmanager
    def running(
        self, name: str, stop: Callable[[], object], started_by: Origin | None = None
    ) -> Iterator[None]:
        """Let `stop` be called by `!stop` for as long as the block lasts."""
        entry = Stoppable(name, started_by, stop)
        self._running.append(entry)
        try:
            yield
        finally:
            self._running.remove(entry)

    def names(self, whose: MayStop = anything) -> list[str]:
        """Of what runs and was started by such an origin."""
        return [entry.name for entry in self._running if whose(entry.started_by)]

    def stop(self, may_stop: MayStop = anything) -> list[str]:
        """End what may be ended; its names."""
        ended = [entry for entry in self._running if may_stop(entry.started_by)]
        for entry in ended:
            entry.stop()
        return [entry.name for entry in ended]
