"""Shelter for a night: a hole with a lid, or else walls of what the bot carries, on bare ground.

natural ground all around ─▶ dig three blocks down ─▶ lid ─▶ … ─▶ lid off ─▶ rise on what was dug
level ground, open sky ─▶ put blocks around the body and a lid on top ─▶ … ─▶ take all of them back
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

from bots.bot.bot import Bot
from bots.bot.built import is_soil
from bots.errors import ActionFailed
from bots.skills.reach import above, below, foot, sides
from bridge.actions import Action, BlockAt, Dig, Equip, Footholds, MoveTo, Pillar, Place, Wait
from bridge.world import Position, WorldSnapshot

DEPTH = 3  # blocks: the body takes two, the lid one
AROUND = 2  # blocks that it walks to a better place
FARTHER = (5, 9, 14)  # blocks at which it looks too, with time
TRIED = 6  # places that it tries to reach
LEVEL = 4  # blocks up or down; as far as it is off, where that is more
DIG_S, PLACE_S, WALK_S, RISE_S = 12.0, 4.0, 10.0, 12.0
MIDDLE = 0.15  # blocks: a body at the edge would be held by the block beside the hole
SETTLED_S = 0.7  # until it has fallen to the floor and what it dug is in its bag
SETTLES = 4  # times it waits so long where the server is slow
ROOF = 3  # blocks above the feet
SURE_WALLS = 8  # by which it knows its walls, if it was cut off before it noted the lid
ROCK = re.compile(
    r"stone|granite|diorite|andesite|deepslate|tuff|calcite|(red_)?sandstone|netherrack|basalt"
    r"|end_stone|(\w+_)?terracotta|\w+_ore"
)
_LID = re.compile(
    r"(coarse_|rooted_)?dirt|grass_block|podzol|cobblestone|cobbled_deepslate|stone|granite|diorite"
    r"|andesite|tuff|(red_)?sandstone|netherrack|end_stone|\w+_planks|(\w+_)?log"
)
"""What stays where it is put, and is worth little."""
_FIRM = re.compile(
    r"(red_)?sand|gravel|clay|((packed|blue)_)?ice|snow_block|moss_block|(mossy_)?cobblestone|bricks"
    r"|smooth_stone|\w+_(planks|log|wood|leaves|concrete|wool|bricks|block)|(\w+_)?glass"
)
"""Besides ground, what nobody walks or shoots through."""
_OPEN = re.compile(
    r"(cave_|void_)?air|(short_|tall_)?grass|fern|dandelion|poppy|cornflower|azure_bluet"
)
_PICKAXES = ("netherite", "diamond", "iron", "stone", "golden", "wooden")


Act: TypeAlias = Callable[[Action, float], Awaitable[object]]
"""Does one action within so many seconds. Raises ActionFailed."""


@dataclass(frozen=True, slots=True)
class Shelter:
    """Where a bot has dug itself in, or put blocks around itself."""

    lid: Position
    """The highest cell, which the lid fills; the feet are two below."""
    walls: tuple[Position, ...] = ()
    """What it put around itself, in that order; none: it is a hole."""

    @property
    def floor(self) -> Position:
        """Where the feet are."""
        return foot(below(below(self.lid)))

    async def holds(self, bot: Bot, feet: Position) -> bool:
        """Whether the bot is in it, and the lid on it."""
        is_in = feet.block == below(below(self.lid))
        return is_in and not _OPEN.fullmatch(await bot.block(self.lid) or "air")

    async def leave(self, bot: Bot, act: Act) -> None:
        """Take the lid off, and fill the hole from below or take the walls back.

        Raises ActionFailed."""
        for cell in (self.lid, *reversed(self.walls)):
            world, name = await bot.snapshot(), await bot.block(cell) or "air"
            if not _OPEN.fullmatch(name):
                tool = _pickaxe(world)
                if ROCK.search(name) and tool and (world.held is None or world.held.name != tool):
                    await act(Equip(tool), PLACE_S)
                await act(Dig(cell), DIG_S)
            await bot.placements.gone(cell, world.dimension)
        if self.walls:
            return
        await act(Wait(SETTLED_S), PLACE_S)
        await self.rise(bot, act)

    async def rise(self, bot: Bot, act: Act) -> None:
        """Fill the hole from below, or else climb out. Raises ActionFailed."""
        world = await bot.snapshot()
        item = _most(world)
        if item is not None and world.count(item) >= DEPTH:
            await act(Pillar(item, DEPTH), RISE_S)
            return
        await act(MoveTo(foot(above(self.lid)), 2.0, may_dig=True), RISE_S)


async def shelter_around(bot: Bot, world: WorldSnapshot) -> Shelter | None:
    """The one in which it stands, told by what it remembers to have placed around itself."""
    feet = world.position.block
    lid = above(above(feet))
    ours = {one.position for one in bot.placements.ours(None) if one.dimension == world.dimension}
    walls = tuple(cell for cell in _around_body(feet) if cell in ours)
    if lid not in ours and len(walls) < SURE_WALLS:
        return None
    seen = await _blocks(bot, {lid, *_walls(_hole(lid))})
    if lid in ours and all(map(_is_ground, seen.values())):
        return Shelter(lid)
    is_closed = not _OPEN.fullmatch(seen[lid])
    return Shelter(lid, walls) if walls and is_closed else None


async def is_roofed(bot: Bot, here: Position) -> bool:
    """Whether there is ground above, on which others may stand."""
    feet = here.block
    places = await bot.query(Footholds(int(feet.x), int(feet.z))) or ()
    return any(place.y >= feet.y + ROOF for place in places)


async def take_shelter(bot: Bot, act: Act, *, has_time: bool) -> Shelter:
    """Dig in where the bot stands, or a few steps off; farther off if it has time. Where nothing is
    natural ground that one may dig, wall in.

    Raises ActionFailed blocked where it carries too little for either."""
    world = await bot.snapshot()
    lid = await _go_where_it_will_do(bot, world, _near(world), act)
    if lid is None and has_time:
        lid = await _go_where_it_will_do(bot, world, await _far(bot, world), act)
    return await _dig_in(bot, act, lid) if lid is not None else await _wall_in(bot, act)


async def _dig_in(bot: Bot, act: Act, lid: Position) -> Shelter:
    world = await bot.snapshot()
    pickaxe, held = _pickaxe(world), world.held and world.held.name
    cell, shelter = lid, Shelter(lid)
    try:
        for _ in range(DEPTH):
            name = await bot.block(cell) or ""
            if not is_soil(name) and pickaxe is not None and held != pickaxe:
                await act(Equip(pickaxe), PLACE_S)
                held = pickaxe
            await act(Dig(cell, pick_up=False), DIG_S)  # what it drops falls to its feet
            cell = below(cell)
            if not _is_over(lid, (await bot.snapshot()).position):
                raise ActionFailed("blocked", "I was pushed aside while I dug.")
        for _ in range(SETTLES):
            await act(Wait(SETTLED_S), PLACE_S)
            settled = await bot.snapshot()
            item = _most(settled)
            if item is not None and settled.position.block == _hole(lid)[-1]:
                break
        if item is None:
            raise ActionFailed("blocked", "I have nothing to close the hole with.")
        await act(Place(item, lid), PLACE_S)
        if not await shelter.holds(bot, (await bot.snapshot()).position):
            raise ActionFailed("blocked", "I did not get into the hole that I dug.")
        await bot.placements.add(item, item, lid, world.dimension)
    except ActionFailed:
        if _is_over(lid, (await bot.snapshot()).position):
            with suppress(ActionFailed):
                await shelter.rise(bot, act)
        raise
    return shelter


async def _wall_in(bot: Bot, act: Act) -> Shelter:
    """Put carried blocks around the bot on level ground, at corners too: foes reach past those."""
    world = await bot.snapshot()
    dimension, carried = world.dimension, _lids(world)
    middles = [above(lid) for lid in _near(world)]
    seen = await _blocks(bot, {cell for feet in middles for cell in _room(feet)})
    fit = (feet for feet in middles if all(_holds_walls(cell, feet, seen) for cell in _room(feet)))
    feet = next(fit, None)
    if feet is None or not await _may_build(bot, world, feet):
        raise ActionFailed("blocked", "There is no ground around in which I could dig in.")
    walls = [cell for cell in _around_body(feet) if _OPEN.fullmatch(seen[cell])]
    lid = above(above(feet))
    shelter = Shelter(lid, tuple(walls))
    if carried.total() <= len(walls):
        raise ActionFailed("blocked", "I carry too few blocks to put around me.")
    await act(MoveTo(foot(feet), MIDDLE), WALK_S)
    done: list[Position] = []
    try:
        for cell in (*walls, lid):
            item = max(carried, key=lambda name: (is_soil(name), carried[name]))
            await act(Place(item, cell), PLACE_S)
            done.append(cell)
            carried = carried - Counter([item])
            await bot.placements.add(item, item, cell, dimension)
        if not await shelter.holds(bot, (await bot.snapshot()).position):
            raise ActionFailed("blocked", "I was pushed aside while I put blocks around me.")
    except ActionFailed:
        with suppress(ActionFailed):
            await Shelter(lid, tuple(done)).leave(bot, act)
        raise
    return shelter


async def _may_build(bot: Bot, world: WorldSnapshot, feet: Position) -> bool:
    """Whether that is under the open sky, and nobody's floor."""
    if bot.areas.sparing(world.dimension, feet) or await is_roofed(bot, feet):
        return False
    return not await bot.actions.hands.somebodys([below(feet)], world)


