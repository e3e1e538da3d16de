"""The lag of the event loop: how late it wakes a task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Histogram

from bots.clock import Sleep

EVERY_S = 0.1  # of the pauses that last 50 ms, half are seen
REMEMBERED = 100  # of the newest: ten seconds
_BOUNDS_S = (0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1)


class LoopLag:
    def __init__(
        self, stopwatch: Callable[[], float], sleep: Sleep, registry: CollectorRegistry
    ) -> None:
        self._stopwatch, self._sleep = stopwatch, sleep
        self._newest: deque[float] = deque(maxlen=REMEMBERED)
        self._lags = Histogram(
            "townsfolk_event_loop_lag_seconds",
            f"How late a turn of the event loop was, looked at every {EVERY_S:g} s.",
            registry=registry,
            buckets=_BOUNDS_S,
        )

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            began_s = self._stopwatch()
            await self._sleep(EVERY_S)
            late_s = max(0.0, self._stopwatch() - began_s - EVERY_S)
            self._newest.append(late_s)
            self._lags.observe(late_s)

    @property
    def worst_s(self) -> float:
        """The longest lag in the last ten seconds."""
        return max(self._newest, default=0.0)
