"""A crafting table or a furnace to work at: one near, else one that is carried and put down."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.reach import SIDES, foot
from bots.skills.tunnelling import reach
from bridge.actions import FindBlocks, MoveTo, Place
from bridge.world import Position, WorldSnapshot

RADIUS = 32  # blocks
TRIED = 4  # of those standing about, nearest first

_AROUND = sorted(
    (
        (dx, dy, dz)
        for dx, dy, dz in itertools.product((-2, -1, 0, 1, 2), (0, 1), (-2, -1, 0, 1, 2))
        if (dx, dz) != (0, 0)
    ),
    key=lambda d: (abs(d[1]), abs(d[0]) + abs(d[2])),
)
OPEN_SIDES = 3  # of four: a tunnel has two
_NICHE_WITHIN = 0.5  # blocks, so that the body is out of the one and in the other
_NICHE_S = 60.0  # two blocks of stone by hand, and back
_LIDDED = frozenset({"chest", "trapped_chest", "ender_chest"})
"""What stays shut under a full block."""
_NOT_IN_THE_WAY = frozenset(
    {"air", "cave_air", "void_air", "water", "grass", "short_grass", "tall_grass", "fern", "snow"}
)


@dataclass(frozen=True, slots=True)
class Station:
    position: Position
    was_placed: bool


async def come_to_station(
    job: Job,
    bot: Bot,
    kinds: tuple[str, ...],
    *,
    radius: int = RADIUS,
    avoid: Collection[Position] = (),
    may_place: bool = True,
) -> Station:
    """Stand in reach of one of these blocks; the first kind is put down when it is carried and
    none can be reached. Raises CommandError no_station."""
    found = await job.query(FindBlocks(kinds, radius, TRIED + len(avoid)))
    for sighting in found:
        if sighting.position in avoid:
            continue
        try:
            await reach(bot, job, sighting.position)
        except ActionFailed:
            continue
        return Station(sighting.position, was_placed=False)
    kind = kinds[0]
    if may_place and (await job.snapshot()).count(kind):
        return Station(await place_near(job, bot, kind), was_placed=True)
    there = f"the {len(found)} near are of no use" if found else f"none is within {radius} blocks"
    sentence = f"It needs a {kind}: {there}, and none is carried."
    raise CommandError("no_station", sentence, station=kind)


async def place_near(job: Job, bot: Bot, item: str) -> Position:
    """Put a carried block down beside the bot: in the open, where it blocks no stairs or tunnel,
    else in a niche dug for it, else wherever there is room.

    Raises ActionFailed blocked, missing_item."""
    feet = (await job.snapshot()).position.block
    around = [Position(feet.x + dx, feet.y + dy, feet.z + dz) for dx, dy, dz in _AROUND]
    for where in around:
        if await _is_in_the_open(job, where) and await _is_put(job, item, where):
            return where
    for dx, dz in SIDES:
        niche = Position(feet.x + dx, feet.y, feet.z + dz)
        if await _is_dug(job, niche, feet) and await _is_put(job, item, niche):
            return niche
    for where in around:
        if await _is_put(job, item, where):
            return where
    raise ActionFailed("blocked", f"There is no room for {item} here.")


async def _is_put(job: Job, item: str, where: Position) -> bool:
    if item in _LIDDED and not await _is_room(job, Position(where.x, where.y + 1, where.z)):
        return False
    try:
        await job.act(Place(item, where))
    except ActionFailed as failed:
        if failed.reason not in ("blocked", "too_far"):
            raise
        return False
    return True


async def _is_dug(job: Job, niche: Position, feet: Position) -> bool:
    """Step into the ground beside and back: whoever walks spares what somebody built."""
    try:
        for cell in (niche, feet):
            way = MoveTo(foot(cell), _NICHE_WITHIN, may_dig=True)
            await job.act(way, deadline_s=_NICHE_S)
    except ActionFailed as failed:
        if failed.reason not in ("no_path", "deadline"):
            raise
        return False
    return True


async def _is_in_the_open(job: Job, where: Position) -> bool:
    """Whether it is room on the ground past which one still gets."""
    below = Position(where.x, where.y - 1, where.z)
    if await _is_room(job, below) or not await _is_room(job, where):
        return False
    sides = [Position(where.x + dx, where.y, where.z + dz) for dx, dz in SIDES]
    return sum([await _is_room(job, side) for side in sides]) >= OPEN_SIDES


async def _is_room(job: Job, where: Position) -> bool:
    return await job.block(where) in _NOT_IN_THE_WAY


def counted(world: WorldSnapshot, items: Collection[str]) -> dict[str, int]:
    """How many of each of these are carried."""
    return {item: world.count(item) for item in items}
