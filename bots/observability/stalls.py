"""Detects a blocked event loop: meanwhile no bot moves, and nobody gets an answer."""

from __future__ import annotations

from collections import deque

import structlog

from bots.clock import Sleep, Stopwatch

log = structlog.get_logger()

EVERY_S = 0.5
STALLED_S = 5.0  # beyond this lag the loop counts as blocked
REMEMBERED = 20  # turns that were looked at: 10 s of them


class Stalls:
    """How late the loop's latest turns were."""

    def __init__(self, stopwatch: Stopwatch, sleep: Sleep) -> None:
        self._stopwatch, self._sleep = stopwatch, sleep
        self._began_s = stopwatch()
        self._latest: deque[float] = deque([0.0], REMEMBERED)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            self._began_s = self._stopwatch()
            await self._sleep(EVERY_S)
            late_s = self._late_now_s
            self._latest.append(late_s)
            if late_s >= STALLED_S:
                log.warning("loop.stalled", late_s=round(late_s, 1))

    @property
    def late_s(self) -> float:
        """The most that one of them was late, the one under way included."""
        return max(*self._latest, self._late_now_s)

    @property
    def _late_now_s(self) -> float:
        return max(0.0, self._stopwatch() - self._began_s - EVERY_S)
