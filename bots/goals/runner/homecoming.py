"""Coming home: out of the mine or pit in which the last step left the bot."""

from __future__ import annotations

from contextlib import suppress

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.goals.runner.step_times import StepTimes, time_of_climb
from bots.skills.stairs import is_below_ground
from bots.skills.tunnelling import climb
from bridge.actions import MoveTo
from bridge.world import Position

DEEP_BLOCKS, PIT_BLOCKS = 8.0, 2.0
"""So far below its start a bot climbs back: from anywhere, or only from below ground."""
CLIMBED_WITHIN = 2.0


async def climb_home(bot: Bot, job: Job, start: Position, times: StepTimes) -> bool:
    """Climb out of a mine or pit; return whether there was one to climb out of."""
    depth = start.y - (await job.snapshot()).position.y
    is_deep = depth >= DEEP_BLOCKS or (depth >= PIT_BLOCKS and await is_below_ground(job))
    if not is_deep:
        return False
    began = bot.times.stopwatch()
    with suppress(ActionFailed):
        await climb(bot, job, MoveTo(start, CLIMBED_WITHIN))
        took_s = bot.times.stopwatch() - began
        times.add(time_of_climb(bot.times.clock(), bot.name, depth, took_s))
    return True
