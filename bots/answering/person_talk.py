"""Which bots a person is talking with: fellow bots keep quiet then. One for all bots."""

from __future__ import annotations

from bots.clock import Stopwatch

QUIET_S = 20.0  # after a person's last line to a bot


class PersonTalk:
    def __init__(self, stopwatch: Stopwatch, quiet_s: float = QUIET_S) -> None:
        self._stopwatch, self._quiet_s = stopwatch, quiet_s
        self._last: dict[str, float] = {}

    def spoke(self, bot: str) -> None:
        """A person said something to this bot, or got an answer from it."""
        self._last[bot] = self._stopwatch()

    def going_on(self, *bots: str) -> bool:
        """Whether a person is in talk with any of these bots."""
        now = self._stopwatch()
        return any(now - self._last.get(bot, float("-inf")) < self._quiet_s for bot in bots)
