"""When a bot may do as it likes: some time after others wanted something of it, and not while it
was told to stay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, runtime_checkable

from bots.clock import Stopwatch

LATELY_S = 60.0


class Leisure:
    """The free time of one bot."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._since_s = stopwatch()
        self.stays = False
        """Whether it was told to stop or to stay, and to do nothing since."""
        self._did = ""
        self._did_s = -LATELY_S
        self._watchers: list[Callable[[], None]] = []

    @property
    def free_for_s(self) -> float:
        """Seconds since somebody last wanted something of it."""
        return self._stopwatch() - self._since_s

    @property
    def lately(self) -> str | None:
        """What it did of its own accord a moment ago, such as “taking a walk”; None for nothing."""
        return self._did if self._stopwatch() - self._did_s < LATELY_S else None

    def does(self, what: str) -> None:
        """It does this of its own accord."""
        self._did, self._did_s = what, self._stopwatch()

    def watch(self, turned_to: Callable[[], None]) -> Callable[[], None]:
        """Call `turned_to`, which must not wait, whenever anybody turns to the bot; returns what
        ends that."""
        self._watchers.append(turned_to)
        return partial(self._watchers.remove, turned_to)

    def turned_to(self) -> None:
        """Somebody turns to the bot, with a line, a question or a talk: what it does goes on."""
        for turned_to in tuple(self._watchers):
            turned_to()

    def disturbed(self) -> None:
        """Somebody wants something, or has just had it."""
        self._since_s = self._stopwatch()
        self.turned_to()

    def given_work(self) -> None:
        """It was told to do something: that ends its staying."""
        self.stays = False
        self.disturbed()

    def let_go(self) -> None:
        """It need not stay any longer."""
        self.stays = False

    def told_to_stay(self) -> None:
        self.stays = True
        self.disturbed()


@runtime_checkable
class TellsLeisure(Protocol):
    """A result that tells what the bot did of its own accord, like that of `!status`."""

    @property
    def lately(self) -> str | None: ...
