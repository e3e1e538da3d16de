"""Where a bot may go, and what it has in sight, asked of the world around it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from heapq import nlargest, nsmallest
from typing import Literal

from bots.bot.bot import BESIDE, Bot
from bots.reflexes.choosing import CREEPER, minded_at
from bots.skills.reach import above, below
from bots.skills.reckoning import MONSTERS, UNKNOWN
from bots.skills.sheltering import is_roofed
from bridge.actions import BlockAt, FindBlocks, Footholds
from bridge.events import Harm
from bridge.world import MobSighting, Position, WorldSnapshot

EYES, MIDDLE, HEAD = 1.62, 1.0, 1.6  # blocks above the feet
SAMPLE = 0.5  # blocks
DIRECTIONS = 12
LEVEL = 4.0  # blocks up or down
WATER_AT, DRY_AT = 8, (1.0, 2.0, 3.0, 4.0, 6.0, 9.0)  # blocks
MOST_WATER = 4  # blocks of it that it tries
KEEPS, LOST = 4.0, 24.0  # blocks that count in full: so many beyond what is minded; of a creeper
BEYOND = 0.25  # what each of the others counts
COMPANY, INDOORS, HIDDEN, HIGH, AFLOAT, WET, PASSING = 7.0, 8.0, 10.0, 3.0, 2.0, 20.0, 3.0
LIT = 2.0
"""What each is worth, in blocks; of high ground and of coming nearer, for each block."""
SINKING = frozenset({"zombie", "zombie_villager", "husk", "zombified_piglin", "enderman", "blaze"})
"""Those that do not swim; source: minecraft.wiki, the page of each."""
LIGHTS = ("torch", "wall_torch", "lantern", "glowstone", "jack_o_lantern", "sea_lantern")
LIT_AT, MOST_LIGHTS = 6.0, 16  # blocks from which one lights a place, so that no monster comes up
SHUT = "iron_door"  # opens by no hand
MOST_SOUGHT, INSIDE, DEEPEST = 3, 2, 6
MOST_SEEN_FROM = 6  # places that it asks of whether a shooter sees them
WATER = "water"
CLEAR = frozenset({"air", "cave_air", "void_air", WATER})
PRICKLY = ("cactus", "sweet_berry_bush", "magma_block", "powder_snow", "wither_rose")
HARMFUL = ("lava", "fire", "soul_fire", "campfire", *PRICKLY)
TOUCHES = 0.6  # blocks from the middle of a body
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


@dataclass(frozen=True, slots=True)
class Refuge:
    """A place to flee to, and what there is about it."""

    place: Position
    water: Literal["dry", "shallow", "deep"] = "dry"
    """What one stands in, or swims on."""
    has_company: bool = False
    """Whether somebody it stands by is near: they fight together."""
    is_indoors: bool = False
    """Whether it is roofed, and beside a door."""
    is_lit: bool = False
    """Whether somebody's light is near."""
    is_hidden: bool = False
    """Whether it is out of the sight of the nearest that shoots."""


def worth(refuge: Refuge, here: Position, foes: Sequence[MobSighting]) -> float:
    """What a refuge from these is worth, in blocks: those to the nearest, of which few count beyond
    what it minds; what is about it; less what the way there leads nearer to one."""
    away, before = _distance(refuge.place, foes), _distance(here, foes)
    goes_off = any(foe.name == CREEPER for foe in foes)
    enough = LOST if goes_off else KEEPS + max(minded_at(foe.name) for foe in foes)
    blocks = min(away, enough) + max(0.0, away - enough) * BEYOND
    blocks += COMPANY * (refuge.has_company and not goes_off) + INDOORS * refuge.is_indoors
    blocks += LIT * refuge.is_lit
    if any(_shoots(foe) for foe in foes):
        blocks += HIDDEN * refuge.is_hidden
    elif not any(foe.name.endswith("spider") for foe in foes):
        highest = max(foe.position.y for foe in foes)
        blocks += min(HIGH, max(0.0, refuge.place.y - highest))
    if refuge.water != "dry":
        is_safe = refuge.water == "deep" and all(foe.name in SINKING for foe in foes)
        blocks += AFLOAT if is_safe else -WET
    nearer = before - min(_passed(here, refuge.place, foe.position) for foe in foes)
    return blocks - PASSING * max(0.0, nearer)


