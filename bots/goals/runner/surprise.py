"""How long surprises are put up with: as long as plans get cheaper, and a few times more."""

from __future__ import annotations

import math

from bots.errors import CommandError
from bots.goals.plan import Plan

STALLS = 3
"""Surprises in a run without a plan cheaper than all before it, then it is given up."""


class ReplanLimit:
    """Of one run: every cheaper plan is progress, and costs are whole ticks, so it ends."""

    def __init__(self) -> None:
        self._best_s = math.inf
        self._stalls = 0

    def begin(self, plan: Plan) -> None:
        if plan.cost_s < self._best_s:
            self._best_s, self._stalls = plan.cost_s, 0

    def met_with(self, surprise: StepFailed) -> None:
        """Raises CommandError gave_up, with what went wrong last."""
        self._stalls += 1
        if self._stalls < STALLS:
            return
        sentence = f"I got no further {STALLS} times; the last time: {surprise.message}"
        raise CommandError("gave_up", sentence, **surprise.data, because=surprise.reason)


class StepFailed(CommandError):
    """A step did not do what it was to do, or can no longer be done as planned."""

    @classmethod
    def of(cls, error: CommandError) -> StepFailed:
        return cls(error.reason, error.message, **error.data)
