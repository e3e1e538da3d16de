"""What the bot can touch from where it stands, walking to where it can, and actions that may fail:
for some reasons the work goes on without them."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager

from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bridge.actions import MoveTo
from bridge.world import Position, WorldSnapshot

EYES = 1.62  # blocks above the feet
REACH = 4.5  # blocks from the eyes to the nearest point of a block; see host/acting/reach.cjs
TOUCHING = 4.0  # from the eyes to its middle: surely in reach
WALK_S = 60.0
OPEN_AIR = ("air", "cave_air", "void_air")
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))  # x and z of the cells beside one


def middle(block: Position) -> Position:
    """The middle of a block."""
    return Position(block.x + 0.5, block.y + 0.5, block.z + 0.5)


def foot(block: Position) -> Position:
    """Where a bot's feet are when it stands in the middle of this cell."""
    return Position(block.x + 0.5, block.y, block.z + 0.5)


def standing(place: Position) -> Position:
    """Where feet stand at a point: in the middle of the block if its corner is given."""
    return foot(place) if place == place.block else place


def above(cell: Position) -> Position:
    return Position(cell.x, cell.y + 1, cell.z)


def below(cell: Position) -> Position:
    return Position(cell.x, cell.y - 1, cell.z)


def sides(cell: Position) -> list[Position]:
    """The four cells that touch a cell on its level."""
    return [Position(cell.x + dx, cell.y, cell.z + dz) for dx, dz in SIDES]


def beside(block: Position) -> Iterator[Position]:
    """The six blocks that touch a block, the one below first."""
    yield below(block)
    yield from sides(block)
    yield above(block)


def connected(start: Position, onward: Callable[[Position], Iterable[Position]]) -> list[Position]:
    """The cells that a cell leads to, step by step, the nearest first."""
    found = {start: None}
    for cell in (edge := [start]):
        for there in onward(cell):
            if there not in found:
                found[there] = None
                edge.append(there)
    return edge


def is_in_reach(world: WorldSnapshot, block: Position, reach: float = REACH) -> bool:
    """Whether the bot can touch a block from where it stands."""
    here = world.position
    eyes = (here.x, here.y + EYES, here.z)
    corner = (block.x, block.y, block.z)
    nearest = [min(max(eye, low), low + 1) for eye, low in zip(eyes, corner, strict=True)]
    return math.dist(eyes, nearest) <= reach


async def walk_into_reach(
    job: Job, world: WorldSnapshot, block: Position, reach: float = REACH
) -> bool:
    """Walk until the bot can touch a block; whether it had to walk. Raises ActionFailed."""
    if is_in_reach(world, block, reach):
        return False
    centre = middle(block)
    feet = Position(centre.x, centre.y - EYES, centre.z)  # the distance is measured from the eyes
    near = reach - (REACH - TOUCHING)
    await job.act(MoveTo(feet, within=near), deadline_s=WALK_S)
    return True


@contextmanager
def unless(*reasons: str) -> Iterator[None]:
    """Go on behind the block when an action in it fails, unless for one of these reasons."""
    try:
        yield
    except ActionFailed as failed:
        if failed.reason in reasons:
            raise


async def succeeds(action: Awaitable[object], *may_fail: str) -> bool:
    """Do something; False when it fails for one of these reasons. Raises ActionFailed for
    others."""
    try:
        await action
    except ActionFailed as failed:
        if failed.reason not in may_fail:
            raise
        return False
    return True


async def finds_way(way: Awaitable[object]) -> bool:
    """Do a walk; False when there is no path. Raises ActionFailed for other failures."""
    return await succeeds(way, "no_path")
