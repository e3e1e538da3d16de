"""Walking: on foot, out of holes, and through natural ground where no path leads."""

from __future__ import annotations

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.holes import EARTH, leave_hole
from bots.skills.stairs import finds_way
from bots.skills.tools import require_tool_for_way
from bots.skills.wells import why_held
from bridge.actions import MoveTo
from bridge.world import Position

SLOWEST = 1.5  # seconds a block
SHORTEST_S, LONGEST_S = 30.0, 600.0  # by bare hands a step through stone takes 22 s


async def walk(
    bot: Bot,
    job: Job,
    goal: Position,
    within: float,
    *,
    deadline_s: float | None = None,
    may_dig: bool = True,
    may_pillar: bool = False,
) -> Position:
    """Walk to within some blocks of a point; the position that was reached.

    `deadline_s` is for the whole walk; without it, the bot leaves a hole before it digs straight
    to the point. A pillar takes earth out of the bag, which who gathers may need.

    Raises ActionFailed no_path, deadline, no_tool."""
    began = bot.times.stopwatch()
    far = (await job.snapshot()).position.distance_to(goal)

    async def on_foot() -> bool:
        walking = MoveTo(goal, within)
        return await finds_way(job.act(walking, deadline_s=deadline_s or _bounded(far * SLOWEST)))

    if not await on_foot():
        if not may_dig:
            raise ActionFailed("no_path", "No way leads there on foot.")
        if deadline_s or not await leave_hole(bot, job, goal, on_foot, may_pillar=may_pillar):
            await require_tool_for_way(job, await bot.catalogue(), goal)
            left_s = deadline_s and max(0.1, deadline_s - (bot.times.stopwatch() - began))
            await _dig_there(job, MoveTo(goal, within, may_dig=True), left_s or LONGEST_S)
    return (await job.snapshot()).position


async def _dig_there(job: Job, way: MoveTo, deadline_s: float) -> None:
    """Raises ActionFailed, with why it is held where that is known."""
    try:
        await job.act(way, deadline_s=deadline_s)
    except ActionFailed as failed:
        why = await why_held(job, EARTH) if failed.reason == "no_path" else None
        if why is None:
            raise
        raise ActionFailed("no_path", why) from failed


def _bounded(needed_s: float) -> float:
    return min(max(needed_s, SHORTEST_S), LONGEST_S)
