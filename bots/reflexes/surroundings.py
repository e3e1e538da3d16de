"""Where a bot may go, and what it has in sight, asked of the world around it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from bots.bot.bot import Bot
from bots.skills.reach import above
from bridge.actions import BlockAt, FindBlocks, Footholds
from bridge.events import Harm
from bridge.world import Position, WorldSnapshot

EYES, MIDDLE, HEAD = 1.62, 1.0, 1.6  # blocks above the feet
SAMPLE = 0.5  # blocks
DIRECTIONS = 12
LEVEL = 4.0  # blocks up or down
WATER_AT, DRY_AT = 8, (2.0, 4.0, 7.0, 11.0)  # blocks
MOST_WATER = 4  # blocks of it that it tries
WATER = "water"
CLEAR = frozenset({"air", "cave_air", "void_air", WATER})
HARMFUL = ("lava", "fire", "soul_fire", "magma_block", "cactus", "campfire")
HARM_AROUND = 12  # blocks


async def is_in_sight(bot: Bot, here: Position, there: Position) -> bool:
    """Whether nothing solid is between the eyes and the middle or the head of what stands there."""
    for up in (MIDDLE, HEAD):
        if await _is_clear(bot, (here.x, here.y + EYES, here.z), (there.x, there.y + up, there.z)):
            return True
    return False


async def _is_clear(bot: Bot, eyes: Sequence[float], point: Sequence[float]) -> bool:
    count = max(1, math.ceil(math.dist(eyes, point) / SAMPLE))
    shares = (i / count for i in range(count + 1))
    cells = {
        Position(*(a + (b - a) * share for a, b in zip(eyes, point, strict=True))).block
        for share in shares
    }
    blocks = (await bot.catalogue()).blocks
    found = await asyncio.gather(*(bot.query(BlockAt(cell)) for cell in cells))
    names = (one.name for seen in found for one in seen)
    return all(name in CLEAR or (name in blocks and blocks[name].hardness == 0) for name in names)


async def away_from(
    bot: Bot, world: WorldSnapshot, foes: Sequence[Position], far: float
) -> Position | None:
    """The place so many blocks off that is farthest from all of these, if it can be on dry land;
    None: there is none."""
    here = world.position
    nearest = min((here.distance_to(foe) for foe in foes), default=0.0)
    places = await _ground(bot, world, _ring(here, (far, far / 2)))
    farther = [place for place in places if _distance(place, foes) > nearest + 1]
    blocks = await asyncio.gather(*(bot.block(place.block) for place in farther))
    dry = [place for place, name in zip(farther, blocks, strict=True) if name != WATER]
    return max(dry or farther, key=lambda place: _distance(place, foes), default=None)


async def out_of_harm(bot: Bot, world: WorldSnapshot, harms: AbstractSet[Harm]) -> list[Position]:
    """Where to go, the nearest first: water, which puts a fire out, and ground that does no harm.
    Whoever only burns is put out by no ground."""
    found = await bot.query(FindBlocks((WATER,), WATER_AT, MOST_WATER))
    places = [_middle(one.position) for one in found]
    if harms & {"lava", "fire"}:
        harmful = await bot.query(FindBlocks(HARMFUL, HARM_AROUND, 256))
        at = {one.position for one in harmful}
        ground = await _ground(bot, world, _ring(world.position, DRY_AT))
        places += [place for place in ground if place.block not in at]
    return sorted(places, key=world.position.distance_to)


async def to_breathe(bot: Bot, world: WorldSnapshot) -> list[Position]:
    """Where one stands with the head out of the water, the nearest first."""
    places = await _ground(bot, world, _ring(world.position, DRY_AT))
    heads = await asyncio.gather(*(bot.block(above(place.block)) for place in places))
    dry = [place for place, name in zip(places, heads, strict=True) if name != WATER]
    return sorted(dry, key=world.position.distance_to)


async def _ground(
    bot: Bot, world: WorldSnapshot, columns: Iterable[tuple[int, int]]
) -> list[Position]:
    """Where one can stand in these columns, at about the height of the bot."""
    found = await asyncio.gather(*(bot.query(Footholds(x, z)) for x, z in columns))
    return [
        _middle(at)
        for places in found
        for at in places or ()
        if abs(at.y - world.position.y) <= LEVEL
    ]


def _ring(here: Position, radii: Iterable[float]) -> set[tuple[int, int]]:
    angles = [2 * math.pi * i / DIRECTIONS for i in range(DIRECTIONS)]
    return {
        (math.floor(here.x + radius * math.cos(a)), math.floor(here.z + radius * math.sin(a)))
        for radius in radii
        for a in angles
    }


def _middle(cell: Position) -> Position:
    return Position(cell.x + 0.5, cell.y, cell.z + 0.5)


def _distance(place: Position, foes: Sequence[Position]) -> float:
    return min((place.distance_to(foe) for foe in foes), default=0.0)
