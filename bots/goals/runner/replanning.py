"""Failed steps, and when a run gives up on them."""

from __future__ import annotations

import math

from bots.errors import CommandError
from bots.goals.plan import Plan

MAX_STALLS = 3
"""A run gives up after so many failed steps without a cheaper plan."""


class StepFailed(CommandError):
    """A step did not give what was planned, or can no longer be done as planned."""

    @classmethod
    def of(cls, error: CommandError) -> StepFailed:
        return cls(error.reason, error.message, **error.data)


class ReplanLimit:
    """Counts the failed steps of one run.

    A plan cheaper than all before resets the count; costs are whole ticks, so every run ends."""

    def __init__(self) -> None:
        self._best_s = math.inf
        self._stalls = 0

    def begin(self, plan: Plan) -> None:
        if plan.cost_s < self._best_s:
            self._best_s, self._stalls = plan.cost_s, 0

    def count(self, failed: StepFailed) -> None:
        """Raises CommandError gave_up, with the last failure, once the limit is reached."""
        self._stalls += 1
        if self._stalls < MAX_STALLS:
            return
        sentence = f"I give up after {MAX_STALLS} failed steps; the last one: {failed.message}"
        raise CommandError("gave_up", sentence, **failed.data, because=failed.reason)
