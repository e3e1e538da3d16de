"""Walking somewhere: on foot, and where no way leads, through natural ground."""

from __future__ import annotations

from bots.bot import Bot
from bots.errands import Errand
from bots.errors import ActionFailed
from bridge.actions import MoveTo
from bridge.world import Position

SLOWEST = 1.5  # seconds a block
SHORTEST_S, LONGEST_S = 30.0, 600.0  # by bare hands a step through stone takes 22 s


async def walk(
    bot: Bot,
    errand: Errand,
    goal: Position,
    within: float,
    *,
    deadline_s: float | None = None,
    may_dig: bool = True,
) -> Position:
    """Come within some blocks of a point; where that led. `deadline_s` holds for all of it.

    Raises ActionFailed no_path, deadline."""
    began = bot.times.stopwatch()
    far = (await bot.snapshot()).position.distance_to(goal)
    on_foot = MoveTo(goal, within)
    try:
        ended = await errand.act(on_foot, deadline_s=deadline_s or _bounded(far * SLOWEST))
    except ActionFailed as failed:
        if failed.reason != "no_path" or not may_dig:
            raise
        left_s = deadline_s and max(0.1, deadline_s - (bot.times.stopwatch() - began))
        digging = MoveTo(goal, within, may_dig=True)
        ended = await errand.act(digging, deadline_s=left_s or LONGEST_S)
    return Position(*ended.result["position"])


def _bounded(needed_s: float) -> float:
    return min(max(needed_s, SHORTEST_S), LONGEST_S)
