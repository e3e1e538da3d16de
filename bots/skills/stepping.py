"""Old stairs and tunnels, used again where they are broken off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bots.bot import Bot
from bots.errands import Errand
from bots.errors import ActionFailed
from bots.skills.approach import foot
from bots.skills.gaps import gaps
from bridge.actions import FindBlocks, MoveTo
from bridge.world import Position

STEP_WITHIN = 0.9  # so that it is that very block
STEP_S = 30.0  # three blocks of stone by hand, and more
SEEN, ROOM = 14, 4000  # blocks around along each axis, of which so many are empty at most
MENDED = 8  # gaps in one way
AIR = ("air", "cave_air")


async def leads(way: Awaitable[object]) -> bool:
    """Whether there was a way. Raises ActionFailed for all other reasons."""
    try:
        await way
    except ActionFailed as failed:
        if failed.reason != "no_path":
            raise
        return False
    return True


async def climb_old_stairs(
    bot: Bot, errand: Errand, goal: Position, on_foot: Callable[[], Awaitable[bool]]
) -> bool:
    """Mend one gap after the other until a way leads up on foot; whether one does."""
    tried: set[Position] = set()
    for _ in range(MENDED):
        here = (await bot.snapshot()).position.block
        gap = await _next_gap(bot, here, tried) if here.y < goal.y - 1 else None
        if gap is None:
            return False
        near, beyond = gap
        tried.add(beyond)
        if near != here and not await leads(errand.act(MoveTo(foot(near), STEP_WITHIN))):
            continue
        across = MoveTo(foot(beyond), STEP_WITHIN, may_dig=True)
        if await leads(errand.act(across, deadline_s=STEP_S)) and await on_foot():
            return True
    return False


async def _next_gap(
    bot: Bot, here: Position, tried: set[Position]
) -> tuple[Position, Position] | None:
    found = await bot.query(FindBlocks(AIR, SEEN, ROOM, in_cube=True))
    room = {sighting.position for sighting in found}
    untried = ((near, beyond) for near, beyond in gaps(room, here) if beyond not in tried)
    return next(untried, None)
