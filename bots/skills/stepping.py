"""Old stairs and tunnels, used again where they are broken off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bots.bot import Bot
from bots.errands import Errand
from bots.errors import ActionFailed
from bots.skills.approach import SIDES, foot
from bots.skills.gaps import gaps, on_foot
from bridge.actions import FindBlocks, Footholds, MoveTo
from bridge.world import Position

STEP_WITHIN = 0.9  # so that it is that very block
STEP_S = 30.0  # three blocks of stone by hand, and more
SEEN, ROOM = 14, 4000  # blocks around along each axis, of which so many are empty at most
LEGS = 16  # of one way, gaps among them
WALLS = 2  # of four sides
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


async def is_below_ground(bot: Bot) -> bool:
    """Whether it stands in a pit or a tunnel: there is a place to stand right above, or walls
    reach higher than its feet."""
    feet = (await bot.snapshot()).position.block
    places = await bot.query(Footholds(int(feet.x), int(feet.z))) or ()
    if any(place.y > feet.y for place in places):
        return True
    found = await bot.query(FindBlocks(AIR, 2, ROOM, in_cube=True))
    room = {sighting.position for sighting in found}
    sides = [Position(feet.x + dx, feet.y + 1, feet.z + dz) for dx, dz in SIDES]
    return sum(side not in room for side in sides) >= WALLS


async def climb_old_stairs(
    bot: Bot, errand: Errand, goal: Position, is_there: Callable[[], Awaitable[bool]]
) -> bool:
    """Go up as far as it goes on foot and mend one gap after the other, till a way leads there;
    whether one does."""
    tried: set[Position] = set()
    for _ in range(LEGS):
        here = (await bot.snapshot()).position.block
        if here.y >= goal.y - 1 or not await is_below_ground(bot):
            return False
        near, beyond = await _next_leg(bot, here, goal, tried)
        if near == here and beyond is None:
            return False
        if near != here and not await leads(errand.act(MoveTo(foot(near), STEP_WITHIN))):
            return False
        if beyond is not None:
            tried.add(beyond)
            across = MoveTo(foot(beyond), STEP_WITHIN, may_dig=True)
            if await leads(errand.act(across, deadline_s=STEP_S)) and await is_there():
                return True
    return False


async def _next_leg(
    bot: Bot, here: Position, goal: Position, tried: set[Position]
) -> tuple[Position, Position | None]:
    """To where on foot, and over which gap from there; over none that is in sight, nearer."""
    found = await bot.query(FindBlocks(AIR, SEEN, ROOM, in_cube=True))
    room = {sighting.position for sighting in found}
    reached = on_foot(room, here)
    for near, beyond in gaps(room, reached):
        if beyond not in tried:
            return near, beyond
    return min(reached, key=lambda place: place.distance_to(goal)), None
