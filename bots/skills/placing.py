"""Placing a carried block, at a position or somewhere near.

Where nothing may be touched, the bot steps out of the area first, to work beside it."""

from __future__ import annotations

import itertools
import math
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.hands import FORBIDDEN
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.reach import (
    EYES,
    REACH,
    SIDES,
    TOUCHING,
    above,
    below,
    foot,
    is_in_reach,
    middle,
    sides,
    succeeds,
    walk_into_reach,
)
from bots.skills.walking import walk
from bridge.actions import BlockAt, Footholds, MoveTo, Place
from bridge.vanilla import needs_of
from bridge.world import Position

FARTHEST, STEP, BEYOND = 64, 2, 3  # blocks: looked at, from one to the next, past the border
WAYS = 16
NEAR = 1.5  # blocks
OPEN_SIDES = 3  # of four: a tunnel has two
_NICHE_WITHIN = 0.5  # blocks, so that the body is out of the one and in the other
_NICHE_S = 60.0  # two blocks of stone by hand, and back
_ASIDE_S, _ASIDE_LEVEL = 10.0, 2
_LIDDED = frozenset({"chest", "trapped_chest", "ender_chest"})
"""Blocks with a lid that a full block above keeps shut."""
_JOINING = frozenset({"chest", "trapped_chest"})
"""Chests that join one beside them, which may be somebody's, into a large chest."""
_NOT_IN_THE_WAY = frozenset(
    {"air", "cave_air", "void_air", "water", "grass", "short_grass", "tall_grass", "fern", "snow"}
)
"""Blocks that `Place` replaces; see host/acting/blocks.cjs."""


async def step_out(bot: Bot, job: Job) -> None:
    """Walk to where things may be touched, unless they may be touched here. Raises ActionFailed."""
    world = await job.snapshot()
    here = world.position
    if bot.areas.sparing(world.dimension, here) is None:
        return
    refused: ActionFailed | None = None
    for place in _beyond(bot, world.dimension, here):
        footholds = await job.query(Footholds(int(place.x), int(place.z))) or ()
        if not footholds:
            continue
        level = min(footholds, key=lambda at: abs(at.y - here.y))
        try:
            await walk(bot, job, foot(level), NEAR)
        except ActionFailed as failed:
            if failed.reason == "died":
                raise
            refused = failed
        else:
            return
    if refused is not None:
        raise refused


