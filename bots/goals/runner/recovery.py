"""Failed steps: what a run does after one, and when it gives up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal, PlacedAtGoal, PlacedGoal
from bots.goals.plan import Plan, Step, StepKind
from bots.goals.runner.sight import carried
from bots.skills.bag import BagRoom, slots_lacking
from bridge.actions import FindBlocks
from bridge.world import Death, Position, WorldSnapshot

MAX_STALLS = 5
"""A run gives up after this many different tries in a row without progress."""
MAX_SETBACKS = 8
"""A run gives up after more setbacks than this."""
MAX_ALIKE = 3
"""A run gives up when the server refused one kind of step this often in the same words."""
NOT_TAKEN = frozenset({"internal", "window_closed", "wrong_slot"})
"""Failures that another way of doing the same cannot avoid."""
PASSING = frozenset(
    {
        *("died", "blocked", "unconfirmed", "deadline", "stuck"),
        *("internal", "window_closed", "wrong_slot"),
    }
)
"""Failures that may not happen again, though nothing else has changed."""
NOISE_S, NOISE = 1.0, 1.1
"""Seconds and factor by which two plans for the same work may differ."""
MOST_MORE = 4
"""At most this many slots are freed for items picked up by the way."""
HEADING_WITHIN = 32


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
        """How long the rest took by the plan before."""
        self._stalls = self._setbacks = 0
        self._begun: Hashable = None
        """The circumstances of the present plan, until one of its steps is done."""
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
            self._setbacks += 1
            self._best_s = math.inf
            if self._setbacks > MAX_SETBACKS:
                sentence = f"I give up: {MAX_SETBACKS + 1} times I had more to do than before."
                for cause, times in self._causes.most_common(1):
                    sentence += f" {cause}" if times == 1 else f" {times} times: {cause}"
                raise CommandError("gave_up", sentence, because="set_back")
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


def due_of(
    step: Step, later: Iterable[Step], goals: Iterable[Goal], carried: Mapping[str, int]
) -> dict[str, int]:
    """How many more of each item the step has to give; never more than planned."""
    needs: Counter[str] = Counter()
    for goal in goals:
        match goal:
            case ItemGoal():
                needs[goal.item] += goal.count
            case EquipmentGoal(on=True):
                needs[goal.item] += 1
            case _:
                pass
    for one in later:
        needs.update(one.consumes)
        needs.subtract(one.produces)
    lacking = {item: needs[item] - carried.get(item, 0) for item in step.produces}
    return {item: min(n, step.produces[item]) for item, n in lacking.items() if n > 0}


@dataclass(slots=True)
class Deaths:
    """Notices each death during a run once, even one between two actions, which ends no action."""

    known: Death | None
    """The latest death that is known."""

    def check(self, snapshot: WorldSnapshot) -> None:
        """Raises StepFailed died for a death that is new."""
        if snapshot.died not in (None, self.known):
            raise StepFailed("died", "I died.")

    def behind(self, failed: StepFailed, snapshot: WorldSnapshot) -> StepFailed:
        """The failure itself, or the new death that caused it: the dead carry nothing."""
        death, known = snapshot.died, self.known
        self.known = death
        if death is None or death == known:
            return failed
        return StepFailed("died", "I died.")


@dataclass(slots=True)
class Recovery:
    """Makes room in the inventory after a failed step, for one run."""

    job: Job
    room: BagRoom
    _step: Step | None = None
    """The latest step that room was made for."""
    _fell_short: int = 0
    """How often a step found no room that seemed to have enough: things come by the way."""

    async def after(self, failed: StepFailed, keep: Counter[str]) -> None:
        """Prepare for planning again after a failed step; never throw away what is in `keep`.

        Raises CommandError inventory_full if nothing can be thrown away."""
        if failed.reason == "inventory_full":
            self._fell_short += 1
            more = min(self._fell_short, MOST_MORE)
            await self.room.require(more, "what comes on the way", keep, await self._heading())
        if failed.reason == "died":
            with suppress(ActionFailed):  # a plan from here may need nothing of what was lost
                await self.job.make_good()

    async def make_room_for(self, step: Step, later: Sequence[Step], goals: Sequence[Goal]) -> None:
        """Free what a step lacks, and nothing else. Raises CommandError inventory_full."""
        self._step = step
        bag, keep = await self.job.snapshot(), needed((step, *later), goals)
        brings = brought(step, due_of(step, later, goals, carried(bag)))
        bit_by_bit = step.action == "craft"
        lacking = slots_lacking(
            bag, self.room.catalogue, step.consumes, brings, bit_by_bit=bit_by_bit
        )
        if lacking:
            await self.room.require(lacking, " and ".join(brings), keep, await self._heading())

    async def _heading(self) -> Position | None:
        """Where the latest step leads, if to a block or an animal."""
        target = self._step.target if self._step else ""
        for mob in (await self.job.snapshot()).mobs:
            if mob.name == target:
                return mob.position
        if target not in self.room.catalogue.blocks:
            return None
        found = await self.job.query(FindBlocks((target,), HEADING_WITHIN, 1))
        return found[0].position if found else None


def brought(step: Step, due: Mapping[str, int]) -> Mapping[str, float]:
    """What a step should put into the bag: where chance decides, what is `due` of its products."""
    if step.action == "take_off":
        return {step.target: 1}
    return due if step.about else step.produces


def needed(steps: Iterable[Step], goals: Iterable[Goal]) -> Counter[str]:
    """What must not be thrown away: everything the steps use and the goals ask for."""
    counts: Counter[str] = Counter()
    tools: Counter[str] = Counter()
    for step in steps:
        counts.update(step.consumes)
        tools |= Counter({step.tool: 1} if step.tool else {})
    counts += tools
    for goal in goals:
        match goal:
            case ItemGoal():
                counts[goal.item] += goal.count
            case PlacedGoal():
                counts[goal.block] += goal.count
            case PlacedAtGoal():
                counts[goal.block] += 1
    return counts
