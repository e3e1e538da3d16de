"""When a run gives up: after three failed steps without a cheaper plan."""

from __future__ import annotations

import math

from bots.errors import CommandError
from bots.goals.plan import Plan

STALLS = 3
"""Failed steps in a row without a plan cheaper than all before; then the run gives up."""


class ReplanLimit:
    """Counts the failed steps of one run.

    Every cheaper plan starts the count anew; costs are whole ticks, so a run ends."""

    def __init__(self) -> None:
        self._best_s = math.inf
        self._stalls = 0

    def begin(self, plan: Plan) -> None:
        if plan.cost_s < self._best_s:
            self._best_s, self._stalls = plan.cost_s, 0

    def count(self, failed: StepFailed) -> None:
        """Raises CommandError gave_up, with what went wrong last."""
        self._stalls += 1
        if self._stalls < STALLS:
            return
        sentence = f"I got no further {STALLS} times; the last time: {failed.message}"
        raise CommandError("gave_up", sentence, **failed.data, because=failed.reason)


class StepFailed(CommandError):
    """A step did not do what it was to do, or can no longer be done as planned."""

    @classmethod
    def of(cls, error: CommandError) -> StepFailed:
        return cls(error.reason, error.message, **error.data)
