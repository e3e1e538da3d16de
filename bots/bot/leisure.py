"""When a bot may do as it likes: some time after the last request, and not while it has to stay."""

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

    def let_go(self) -> None:
        """Let the bot move again."""
        self.stays = False

    def told_to_stay(self) -> None:
        self.stays = True
        self.disturbed()


@runtime_checkable
class TellsLeisure(Protocol):
    """A result that tells what the bot did unasked, like that of `!status`."""

    @property
    def lately(self) -> str | None: ...
