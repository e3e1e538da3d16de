"""Holes: out of one by a pillar of earth, by its old stairs, or by new stairs to the surface; out
of deep water in one by a step first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Awaitable, Callable

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import SIDES
from bots.skills.stairs import AIR, climb_old_stairs, finds_way, is_below_ground
from bots.skills.tunnelling import dig_near
from bots.skills.wells import leave_well
from bridge.actions import Footholds, Pillar
from bridge.world import Position

EARTH = (
    "dirt",
    "cobblestone",
    "cobbled_deepslate",
    "netherrack",
    "stone",
    "deepslate",
    "andesite",
    "diorite",
    "granite",
)
"""What may stay behind in a hole: it can be found anywhere."""
STEP = 1  # blocks one can climb without help
HIGHEST = 16  # blocks of a pillar
PILLAR_S = 3.0  # for each block
AHEAD = (8, 16, 32)  # blocks towards the goal, where stairs to the surface may end
FAR = 12.0  # blocks, level: a nearer goal is dug to directly


async def leave_hole(
    bot: Bot, job: Job, goal: Position, is_there: Callable[[], Awaitable[bool]], *, may_pillar: bool
) -> bool:
    """Get out of a pit, a tunnel or a well and go on to the goal; whether it came to that."""
    is_ashore = await leave_well(bot, job, EARTH if may_pillar else ())
    if is_ashore and await is_there():
        return True
    if not is_ashore and not await is_below_ground(job):
        return False
    if may_pillar and await _pillar_out(job) and await is_there():
        return True
    if await climb_old_stairs(job, goal, is_there):
        return True
    return await _dig_up(bot, job, goal) and await is_there()


async def _pillar_out(job: Job) -> bool:
    """Put earth under the feet up to the edge of the hole; False where that is too high, roofed
    over, or takes more earth than is carried."""
    feet = (await job.snapshot()).position.block
    height = await _edge(job, feet) - feet.y
    if not STEP < height <= HIGHEST or not await _is_shaft(job, feet, height):
        return False
    world = await job.snapshot()
    carried = Counter({name: world.count(name) for name in EARTH})
    if carried.total() < height:
        return False
    for item, count in carried.most_common():
        some = int(min(count, height))
        height -= some
        if some and not await _is_piled(job, item, some):
            return False
    return True


async def _edge(job: Job, feet: Position) -> float:
    """The level of the lowest place beside the hole that is no part of its floor."""
    levels = [math.inf]
    for dx, dz in SIDES:
        places = await job.query(Footholds(int(feet.x + dx), int(feet.z + dz))) or ()
        levels += [place.y for place in places if place.y > feet.y]
    return min(levels)


async def _is_shaft(job: Job, feet: Position, height: float) -> bool:
    """Whether a body can rise so far, and stand up there."""
    cells = (Position(feet.x, feet.y + up, feet.z) for up in range(int(height) + 2))
    return all([await job.block(cell) in AIR for cell in cells])


async def _is_piled(job: Job, item: str, height: int) -> bool:
    try:
        await job.act(Pillar(item, height), deadline_s=PILLAR_S * (1 + height))
    except ActionFailed as failed:
        if failed.reason not in ("blocked", "missing_item", "deadline", "stuck"):
            raise
        return False
    return True


async def _dig_up(bot: Bot, job: Job, goal: Position) -> bool:
    """Dig stairs to the surface on the way to a goal that is farther than one digs straight."""
    here = (await job.snapshot()).position
    far = math.hypot(goal.x - here.x, goal.z - here.z)
    if far <= FAR:
        return False
    for ahead in AHEAD:
        share = min(1.0, ahead / far)
        x, z = here.x + (goal.x - here.x) * share, here.z + (goal.z - here.z) * share
        places = await job.query(Footholds(math.floor(x), math.floor(z))) or ()
        if places and places[-1].y - here.y <= ahead:
            return await finds_way(dig_near(bot, job, places[-1]))
    return False
