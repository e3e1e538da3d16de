"""When a bot may do as it likes: some time after others wanted something of it, and not while it
was told to stay."""

from __future__ import annotations

from bots.clock import Stopwatch


class Leisure:
    """The free time of one bot."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._since_s = stopwatch()
        self.stays = False
        """Whether it was told to stop or to stay, and to do nothing since."""

    @property
    def free_for_s(self) -> float:
        """Seconds since somebody last wanted something of it."""
        return self._stopwatch() - self._since_s

    def disturbed(self) -> None:
        """Somebody wants something, or has just had it."""
        self._since_s = self._stopwatch()

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
