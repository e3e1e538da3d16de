"""Shelter: a hole of three blocks with a lid, dug where the bot stands, and filled again.

natural ground all around ─▶ dig three blocks down ─▶ lid ─▶ … ─▶ lid off ─▶ rise on what was dug
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
ROCK = re.compile(
    r"stone|granite|diorite|andesite|deepslate|tuff|calcite|(red_)?sandstone|netherrack|basalt"
    r"|end_stone|(\w+_)?terracotta|\w+_ore"
)
_LID = re.compile(
    r"(coarse_|rooted_)?dirt|grass_block|podzol|cobblestone|cobbled_deepslate|stone|granite|diorite"
    r"|andesite|tuff|(red_)?sandstone|netherrack|end_stone|\w+_planks|(\w+_)?log"
)
"""What stays where it is put, and is worth little."""
_OPEN = re.compile(
    r"(cave_|void_)?air|(short_|tall_)?grass|fern|dandelion|poppy|cornflower|azure_bluet"
)
_PICKAXES = ("netherite", "diamond", "iron", "stone", "golden", "wooden")


Act: TypeAlias = Callable[[Action, float], Awaitable[object]]
"""Does one action within so many seconds. Raises ActionFailed."""


@dataclass(frozen=True, slots=True)
class Shelter:
    """Where a bot has dug itself in."""

    lid: Position
    """The highest cell, which the lid fills; the feet are two below."""

    @property
    def floor(self) -> Position:
        """Where the feet are."""
        return foot(below(below(self.lid)))

    async def holds(self, bot: Bot, feet: Position) -> bool:
        """Whether the bot is in it, and the lid on it."""
        is_in = feet.block == below(below(self.lid))
        return is_in and not _OPEN.fullmatch(await bot.block(self.lid) or "air")

    async def leave(self, bot: Bot, act: Act) -> None:
        """Take the lid off and fill the hole from below. Raises ActionFailed."""
        await act(Dig(self.lid), DIG_S)
        await bot.placements.gone(self.lid, (await bot.snapshot()).dimension)
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
    """The one in which it stands, told by the lid that it remembers to have placed."""
    lid = above(above(world.position.block))
    if lid not in {
        one.position for one in bot.placements.ours(None) if one.dimension == world.dimension
    }:
        return None
    hole = _hole(lid)
    seen = await _blocks(bot, {lid, *_walls(hole)})
    return Shelter(lid) if all(map(_is_ground, seen.values())) else None


async def dig_in(bot: Bot, act: Act, *, has_time: bool) -> Shelter:
    """Dig in where the bot stands, or a few steps off; farther off if it has time.

    Raises ActionFailed blocked where nothing around is natural ground that one may dig, or there
    would be nothing to put on it."""
    world = await bot.snapshot()
    pickaxe = _pickaxe(world)
    lid = await _go_where_it_will_do(bot, world, _near(world), act)
    if lid is None and has_time:
        lid = await _go_where_it_will_do(bot, world, await _far(bot, world), act)
    if lid is None:
        raise ActionFailed("blocked", "There is no ground around in which I could dig in.")
    held = world.held and world.held.name
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


def _most(world: WorldSnapshot) -> str | None:
    """What it carries most of that can be a lid."""
    carried = world.counts()
    fit = [name for name in carried if _LID.fullmatch(name)]
    return max(
        fit, key=lambda name: (carried[name] >= DEPTH, is_soil(name), carried[name]), default=None
    )


def _pickaxe(world: WorldSnapshot) -> str | None:
    carried = world.counts()
    return next((f"{made}_pickaxe" for made in _PICKAXES if f"{made}_pickaxe" in carried), None)
