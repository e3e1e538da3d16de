"""Rate limit: how many commands a speaker may give in a time window."""

from __future__ import annotations

from collections import deque
from typing import Literal

from bots.clock import Stopwatch

COMMANDS = 20
WINDOW_S = 10.0
SPEAKERS = 1_000  # we remember this many and forget the speaker who has been silent longest

Verdict = Literal["admitted", "refused", "refused_again"]


class RateLimit:
    """At most `count` admissions of one speaker within any `window_s` seconds."""

    def __init__(
        self, stopwatch: Stopwatch, *, count: int = COMMANDS, window_s: float = WINDOW_S
    ) -> None:
        self._stopwatch, self.count, self.window_s = stopwatch, count, window_s
        self._admitted: dict[str, deque[float]] = {}
        self._told: set[str] = set()

    def admit(self, speaker: str) -> Verdict:
        """Whether the speaker may give a command; `refused_again` if we already told them no."""
        now = self._stopwatch()
        times = self._admitted.pop(speaker, deque())
        self._admitted[speaker] = times  # asking makes it the most recent
        if len(self._admitted) > SPEAKERS:
            silent = next(iter(self._admitted))
            del self._admitted[silent]
            self._told.discard(silent)
        while times and now - times[0] >= self.window_s:
            times.popleft()
        if len(times) < self.count:
            times.append(now)
            self._told.discard(speaker)
            return "admitted"
        if speaker in self._told:
            return "refused_again"
        self._told.add(speaker)
        return "refused"
