"""Wells: out of deep water between walls, by a step as high as the water.

The step is dug into the wall, if that is natural ground; or else earth is put into the water. From
there the bot digs or builds on as out of any hole: afloat, it could do neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import SIDES, beside, foot, is_in_reach, middle
from bots.skills.stairs import AIR, STEP_WITHIN, finds_way
from bots.skills.tools import hold_fastest_tool
from bridge.actions import Dig, FindBlocks, MoveTo, Place
from bridge.world import Position

WATER = "water"
LOOKED, MOST = 6, 300  # blocks around, and blocks of water read
TRIED = 4  # places for a step
SHORES = 32  # blocks beside the water, whether one climbs out over them
THICK = 3  # blocks: natural ground less thick may be a wall that stands
DIGGING_S = 90.0  # by hand and afloat a block of stone takes 38 s
CLOSE = 1.5  # blocks from the middle of a place
BODY = 0.9  # blocks from the middle of a place in which the bot takes no room

_NATURAL = re.compile(
    r"stone|grass_block|(coarse_|rooted_)?dirt|podzol|mycelium|mud|clay|gravel|(red_)?sand(stone)?"
    r"|granite|diorite|andesite|deepslate|tuff|calcite|netherrack|basalt|blackstone|\w+_ore"
)
"""What nobody built. Source: host/acting/blocks.cjs."""


@dataclass(frozen=True, slots=True)
class Well:
    """The surface of the water around a bot."""

    cells: frozenset[Position]
    walls: Sequence[Position]
    """Blocks as high as the water beside it, the nearest first."""
    shore: Position | None
    """Where one climbs out without work."""


async def leave_well(bot: Bot, job: Job, earth: Iterable[str]) -> bool:
    """Make a step and come to stand on it; False where none is needed, or none can be made. Earth
    of these names may be put into the water."""
    well = await well_around(job)
    if well is None:
        return False
    if well.shore is not None:
        await finds_way(job.act(MoveTo(foot(well.shore), STEP_WITHIN)))
        return False
    for wall in well.walls[:TRIED]:
        if not await _is_thin(job, wall, well) and await _cut_step(bot, job, wall):
            return True
    return await _build_step(job, well, earth)


async def why_held(job: Job, earth: Iterable[str]) -> str | None:
    """Why the bot does not get out of a well, if it is in one."""
    well = await well_around(job)
    if well is None or well.shore is not None or not well.walls:
        return None
    name = await job.block(_above(well.walls[0])) or ""
    if _NATURAL.fullmatch(name):
        return f"I am in deep water, and cannot dig a step into the {name} around it."
    built = "I am in deep water between walls that I do not break"
    if len(well.cells) == 1:
        return f"{built}, with no room for a step."
    world = await job.snapshot()
    if not any(world.count(item) for item in earth):
        return f"{built}; with earth in the bag I could build steps."
    return f"{built}, and cannot build steps of the earth I have."


async def well_around(job: Job) -> Well | None:
    """The water in which the bot is; None if it is in none."""
    here = (await job.snapshot()).position.block
    if await job.block(here) != WATER:
        return None
    found = {one.position for one in await job.query(FindBlocks((WATER,), LOOKED, MOST))}
    top = here
    while _above(top) in found:
        top = _above(top)
    cells = _connected(top, found)
    around = {side for cell in cells for side in _sides(cell)} - cells
    near = sorted(around, key=lambda side: side.distance_to(top))
    walls = [side for side in near if await job.block(side) not in (*AIR, WATER, None)]
    return Well(frozenset(cells), walls, await _shore(job, walls))


async def _shore(job: Job, walls: Sequence[Position]) -> Position | None:
    for wall in walls[:SHORES]:
        feet = _above(wall)
        if all([await job.block(cell) in AIR for cell in (feet, _above(feet))]):
            return feet
    return None


def _connected(start: Position, water: set[Position]) -> set[Position]:
    cells, waiting = {start}, [start]
    while waiting:
        for side in _sides(waiting.pop()):
            if side in water and side not in cells:
                cells.add(side)
                waiting.append(side)
    return cells


async def _is_thin(job: Job, wall: Position, well: Well) -> bool:
    """Whether there is room behind it so near that somebody may have built it."""
    out = [(dx, dz) for dx, dz in SIDES if Position(wall.x - dx, wall.y, wall.z - dz) in well.cells]
    behind = (
        Position(wall.x + far * dx, wall.y + 1, wall.z + far * dz)
        for dx, dz in out
        for far in range(1, THICK)
    )
    return any([await job.block(cell) in AIR for cell in behind])


async def _cut_step(bot: Bot, job: Job, wall: Position) -> bool:
    """Make room on top of a wall, and climb there; False where that would break what somebody
    built, or is no use."""
    feet, head = _above(wall), _above(_above(wall))
    if not all([await _may_be_dug(job, cell) for cell in (feet, head)]):
        return False
    if await job.is_somebodys(feet, head):
        return False
    try:
        for cell in (head, feet):
            if await job.block(cell) not in AIR:
                await _dig(bot, job, cell)
    except ActionFailed as failed:
        if failed.reason == "died":
            raise
        return False
    return await finds_way(job.act(MoveTo(foot(feet), STEP_WITHIN)))


async def _may_be_dug(job: Job, cell: Position) -> bool:
    """Whether it is open or natural, and nothing flows in."""
    name = await job.block(cell)
    if name is None or not (name in AIR or _NATURAL.fullmatch(name)):
        return False
    beyond = [await job.block(side) for side in beside(cell)]
    return not any(other is not None and other.endswith("lava") for other in beyond)


async def _dig(bot: Bot, job: Job, cell: Position) -> None:
    world = await job.snapshot()
    if not is_in_reach(world, cell):
        await job.act(MoveTo(middle(_below(cell)), CLOSE))
    name = await job.block(cell)
    facts = (await bot.catalogue()).blocks.get(name or "")
    if facts is not None:
        await hold_fastest_tool(job, world, facts)
    await job.act(Dig(cell, pick_up=False, in_vain=True), deadline_s=DIGGING_S)


async def _build_step(job: Job, well: Well, earth: Iterable[str]) -> bool:
    """Put a block of earth into the water beside a wall, and climb on it."""
    world = await job.snapshot()
    item = next((name for name in earth if world.count(name)), None)
    here = world.position
    beside_walls = {side for wall in well.walls for side in _sides(wall)} & well.cells
    free = [cell for cell in beside_walls if _level_distance(cell, here) > BODY]
    if item is None:
        return False
    for cell in sorted(free, key=lambda cell: cell.distance_to(here))[:TRIED]:
        try:
            await job.act(Place(item, cell))
        except ActionFailed as failed:
            if failed.reason == "died":
                raise
            continue
        return await finds_way(job.act(MoveTo(foot(_above(cell)), STEP_WITHIN)))
    return False


def _level_distance(cell: Position, here: Position) -> float:
    return max(abs(cell.x + 0.5 - here.x), abs(cell.z + 0.5 - here.z))


def _above(cell: Position) -> Position:
    return Position(cell.x, cell.y + 1, cell.z)


def _below(cell: Position) -> Position:
    return Position(cell.x, cell.y - 1, cell.z)


def _sides(cell: Position) -> list[Position]:
    return [Position(cell.x + dx, cell.y, cell.z + dz) for dx, dz in SIDES]
