"""Recovers from what would block any plan: a full inventory, death."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.goals.goal import Goal, ItemGoal, PlacedAtGoal, PlacedGoal
from bots.goals.plan import Step
from bots.goals.runner.near_chests import NearChests
from bots.goals.runner.replanning import StepFailed
from bots.skills.keeping import is_dear
from bots.skills.walking import walk
from bridge.actions import CollectDrops, Toss, Wait
from bridge.world import Death, Position, WorldSnapshot

MIN_FREE_SLOTS = 3
"""With fewer free slots, rubble is thrown away before a step."""
STACK = 64
"""Stack size of every kind of rubble."""
RESPAWN_POLL_S = 0.5
RESPAWN_WITHIN_S = 15.0
FETCH_DROPS_WITHIN_S = 90.0
"""Limit for walking back to where the bot died; drops vanish after 300 s."""
DROPS_REACHED_WITHIN = 1.5
DROPS_RADIUS = 8.0


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
        at = death.position
        return StepFailed("died", "I died.", position=[at.x, at.y, at.z])


@dataclass(slots=True)
class Recovery:
    """Makes room in the inventory and fetches what was lost by death, for one run."""

    bot: Bot
    job: Job
    chests: NearChests

    async def after(self, failed: StepFailed, keep: Counter[str]) -> None:
        """Prepare for planning again after a failed step; never throw away what is in `keep`.

        Raises CommandError inventory_full if nothing can be thrown away."""
        if failed.reason == "inventory_full" and not await self.make_room(keep):
            sentence = "My bag is full of things I would not throw away."
            raise CommandError("inventory_full", sentence)
        if failed.reason == "died":
            await self._wait_for_respawn()
            with suppress(ActionFailed):
                await self._fetch_drops(failed)

    async def make_room(self, keep: Counter[str]) -> bool:
        """Put what nobody needs into a chest near; else throw rubble away until `MIN_FREE_SLOTS`
        are free. Return whether there is more room."""
        has_thrown = await self._put_away(keep)
        while True:
            snapshot = await self.job.snapshot()
            useless = rubble(snapshot, keep).most_common(1)
            if not useless or snapshot.free_slots >= MIN_FREE_SLOTS:
                return has_thrown
            ((item, count),) = useless
            most = STACK * (MIN_FREE_SLOTS - snapshot.free_slots)
            await self.job.act(Toss(item, min(count, most)))
            has_thrown = True

    async def _put_away(self, keep: Counter[str]) -> bool:
        """Put things into a chest; whoever cannot get there has what it had before."""
        if (await self.job.snapshot()).free_slots >= MIN_FREE_SLOTS:
            return False
        try:
            return await self.chests.put_away(keep)
        except ActionFailed:
            return False

    async def _wait_for_respawn(self) -> None:
        waited_s = 0.0
        while (await self.job.snapshot()).health <= 0 and waited_s < RESPAWN_WITHIN_S:
            with suppress(ActionFailed):
                await self.job.act(Wait(RESPAWN_POLL_S))
            waited_s += RESPAWN_POLL_S

    async def _fetch_drops(self, failed: StepFailed) -> None:
        """Walk to where the bot died and collect what it dropped."""
        death_place = failed.data.get("position")
        if death_place is not None:
            place = Position(*death_place)
            await walk(
                self.bot, self.job, place, DROPS_REACHED_WITHIN, deadline_s=FETCH_DROPS_WITHIN_S
            )
            await self.job.act(CollectDrops(DROPS_RADIUS))


_RUBBLE = re.compile(
    r"dirt|coarse_dirt|rooted_dirt|cobblestone|cobbled_deepslate|stone|deepslate|granite|diorite"
    r"|andesite|tuff|calcite|gravel|sand|red_sand|netherrack|basalt|blackstone|soul_soil"
    r"|end_stone|rotten_flesh|poisonous_potato|wheat_seeds|\w+_sapling|\w+_leaves|dandelion|poppy"
)
"""What digging leaves in an inventory and can be found anywhere."""


def needed(steps: Iterable[Step], goals: Iterable[Goal]) -> Counter[str]:
    """What must not be thrown away: everything the steps use and the goals ask for."""
    counts: Counter[str] = Counter()
    for step in steps:
        counts.update(step.consumes)
    for goal in goals:
        match goal:
            case ItemGoal():
                counts[goal.item] += goal.count
            case PlacedGoal():
                counts[goal.block] += goal.count
            case PlacedAtGoal():
                counts[goal.block] += 1
    return counts


def rubble(snapshot: WorldSnapshot, keep: Counter[str]) -> Counter[str]:
    """What can be thrown away: rubble beyond what is to be kept."""
    held: Counter[str] = Counter()
    for stack in snapshot.items:
        if _RUBBLE.fullmatch(stack.name) and not is_dear(stack.name):
            held[stack.name] += stack.count
    return +(held - keep)
