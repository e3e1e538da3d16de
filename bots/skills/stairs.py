"""Stairs: climbing old stairs and tunnels again, mending the gaps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Awaitable, Callable, Iterator
from collections.abc import Set as AbstractSet

from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import SIDES, foot
from bridge.actions import FindBlocks, Footholds, MoveTo
from bridge.world import Position

STEP_WITHIN = 0.9  # blocks: it must be this very cell
STEP_S = 30.0  # three blocks of stone by hand, and more
SEEN, ROOM = 14, 4000  # blocks around along each axis, and empty ones read at most
LEGS = 16  # of one climb, each up to the next gap
WALLS = 2  # of four sides
AIR = ("air", "cave_air")
WIDEST = 4  # blocks from one end to the other
DEEPEST_DROP = 3  # blocks without harm
_ACROSS = sorted(
    (
        (dx, dy, dz)
        for dx, dy, dz in itertools.product(range(-WIDEST, WIDEST + 1), repeat=3)
        if dy >= 0 and 1 < math.hypot(dx, dy, dz) <= WIDEST
    ),
    key=lambda across: math.hypot(*across),
)
"""Offsets to the other end of a gap, narrowest first, never down."""


async def finds_way(way: Awaitable[object]) -> bool:
    """Do a walk; False when there is no path. Raises ActionFailed for other failures."""
    try:
        await way
    except ActionFailed as failed:
        if failed.reason != "no_path":
            raise
        return False
    return True


async def is_below_ground(job: Job) -> bool:
    """Whether the bot stands in a pit or a tunnel: there is ground above it, or walls around it
    are higher than its feet."""
    feet = (await job.snapshot()).position.block
    sides = [Position(feet.x + dx, feet.y + 1, feet.z + dz) for dx, dz in SIDES]
    if sum([await job.block(side) not in AIR for side in sides]) >= WALLS:
        return True
    places = await job.query(Footholds(int(feet.x), int(feet.z))) or ()
    return any(place.y > feet.y for place in places)


async def climb_old_stairs(
    job: Job, goal: Position, is_there: Callable[[], Awaitable[bool]]
) -> bool:
    """Go up on foot as far as possible and mend one gap after another, until `is_there`; whether
    it came to that."""
    tried: set[Position] = set()
    for _ in range(LEGS):
        here = (await job.snapshot()).position.block
        if here.y >= goal.y - 1 or not await is_below_ground(job):
            return False
        near, beyond = await _next_leg(job, here, goal, tried)
        if near == here and beyond is None:
            return False
        if near != here and not await finds_way(job.act(MoveTo(foot(near), STEP_WITHIN))):
            return False
        if beyond is not None:
            tried.add(beyond)
            across = MoveTo(foot(beyond), STEP_WITHIN, may_dig=True)
            if await finds_way(job.act(across, deadline_s=STEP_S)) and await is_there():
                return True
    return False


async def _next_leg(
    job: Job, here: Position, goal: Position, tried: set[Position]
) -> tuple[Position, Position | None]:
    """Where to walk, and the far end of the gap to mend there; without a gap in sight, the
    reachable place nearest to the goal and None."""
    found = await job.query(FindBlocks(AIR, SEEN, ROOM, in_cube=True))
    room = {sighting.position for sighting in found}
    reached = reachable(room, here)
    for near, beyond in gaps(room, reached):
        if beyond not in tried:
            return near, beyond
    return min(reached, key=lambda place: place.distance_to(goal)), None


def reachable(room: AbstractSet[Position], here: Position) -> set[Position]:
    """The cells that can be reached on foot from here."""
    reached, waiting = {here}, [here]
    while waiting:
        for there in _steps(room, waiting.pop()):
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    return reached


def gaps(
    room: AbstractSet[Position], reached: AbstractSet[Position]
) -> list[tuple[Position, Position]]:
    """Both ends of each gap, narrowest gap first: the last cell reached on foot, the first cell
    beyond. `room` holds the empty cells around."""
    beyond = {cell for cell in room if _is_standing(room, cell)} - reached
    found: dict[Position, tuple[int, Position]] = {}
    for near in reached if beyond else ():
        for rank, (dx, dy, dz) in enumerate(_ACROSS):
            there = Position(near.x + dx, near.y + dy, near.z + dz)
            if there in beyond and (there not in found or rank < found[there][0]):
                found[there] = (rank, near)
                break
    ranked = sorted(found, key=lambda there: found[there][0])
    return [(found[there][1], there) for there in ranked]


def _steps(room: AbstractSet[Position], here: Position) -> Iterator[Position]:
    for dx, dz in SIDES:
        for dy in range(1, -DEEPEST_DROP - 1, -1):
            there = Position(here.x + dx, here.y + dy, here.z + dz)
            if _is_standing(room, there) and _is_open(room, here, there):
                yield there


def _is_standing(room: AbstractSet[Position], feet: Position) -> bool:
    below, head = (Position(feet.x, feet.y + up, feet.z) for up in (-1, 1))
    return feet in room and head in room and below not in room


def _is_open(room: AbstractSet[Position], here: Position, there: Position) -> bool:
    """Whether a body gets from one to the other, jumping or falling."""
    top = int(max(here.y, there.y))
    over = (Position(here.x, y, here.z) for y in range(int(here.y) + 2, top + 2))
    along = (Position(there.x, y, there.z) for y in range(int(there.y), top + 2))
    return all(cell in room for cell in (*over, *along))
