"""Walking: on foot, out of holes, and through natural ground where no path leads.

Out of a hole leads a pillar of earth, its old stairs, or new stairs to the surface. Out of deep
water between walls leads a step as high as the water, dug into the wall, if that is natural ground;
or else earth is put into the water. From there the bot digs or builds on as out of any hole:
afloat, it could do neither.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.reach import (
    OPEN_AIR,
    SIDES,
    above,
    below,
    beside,
    connected,
    finds_way,
    foot,
    is_in_reach,
    middle,
    sides,
    succeeds,
    unless,
)
from bots.skills.tools import hold_fastest_tool, require_tool_for_way
from bots.skills.tunnelling import STEP_WITHIN, climb_old_stairs, dig_near, is_below_ground
from bots.text.numbers import in_blocks
from bridge.actions import Dig, FindBlocks, Footholds, MoveTo, Pillar, Place
from bridge.world import BlockSighting, Position

WATER = "water"
LOOKED, MOST = 6, 300  # blocks around, and blocks of water read
TRIED = 4  # places for a step
KIND_TRIED = 8  # blocks of a kind, nearest first
SHORES = 32  # blocks beside the water, whether one climbs out over them
THICK = 3  # blocks: natural ground less thick may be a wall that stands
DIGGING_S = 90.0  # by hand and afloat a block of stone takes 38 s
CLOSE = 1.5  # blocks from the middle of a place
BODY = 0.9  # blocks from the middle of a place in which the bot takes no room
_NATURAL = re.compile(
    r"stone|grass_block|(coarse_|rooted_)?dirt|podzol|mycelium|mud|clay|gravel|(red_)?sand(stone)?"
    r"|granite|diorite|andesite|deepslate|tuff|calcite|netherrack|basalt|blackstone|\w+_ore"
)
"""Blocks that nobody built. Source: host/acting/blocks.cjs."""
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
"""Blocks that may stay behind in a hole: they can be found anywhere."""
STEP = 1  # blocks one can climb without help
HIGHEST = 16  # blocks of a pillar
PILLAR_S = 3.0  # for each block
AHEAD = (8, 16, 32)  # blocks towards the goal, where stairs to the surface may end
FAR = 12.0  # blocks, level: a nearer goal is dug to directly
SLOWEST = 1.5  # seconds a block
SHORTEST_S, LONGEST_S = 30.0, 600.0  # by bare hands a step through stone takes 22 s


@dataclass(frozen=True, slots=True)
class Well:
    """The surface of the water around a bot."""

    cells: frozenset[Position]
    walls: Sequence[Position]
    """Blocks as high as the water beside it, the nearest first."""
    shore: Position | None
    """Where the bot can climb out without work."""


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
    """Why the bot cannot get out of the well it is in; None if nothing holds it there."""
    well = await well_around(job)
    if well is None or well.shore is not None or not well.walls:
        return None
    name = await job.block(above(well.walls[0])) or ""
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
    """The water that the bot is in; None if it is in none."""
    here = (await job.snapshot()).position.block
    if await job.block(here) != WATER:
        return None
    found = {one.position for one in await job.query(FindBlocks((WATER,), LOOKED, MOST))}
    top = here
    while above(top) in found:
        top = above(top)
    cells = {*connected(top, lambda cell: found.intersection(sides(cell)))}
    around = {side for cell in cells for side in sides(cell)} - cells
    near = sorted(around, key=lambda side: side.distance_to(top))
    walls = [side for side in near if await job.block(side) not in (*OPEN_AIR, WATER, None)]
    for wall in walls[:SHORES]:
        feet = above(wall)
        if all([await job.block(cell) in OPEN_AIR for cell in (feet, above(feet))]):
            return Well(frozenset(cells), walls, feet)
    return Well(frozenset(cells), walls, None)


async def _is_thin(job: Job, wall: Position, well: Well) -> bool:
    """Whether the wall is so thin that somebody may have built it."""
    out = [(dx, dz) for dx, dz in SIDES if Position(wall.x - dx, wall.y, wall.z - dz) in well.cells]
    behind = (
        Position(wall.x + far * dx, wall.y + 1, wall.z + far * dz)
        for dx, dz in out
        for far in range(1, THICK)
    )
    return any([await job.block(cell) in OPEN_AIR for cell in behind])


async def _cut_step(bot: Bot, job: Job, wall: Position) -> bool:
    """Make room on top of a wall and climb there; False if that would break what somebody built,
    or is useless."""
    feet, head = above(wall), above(above(wall))
    if not all([await _may_be_dug(job, cell) for cell in (feet, head)]):
        return False
    if await job.is_somebodys(feet, head):
        return False
    try:
        for cell in (head, feet):
            if await job.block(cell) not in OPEN_AIR:
                await _dig(bot, job, cell)
    except ActionFailed as failed:
        if failed.reason == "died":
            raise
        return False
    return await finds_way(job.act(MoveTo(foot(feet), STEP_WITHIN)))


async def _may_be_dug(job: Job, cell: Position) -> bool:
    """Whether the cell is open or natural, and nothing flows in."""
    name = await job.block(cell)
    if name is None or not (name in OPEN_AIR or _NATURAL.fullmatch(name)):
        return False
    beyond = [await job.block(side) for side in beside(cell)]
    return not any(other is not None and other.endswith("lava") for other in beyond)


async def _dig(bot: Bot, job: Job, cell: Position) -> None:
    world = await job.snapshot()
    if not is_in_reach(world, cell):
        await job.act(MoveTo(middle(below(cell)), CLOSE))
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
    beside_walls = {side for wall in well.walls for side in sides(wall)} & well.cells
    free = [
        cell
        for cell in beside_walls
        if max(abs(cell.x + 0.5 - here.x), abs(cell.z + 0.5 - here.z)) > BODY
    ]
    if item is None:
        return False
    for cell in sorted(free, key=lambda cell: cell.distance_to(here))[:TRIED]:
        try:
            await job.act(Place(item, cell))
        except ActionFailed as failed:
            if failed.reason == "died":
                raise
            continue
        return await finds_way(job.act(MoveTo(foot(above(cell)), STEP_WITHIN)))
    return False


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
    # The level of the lowest place beside the hole that is no part of its floor.
    levels = [math.inf]
    for dx, dz in SIDES:
        places = await job.query(Footholds(int(feet.x + dx), int(feet.z + dz))) or ()
        levels += [place.y for place in places if place.y > feet.y]
    edge = min(levels)
    height = edge - feet.y
    if not STEP < height <= HIGHEST:
        return False
    shaft = (Position(feet.x, feet.y + up, feet.z) for up in range(int(height) + 2))
    if not all([await job.block(cell) in OPEN_AIR for cell in shaft]):
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


async def _is_piled(job: Job, item: str, height: int) -> bool:
    pillar = job.act(Pillar(item, height), deadline_s=PILLAR_S * (1 + height))
    return await succeeds(pillar, "blocked", "missing_item", "deadline", "stuck")


async def _dig_up(bot: Bot, job: Job, goal: Position) -> bool:
    """Dig stairs to the surface, towards a goal too far away to dig straight to."""
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
        needed_s = min(max(far * SLOWEST, SHORTEST_S), LONGEST_S)
        return await finds_way(job.act(MoveTo(goal, within), deadline_s=deadline_s or needed_s))

    if not await on_foot():
        if not may_dig:
            raise ActionFailed("no_path", "No way leads there on foot.")
        if deadline_s or not await leave_hole(bot, job, goal, on_foot, may_pillar=may_pillar):
            await require_tool_for_way(job, await bot.catalogue(), goal)
            left_s = deadline_s and max(0.1, deadline_s - (bot.times.stopwatch() - began))
            await _dig_there(job, MoveTo(goal, within, may_dig=True), left_s or LONGEST_S)
    return (await job.snapshot()).position


async def walk_to_kind(
    bot: Bot, job: Job, names: tuple[str, ...], word: str, radius: int, within: float
) -> tuple[BlockSighting, Position]:
    """Walk to the nearest of these blocks that a way leads to; the block, and where the bot stands.
    `word` is what somebody called them.

    Raises CommandError not_found, no_path; ActionFailed died, unconfirmed."""
    found = await bot.query(FindBlocks(names, radius, KIND_TRIED))
    if not found:
        sentence = f"There is no {word} within {in_blocks(radius)}."
        raise CommandError("not_found", sentence, maxDistance=radius)
    for sighting in found:
        with unless("died", "unconfirmed"):
            return sighting, await walk(bot, job, sighting.position, within, may_pillar=True)
    sentence = f"No way leads to the {len(found)} {word} nearest."
    raise CommandError("no_path", sentence, found=len(found))


async def _dig_there(job: Job, way: MoveTo, deadline_s: float) -> None:
    """Raises ActionFailed, with the reason the bot is held, if that is known."""
    try:
        await job.act(way, deadline_s=deadline_s)
    except ActionFailed as failed:
        why = await why_held(job, EARTH) if failed.reason == "no_path" else None
        if why is None:
            raise
        raise ActionFailed("no_path", why) from failed
