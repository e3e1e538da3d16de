"""Stepping out of an area in which nothing may be touched, to work beside it."""

from __future__ import annotations

import math

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import foot
from bots.skills.walking import walk
from bridge.actions import Footholds
from bridge.world import Position

FARTHEST, STEP, BEYOND = 64, 2, 3  # blocks: looked at, from one to the next, past the border
WAYS = 16
NEAR = 1.5  # blocks


async def step_out(bot: Bot, job: Job) -> None:
    """Walk to where something may be touched, if that is not here. Raises ActionFailed."""
    world = await job.snapshot()
    here = world.position
    if bot.areas.sparing(world.dimension, here) is None:
        return
    refused: ActionFailed | None = None
    for place in _beyond(bot, world.dimension, here):
        footholds = await job.query(Footholds(int(place.x), int(place.z))) or ()
        if not footholds:
            continue
        level = min(footholds, key=lambda at: abs(at.y - here.y))
        try:
            await walk(bot, job, foot(level), NEAR)
        except ActionFailed as failed:
            if failed.reason == "died":
                raise
            refused = failed
        else:
            return
    if refused is not None:
        raise refused


def _beyond(bot: Bot, dimension: str, here: Position) -> list[Position]:
    """Where a straight line in each direction leaves what is left alone, the nearest first."""
    found: list[Position] = []
    for way in range(WAYS):
        dx, dz = math.cos(math.tau * way / WAYS), math.sin(math.tau * way / WAYS)
        line = [
            Position(here.x + dx * far, here.y, here.z + dz * far).block
            for far in range(0, FARTHEST, STEP)
        ]
        out = next((n for n, at in enumerate(line) if not bot.areas.sparing(dimension, at)), None)
        if out is not None:
            found.append(line[min(out + BEYOND // STEP, len(line) - 1)])
    return sorted(found, key=here.distance_to)