async def has_way_out(
    bot: Bot,
    world: WorldSnapshot,
    foes: Sequence[MobSighting],
    far: float,
    but: Collection[Position] = (),
) -> bool:
    """Whether there is a place to flee to."""
    columns = _ring(world.position, (far, far / 2))
    return bool(_farther(await _ground_or_water(bot, world, columns), world.position, foes, but))


async def away_from(
    bot: Bot,
    world: WorldSnapshot,
    foes: Sequence[MobSighting],
    far: float,
    but: Collection[Position] = (),
    *,
    seeks: bool = True,
) -> Position | None:
    """The best place to flee to that is farther from all of these; None: there is none. Whoever
    `seeks` looks for company, doors and light as well."""
    here = world.position
    company, doors, lights = await _sought(bot, world, far) if seeks else ([], [], [])
    columns = _ring(here, (far, far / 2))
    columns |= {column for at in company for column in _beside(at, 1)}
    columns |= {column for at in doors for column in _beside(at, INSIDE)}
    ground = _farther(await _ground_or_water(bot, world, columns), here, foes, but)
    refuges = await asyncio.gather(
        *(_refuge(bot, place, company, doors, lights) for place in ground)
    )
    new = [one for one in refuges if one.place not in but]
    best = nlargest(MOST_SEEN_FROM, new, key=lambda one: worth(one, here, foes))
    if (shooter := next(filter(_shoots, foes), None)) is not None:
        at = shooter.position
        seen = await asyncio.gather(*(is_in_sight(bot, at, one.place) for one in best))
        best = [replace(one, is_hidden=not is_so) for one, is_so in zip(best, seen, strict=True)]
    chosen = max(best, key=lambda one: worth(one, here, foes), default=None)
    return None if chosen is None else chosen.place


async def _sought(
    bot: Bot, world: WorldSnapshot, far: float
) -> tuple[list[Position], list[Position], list[Position]]:
    """Where those are whom it stands by, doors that open by hand, and lights, as far as it runs."""
    here = world.position
    company = [one.position for one in world.players if one.position and bot.stands_by(one.name)]
    near = nsmallest(MOST_SOUGHT, company, key=here.distance_to)
    blocks = (await bot.catalogue()).blocks
    opens = tuple(name for name in blocks if name.endswith("_door") and name != SHUT)
    doors, lights = await asyncio.gather(
        bot.query(FindBlocks(opens, int(far), 2 * MOST_SOUGHT)),  # each has two halves
        bot.query(FindBlocks(LIGHTS, int(far + LIT_AT), MOST_LIGHTS)),
    )
    reached = [at for at in near if here.distance_to(at) <= far]
    return reached, [one.position for one in doors], [one.position for one in lights]


async def _refuge(
    bot: Bot,
    place: Position,
    company: Iterable[Position],
    doors: Iterable[Position],
    lights: Iterable[Position],
) -> Refuge:
    has_company = any(at.distance_to(place) <= BESIDE for at in company)
    is_by_door = any(at.distance_to(place) <= INSIDE + 1 for at in doors)
    is_indoors = is_by_door and await is_roofed(bot, place)
    is_lit = any(at.distance_to(place) <= LIT_AT for at in lights)
    cells = [replace(place.block, y=place.block.y + up) for up in range(DEEPEST)]
    if await bot.block(cells[0]) != WATER:
        return Refuge(place, "dry", has_company, is_indoors, is_lit)
    blocks = await asyncio.gather(*map(bot.block, cells))
    depth = next((up for up, name in enumerate(blocks) if name != WATER), DEEPEST)
    surface = replace(place, y=place.y + depth - 1)
    return Refuge(surface, "deep" if 2 <= depth < DEEPEST else "shallow", has_company)


