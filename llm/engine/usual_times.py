"""How long each tier usually takes: as configured to begin with, then as measured.

    usual = mean of the newest answers + how far they mostly are from it

A tier that has become slow is asked less, and so measured less: what was learnt fades back to what
is configured, so that it is tried again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from llm.engine.tiers import Tier

WEIGHT_OF_NEWEST = 0.25
HALF_LIFE_S = 600.0


@dataclass(frozen=True, slots=True)
class _Learnt:
    mean_s: float
    deviation_s: float
    at_s: float
    """Stopwatch time of the newest measurement."""

    @property
    def usual_s(self) -> float:
        return self.mean_s + self.deviation_s


class UsualTimes:
    """What live decisions have taught; answers that nobody waits for are longer, and left out."""

    def __init__(self, stopwatch: Callable[[], float]) -> None:
        self._stopwatch = stopwatch
        self._learnt: dict[Tier, _Learnt] = {}

    def of(self, tier: Tier, configured_s: float) -> float:
        """Seconds that an answer of this tier usually takes."""
        learnt = self._learnt.get(tier)
        if learnt is None:
            return configured_s
        left = math.pow(0.5, (self._stopwatch() - learnt.at_s) / HALF_LIFE_S)
        return configured_s + left * (learnt.usual_s - configured_s)

    def answered(self, tier: Tier, configured_s: float, took_s: float) -> None:
        """Take an answer into account."""
        last = self._learnt.get(tier) or _Learnt(configured_s, 0.0, self._stopwatch())
        off = took_s - last.mean_s
        mean = last.mean_s + WEIGHT_OF_NEWEST * off
        deviation = last.deviation_s + WEIGHT_OF_NEWEST * (abs(off) - last.deviation_s)
        self._learnt[tier] = _Learnt(mean, deviation, self._stopwatch())

    def cut(self, tier: Tier, configured_s: float, after_s: float) -> None:
        """Take an answer into account that was not there after so many seconds.

        After fewer than usual that says nothing."""
        if after_s > self.of(tier, configured_s):
            self.answered(tier, configured_s, after_s)
