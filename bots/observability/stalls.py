"""How late the event loop is. While it is blocked, no bot moves, and nobody gets an answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import structlog

from bots.clock import Sleep, Stopwatch

log = structlog.get_logger()

EVERY_S = 0.1  # of the pauses that last 50 ms, half are seen
STALLED_S = 5.0  # beyond this lag the loop counts as blocked
REMEMBERED = 100  # of the newest: ten seconds


class LoopLag:
    """How late the loop's newest turns were."""

    def __init__(self, stopwatch: Stopwatch, sleep: Sleep) -> None:
        self._stopwatch, self._sleep = stopwatch, sleep
        self._began_s = stopwatch()
        self._newest: deque[float] = deque([0.0], REMEMBERED)
        self._watchers: list[Callable[[float], object]] = []

    def watch(self, observe: Callable[[float], object]) -> None:
        """Have this called with how late each turn was."""
        self._watchers.append(observe)

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            self._began_s = self._stopwatch()
            await self._sleep(EVERY_S)
            late_s = self._late_now_s
            self._newest.append(late_s)
            for observe in self._watchers:
                observe(late_s)
            if late_s >= STALLED_S:
                log.warning("loop.stalled", late_s=round(late_s, 1))

    @property
    def worst_s(self) -> float:
        """The longest lag of the last ten seconds, that of the turn under way included."""
        return max(*self._newest, self._late_now_s)

    @property
    def _late_now_s(self) -> float:
        return max(0.0, self._stopwatch() - self._began_s - EVERY_S)