async def out_of_harm(bot: Bot, world: WorldSnapshot, harms: AbstractSet[Harm]) -> list[Position]:
    """Where to go, the nearest first: water, which puts a fire out, and ground that does no harm.
    Whoever only burns is put out by no ground."""
    places: list[Position] = []
    if burns := harms & {"lava", "fire", "burning"}:
        found = await bot.query(FindBlocks((WATER,), WATER_AT, MOST_WATER))
        places = [_middle(one.position) for one in found]
    if burns != {"burning"}:
        harmful = await bot.query(FindBlocks(HARMFUL, HARM_AROUND, 256))
        at = {one.position for one in harmful}
        ground = await _ground(bot, world, _ring(world.position, DRY_AT))
        places += [place for place in ground if place.block not in at]
    return sorted(places, key=world.position.distance_to)


async def is_at_thorns(bot: Bot, here: Position) -> bool:
    """Whether a cactus, or something like it, touches the body."""
    found = await bot.query(FindBlocks(PRICKLY, 2, 32))
    return any(
        max(cell.x - here.x, here.x - cell.x - 1, cell.z - here.z, here.z - cell.z - 1) <= TOUCHES
        and here.y - 1 <= cell.y + TOUCHES
        and cell.y <= here.y + HEAD
        for cell in (one.position for one in found)
    )


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


async def _ground_or_water(
    bot: Bot, world: WorldSnapshot, columns: set[tuple[int, int]]
) -> list[Position]:
    """The same; where there is no ground, a bot in water may swim."""
    ground, feet = await _ground(bot, world, columns), world.position.block
    afloat = [cell for cell in (feet, below(feet)) if await bot.block(cell) == WATER]  # it bobs
    left = columns - {(math.floor(at.x), math.floor(at.z)) for at in ground}
    cells = [Position(x, afloat[0].y, z) for x, z in left if afloat]
    names = await asyncio.gather(*map(bot.block, cells))
    return ground + [_middle(at) for at, name in zip(cells, names, strict=True) if name == WATER]


def _ring(here: Position, radii: Iterable[float]) -> set[tuple[int, int]]:
    angles = [2 * math.pi * i / DIRECTIONS for i in range(DIRECTIONS)]
    return {
        (math.floor(here.x + radius * math.cos(a)), math.floor(here.z + radius * math.sin(a)))
        for radius in radii
        for a in angles
    }


def _middle(cell: Position) -> Position:
    return Position(cell.x + 0.5, cell.y, cell.z + 0.5)


def _distance(place: Position, foes: Sequence[MobSighting]) -> float:
    return min((place.distance_to(foe.position) for foe in foes), default=0.0)


def _farther(
    places: Iterable[Position],
    here: Position,
    foes: Sequence[MobSighting],
    but: Collection[Position],
) -> list[Position]:
    """Those farther from all foes; of each column the one most on a level with the bot, since no
    way leads up to a tree top or a roof."""
    levels: dict[tuple[float, float], Position] = {}
    for one in sorted(places, key=lambda place: abs(place.y - here.y)):
        levels.setdefault((one.x, one.z), one)
    nearest, level = _distance(here, foes), levels.values()
    return [one for one in level if one not in but and _distance(one, foes) > nearest + 1]


def _passed(start: Position, end: Position, by: Position) -> float:
    """Blocks from a straight way to what it leads past."""
    x, z = end.x - start.x, end.z - start.z
    along = ((by.x - start.x) * x + (by.z - start.z) * z) / ((x * x + z * z) or 1.0)
    share = min(1.0, max(0.0, along))
    return by.distance_to(
        Position(start.x + x * share, start.y + (end.y - start.y) * share, start.z + z * share)
    )


def _shoots(foe: MobSighting) -> bool:
    return MONSTERS.get(foe.name, UNKNOWN).shoots


def _beside(at: Position, far: int) -> set[tuple[int, int]]:
    x, z = int(at.block.x), int(at.block.z)
    return {(x + far, z), (x - far, z), (x, z + far), (x, z - far)}
