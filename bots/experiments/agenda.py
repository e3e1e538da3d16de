"""What is going to happen, in order of time."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import TypeAlias

Step: TypeAlias = Callable[[], None]


class Agenda:
    """Steps of one moment come in the order in which they were entered."""

    def __init__(self) -> None:
        self.now_ms = 0
        self._steps: list[tuple[int, int, Step]] = []
        self._numbers = itertools.count()

    def enter(self, after_ms: int, step: Step) -> None:
        """Have this done so much later than now."""
        at_ms = self.now_ms + max(0, after_ms)
        heapq.heappush(self._steps, (at_ms, next(self._numbers), step))

    def next(self) -> Step | None:
        """The next step, its moment having come; None when nothing is left."""
        if not self._steps:
            return None
        self.now_ms, _, step = heapq.heappop(self._steps)
        return step