def _around_body(feet: Position) -> list[Position]:
    """All that a wall fills, in the order in which each holds the next: the corners while they can
    be seen, the sides, and what the lid is put against."""
    corners = [replace(feet, x=feet.x + dx, z=feet.z + dz) for dx, dz in product((-1, 1), repeat=2)]
    upper = list(sides(above(feet)))
    return [*corners, *sides(feet), *upper, above(upper[0])]


def _room(feet: Position) -> Iterator[Position]:
    """What has to be known of a place: the ground, what a wall fills, the column of the body."""
    corners_and_sides = _around_body(feet)[:8]
    yield from (below(cell) for cell in (feet, *corners_and_sides))
    yield from _around_body(feet)
    yield from (feet, above(feet), above(above(feet)))


def _holds_walls(cell: Position, feet: Position, seen: Mapping[Position, str]) -> bool:
    """Whether a cell of the room around a body will do as it is."""
    is_open = _OPEN.fullmatch(seen[cell]) is not None
    is_firm = _is_ground(seen[cell]) or _FIRM.fullmatch(seen[cell]) is not None
    if (cell.x, cell.z) == (feet.x, feet.z) and cell.y >= feet.y:
        return is_open
    return is_firm or (is_open and cell.y >= feet.y)


def _near(world: WorldSnapshot) -> list[Position]:
    """Cells for the lid around the feet, the nearest first."""
    feet = world.position.block
    steps = product(range(-AROUND, AROUND + 1), repeat=2)
    nearest = sorted(steps, key=lambda at: abs(at[0]) + abs(at[1]))
    return [Position(feet.x + dx, feet.y - 1, feet.z + dz) for dx, dz in nearest]


