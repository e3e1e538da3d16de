"""Recovers from what would block any plan: a full inventory, death."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.goals.goal import Goal, ItemGoal, PlacedAtGoal, PlacedGoal
from bots.goals.plan import Step
from bots.goals.runner.dues import due_of
from bots.goals.runner.replanning import StepFailed
from bots.goals.runner.sight import carried
from bots.skills.bag_room import BagRoom
from bots.skills.bag_space import slots_lacking
from bridge.actions import FindBlocks
from bridge.world import Death, Position, WorldSnapshot

MOST_MORE = 4
"""At most so many slots are freed for what comes by the way."""
HEADING_WITHIN = 32


@dataclass(slots=True)
class Deaths:
    """Notices each death during one run once; also one between two actions, which ends none."""

    known: Death | None
    """The latest that is known."""

    def check(self, snapshot: WorldSnapshot) -> None:
        """Raises StepFailed died for a death that is new."""
        if snapshot.died not in (None, self.known):
            raise self.behind(StepFailed("died", "I died."), snapshot)

    def behind(self, failed: StepFailed, snapshot: WorldSnapshot) -> StepFailed:
        """The failure as it was, or the new death behind it: the dead carry nothing."""
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
    """The latest that room was made for."""
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
    """What a step is to put into the bag: where chance decides, what is `due` of its products."""
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