def _beyond(bot: Bot, dimension: str, here: Position) -> list[Position]:
    """Where straight lines from here leave the area in which nothing may be touched, the nearest
    first."""
    found: list[Position] = []
    for way in range(WAYS):
        dx, dz = math.cos(math.tau * way / WAYS), math.sin(math.tau * way / WAYS)
        line = [
            Position(here.x + dx * far, here.y, here.z + dz * far).block
            for far in range(0, FARTHEST, STEP)
        ]
        out = next((n for n, at in enumerate(line) if not bot.areas.sparing(dimension, at)), None)
        if out is not None:
            found.append(line[min(out + BEYOND // STEP, len(line) - 1)])
    return sorted(found, key=here.distance_to)


_AROUND = sorted(
    (
        (dx, dy, dz)
        for dx, dy, dz in itertools.product((-2, -1, 0, 1, 2), (0, 1), (-2, -1, 0, 1, 2))
        if (dx, dz) != (0, 0)
    ),
    key=lambda d: (abs(d[1]), abs(d[0]) + abs(d[2])),
)


@dataclass(frozen=True, slots=True)
class Placed:
    position: Position
    block: str
    left: int
    """How many of the item are still carried."""


async def place(
    job: Job, bot: Bot, item: str, where: Position | None, reach: float = REACH
) -> Placed:
    """Place one at a position, walking into reach, or near where the bot stands.

    Raises CommandError missing_item, and what `Place` and `MoveTo` fail with."""
    world = await job.snapshot()
    if not world.count(item):
        carried = dict(world.counts())
        raise CommandError("missing_item", f"No {item} is carried.", inventory=carried)
    if where is None:
        where = await place_near(job, bot, item)
    else:
        await walk_into_reach(job, world, where, reach)
        await job.act(Place(item, where))
    there = await job.query(BlockAt(where))
    block = there[0].name if there else item
    return Placed(where, block, (await job.snapshot()).count(item))


async def place_at(job: Job, bot: Bot, item: str, where: Position) -> None:
    """Place a carried block at a position: walk there, dig to it, step aside where need be.

    Raises ActionFailed."""
    if not is_in_reach(await job.snapshot(), where):
        centre = middle(where)
        await walk(bot, job, Position(centre.x, centre.y - EYES, centre.z), TOUCHING)
    feet = (await job.snapshot()).position.block
    if (where.x, where.z) == (feet.x, feet.z) and 0 <= where.y - feet.y <= 1:
        await _step_aside(job, where)
    await job.act(Place(item, where))


def is_room(block: str) -> bool:
    """Whether a block of this name gives way to one that is placed."""
    return block in _NOT_IN_THE_WAY


async def is_room_at(job: Job, where: Position) -> bool:
    """Whether a block can be placed there; not where nothing is loaded."""
    return is_room(await job.block(where) or "")


async def place_near(job: Job, bot: Bot, item: str) -> Position:
    """Place a carried block beside the bot: in the open, where it blocks no stairs or tunnel,
    else in a niche dug for it, else wherever there is room.

    Out of an area in which nothing may be touched it steps first.

    Raises ActionFailed blocked, missing_item, forbidden_area."""
    await step_out(bot, job)
    feet = (await job.snapshot()).position.block
    around = [Position(feet.x + dx, feet.y + dy, feet.z + dz) for dx, dy, dz in _AROUND]
    for where in around:
        if await _is_in_the_open(job, where) and await _is_put(job, item, where):
            return where
    needs = needs_of(item)
    for niche in () if needs else sides(feet):
        if await _is_dug(job, niche, feet) and await _is_put(job, item, niche):
            return niche
    for where in around:
        if await _is_put(job, item, where):
            return where
    if area := bot.areas.sparing((await job.snapshot()).dimension, feet):
        raise ActionFailed(FORBIDDEN, area.why, area=area.name)
    lacks = f": it needs {needs.in_words()}" if needs else ""
    raise ActionFailed("blocked", f"There is no room for {item} here{lacks}.")


async def _is_put(job: Job, item: str, where: Position) -> bool:
    if item in _JOINING and item in [await job.block(side) for side in sides(where)]:
        return False
    if item in _LIDDED and not await is_room_at(job, above(where)):
        return False
    return await succeeds(job.act(Place(item, where)), "blocked", "too_far", FORBIDDEN)


async def _is_dug(job: Job, niche: Position, feet: Position) -> bool:
    """Dig a niche by stepping into the ground and back; a walk never breaks what was built."""
    for cell in (niche, feet):
        way = job.act(MoveTo(foot(cell), _NICHE_WITHIN, may_dig=True), deadline_s=_NICHE_S)
        if not await succeeds(way, "no_path", "deadline", "stuck"):
            return False
    return True


async def _is_in_the_open(job: Job, where: Position) -> bool:
    """Whether the place is free, on the ground, and leaves room to walk past."""
    if await is_room_at(job, below(where)) or not await is_room_at(job, where):
        return False
    return sum([await is_room_at(job, side) for side in sides(where)]) >= OPEN_SIDES


async def _step_aside(job: Job, where: Position) -> None:
    """Go two blocks away from there, if possible."""
    for dx, dz in SIDES:
        x, z = where.x + 2 * dx, where.z + 2 * dz
        for place in await job.query(Footholds(int(x), int(z))) or ():
            if abs(place.y - where.y) > _ASIDE_LEVEL:
                continue
            with suppress(ActionFailed):
                await job.act(MoveTo(foot(place), _NICHE_WITHIN), deadline_s=_ASIDE_S)
                return