async def _far(bot: Bot, world: WorldSnapshot) -> list[Position]:
    """Cells for the lid in eight directions, the nearest first."""
    feet = world.position.block
    columns = [
        (int(feet.x) + dx * far, int(feet.z) + dz * far)
        for far in FARTHER
        for dx, dz in product((-1, 0, 1), repeat=2)
        if (dx, dz) != (0, 0)
    ]
    found = await asyncio.gather(*(bot.query(Footholds(x, z)) for x, z in columns))
    stands = (at for places in found for at in places or ())
    return [
        below(at)
        for at in stands
        if abs(at.y - feet.y) <= max(LEVEL, abs(at.x - feet.x), abs(at.z - feet.z))
    ]


async def _go_where_it_will_do(
    bot: Bot, world: WorldSnapshot, lids: Sequence[Position], act: Act
) -> Position | None:
    """Stand on the first of these cells whose column will do and to which a way leads."""
    seen = await _blocks(bot, {cell for lid in lids for cell in _around(lid)})
    has_pickaxe, has_lid = _pickaxe(world) is not None, _most(world) is not None
    fit = [lid for lid in lids if _is_fit(lid, seen, has_pickaxe=has_pickaxe, has_lid=has_lid)]
    tries = TRIED
    for lid in fit:
        is_spared = bot.areas.sparing(world.dimension, lid) is not None
        if is_spared or await bot.actions.hands.somebodys(_hole(lid), world):
            continue
        with suppress(ActionFailed):
            await act(MoveTo(foot(above(lid)), MIDDLE), WALK_S)
            return lid
        tries -= 1
        if not tries:
            break
    return None


def _around(lid: Position) -> Iterator[Position]:
    """All cells that matter to a hole: it, its walls and floor, and the room above."""
    cell = above(above(lid))
    for _ in range(DEPTH + 3):
        yield cell
        yield from sides(cell)
        cell = below(cell)


def _is_fit(
    lid: Position, seen: Mapping[Position, str], *, has_pickaxe: bool, has_lid: bool
) -> bool:
    hole = _hole(lid)
    room = [above(lid), above(above(lid))]
    dug = [seen[cell] for cell in hole]
    is_quick = all(is_soil(name) or has_pickaxe for name in dug)
    closes = has_lid or sum(_LID.fullmatch(name) is not None for name in dug) > 0
    return (
        is_quick
        and closes
        and all(map(_is_ground, dug))
        and all(_is_ground(seen[cell]) for cell in _walls(hole))
        and all(_OPEN.fullmatch(seen[cell]) for cell in room)
    )


def _is_over(lid: Position, feet: Position) -> bool:
    return (feet.block.x, feet.block.z) == (lid.x, lid.z)


def _hole(lid: Position) -> list[Position]:
    return [lid, below(lid), below(below(lid))]


def _walls(hole: Sequence[Position]) -> list[Position]:
    return [*(side for cell in hole for side in sides(cell)), below(hole[-1])]


def _is_ground(name: str) -> bool:
    return is_soil(name) or ROCK.fullmatch(name) is not None


async def _blocks(bot: Bot, cells: set[Position]) -> Mapping[Position, str]:
    order = list(cells)
    found = await asyncio.gather(*(bot.query(BlockAt(cell)) for cell in order))
    return {cell: one[0].name if one else "" for cell, one in zip(order, found, strict=True)}


def _lids(world: WorldSnapshot) -> Counter[str]:
    """What it carries that can be a lid or a wall."""
    carried = world.counts()
    return Counter({name: carried[name] for name in carried if _LID.fullmatch(name)})


def _most(world: WorldSnapshot) -> str | None:
    """What it carries most of that can be a lid."""
    fit = _lids(world)
    return max(fit, key=lambda name: (fit[name] >= DEPTH, is_soil(name), fit[name]), default=None)


def _pickaxe(world: WorldSnapshot) -> str | None:
    carried = world.counts()
    return next((f"{made}_pickaxe" for made in _PICKAXES if f"{made}_pickaxe" in carried), None)
