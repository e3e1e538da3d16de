"""Putting right what would stand in the way of any plan: a full bag, death."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.goals.goal import Goal, ItemGoal, PlacedGoal
from bots.goals.plan import Step
from bots.goals.runner.replanning import StepFailed
from bots.skills.walking import walk
from bridge.actions import CollectDrops, Toss, Wait
from bridge.world import Position, WorldSnapshot

TIGHT = 3
"""Free slots below which room is made before a step."""
STACK = 64
"""Of anything that is rubble."""
RISEN_AFTER_S = 0.5
RISEN_WITHIN_S = 15.0
LOST_THINGS_S = 90.0
"""A walk back to where the bot died; what lies there stays for 300 s."""
OVER_THEM = 1.5
LYING_ABOUT = 8.0


@dataclass(slots=True)
class Recovery:
    bot: Bot
    job: Job

    async def after(self, failed: StepFailed, keep: Counter[str]) -> None:
        """Do what can be done before planning anew; what is to be kept is not thrown away.

        Raises CommandError inventory_full when nothing can be."""
        if failed.reason == "inventory_full" and not await self.make_room(keep):
            sentence = "My bag is full of things I would not throw away."
            raise CommandError("inventory_full", sentence)
        if failed.reason == "died":
            await self._rise()
            with suppress(ActionFailed):
                await self._fetch_lost_things(failed)

    async def make_room(self, keep: Counter[str]) -> bool:
        """Throw rubble away until some slots are free; whether anything could go."""
        gone = False
        while True:
            snapshot = await self.job.snapshot()
            useless = rubble(snapshot, keep).most_common(1)
            if not useless or snapshot.free_slots >= TIGHT:
                return gone
            ((item, count),) = useless
            most = STACK * (TIGHT - snapshot.free_slots)
            await self.job.act(Toss(item, min(count, most)))
            gone = True

    async def _rise(self) -> None:
        waited_s = 0.0
        while (await self.job.snapshot()).health <= 0 and waited_s < RISEN_WITHIN_S:
            with suppress(ActionFailed):
                await self.job.act(Wait(RISEN_AFTER_S))
            waited_s += RISEN_AFTER_S

    async def _fetch_lost_things(self, failed: StepFailed) -> None:
        """What was carried lies where the bot died."""
        there = failed.data.get("position")
        if there is not None:
            place = Position(*there)
            await walk(self.bot, self.job, place, OVER_THEM, deadline_s=LOST_THINGS_S)
            await self.job.act(CollectDrops(LYING_ABOUT))


_RUBBLE = re.compile(
    r"dirt|coarse_dirt|rooted_dirt|cobblestone|cobbled_deepslate|stone|deepslate|granite|diorite"
    r"|andesite|tuff|calcite|gravel|sand|red_sand|netherrack|basalt|blackstone|soul_soil"
    r"|end_stone|rotten_flesh|poisonous_potato|wheat_seeds|\w+_sapling|\w+_leaves|dandelion|poppy"
)
"""What tunnels and meadows leave in a bag, to be had again wherever one stands."""


def needed(steps: Iterable[Step], goals: Iterable[Goal]) -> Counter[str]:
    """What must stay: at most this much of each thing will be used."""
    counts: Counter[str] = Counter()
    for step in steps:
        counts.update(step.consumes)
    for goal in goals:
        match goal:
            case ItemGoal():
                counts[goal.item] += goal.count
            case PlacedGoal():
                counts[goal.block] += goal.count
    return counts


def rubble(snapshot: WorldSnapshot, keep: Counter[str]) -> Counter[str]:
    """What can go, the most first."""
    held: Counter[str] = Counter()
    for stack in snapshot.items:
        if _RUBBLE.fullmatch(stack.name):
            held[stack.name] += stack.count
    return +(held - keep)
