"""Failed steps, and when a run gives up on them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable

from bots.errors import CommandError
from bots.goals.plan import Plan, Step, StepKind

MAX_STALLS = 5
"""A run gives up after so many different tries in a row that brought it no nearer."""
MAX_SETBACKS = 8
"""A run gives up when it was set back more often."""
MAX_ALIKE = 3
"""A run gives up when the server has so often not taken a kind of step in the same way."""
NOT_TAKEN = frozenset({"internal", "window_closed", "wrong_slot"})
"""What no other way of doing the same gets around."""
PASSING = frozenset(
    {
        *("died", "blocked", "unconfirmed", "deadline", "stuck"),
        *("internal", "window_closed", "wrong_slot"),
    }
)
"""What may go well the next time, though nothing else has changed."""
NOISE_S, NOISE = 1.0, 1.1
"""Two plans for the same work may differ by so much and by this factor."""


class StepFailed(CommandError):
    """A step did not give what was planned, or can no longer be done as planned."""

    @classmethod
    def of(cls, error: CommandError) -> StepFailed:
        return cls(error.reason, error.message, **error.data)


class ReplanLimit:
    """Decides how long one run goes on after failed steps.

    A run that gets nearer, by steps done, may fail as often as it likes. One that stays where it
    is has *stalled*; some stalls end it. Nothing is tried twice: the plan that just failed at its
    first step is not begun again when all it rests on is the same, mishaps apart. Whoever is
    robbed, dies or finds the way closed has more to do than before: a *setback*, after which
    patience begins anew. Setbacks are counted, and costs are whole ticks, so every run ends. What
    the server does not take in the same way, however the bot comes to it, ends it sooner."""

    def __init__(self) -> None:
        self._best_s = math.inf
        self._left_s = math.inf
        """What was left to do at the latest, by the plan before."""
        self._stalls = self._setbacks = 0
        self._begun: Hashable = None
        """What the present plan rests on, until a step of it is done."""
        self._failed: dict[Hashable, StepFailed] = {}
        self._trying: StepKind | None = None
        self._alike = Counter[tuple[StepKind | None, str]]()
        """How often a kind of step failed in the same words since one of it was done."""
        self._causes = Counter[str]()
        """How often each failure was told, in its words."""

    def begin(self, plan: Plan, rests_on: Hashable = None) -> None:
        """Take the next plan, with what it rests on.

        Raises CommandError gave_up after too many setbacks, and for what just failed."""
        if rests_on in self._failed:
            raise self._gave_up("I know no other way", self._failed[rests_on])
        self._begun = rests_on
        if plan.cost_s > self._left_s * NOISE + NOISE_S:
            self._set_back()
        if plan.cost_s < self._best_s:
            self._best_s, self._stalls = plan.cost_s, 0
        self._left_s = plan.cost_s

    def trying(self, step: Step) -> None:
        """A step begins."""
        self._trying = step.action

    def done(self, step: Step) -> None:
        self._left_s -= step.cost_s
        self._begun = None
        self._failed.clear()
        for alike in [one for one in self._alike if one[0] == step.action]:
            del self._alike[alike]

    def count(self, failed: StepFailed) -> None:
        """Raises CommandError gave_up, with the last failure, once the limit is reached."""
        self._stalls += 1
        self._causes[failed.message] += 1
        if self._begun is not None and failed.reason not in PASSING:
            self._failed[self._begun] = failed
        if failed.reason in NOT_TAKEN:
            self._alike[self._trying, failed.message] += 1
            if self._alike[self._trying, failed.message] >= MAX_ALIKE:
                raise self._gave_up(f"{MAX_ALIKE} times the same", failed)
        if self._stalls >= MAX_STALLS:
            raise self._gave_up(f"{MAX_STALLS} tries failed", failed)

    def _gave_up(self, why: str, failed: StepFailed) -> CommandError:
        sentence = f"I give up: {why}. {failed.message}"
        return CommandError("gave_up", sentence, **failed.data, because=failed.reason)

    def _set_back(self) -> None:
        self._setbacks += 1
        self._best_s = math.inf
        if self._setbacks > MAX_SETBACKS:
            sentence = f"I give up: {MAX_SETBACKS + 1} times I had more to do than before."
            for cause, times in self._causes.most_common(1):
                sentence += f" {cause}" if times == 1 else f" {times} times: {cause}"
            raise CommandError("gave_up", sentence, because="set_back")
