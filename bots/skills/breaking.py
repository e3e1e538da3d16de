"""Breaking blocks so that the bot gets what they drop, and picking that up.

In the open, blocks in reach are dug one after the other, and what fell is picked up before the bot
moves on. To a buried block the bot digs its way and steps where it was, which picks its drop up.
What lies on somebody's field, where somebody died, or with their gear, is theirs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.built import FARMLAND
from bots.bot.consequences import foresee
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.built_sight import BuiltSight
from bots.skills.reach import (
    WALK_S,
    above,
    below,
    finds_way,
    foot,
    is_in_reach,
    middle,
    sides,
    unless,
    walk_into_reach,
)
from bots.skills.tools import hold_best_tool, require_tool_for_way
from bots.skills.tunnelling import dig_into_reach, dig_near, is_below_ground
from bots.skills.walking import walk
from bridge.actions import CollectDrops, Dig, Equip, FindBlocks, Footholds, LyingItems, MoveTo, Wait
from bridge.catalogue import Catalogue
from bridge.looking import ScanBlocks
from bridge.world import BlockSighting, LyingItem, Position, WorldSnapshot, Zone, is_spared

EDGE = 1  # blocks around farmland that belong to the field
HEAP = 3.0  # blocks around gear within which more of its owner lies
GEAR = 2  # pieces of gear that lie together where somebody died or put them down
MOST_FIELDS = 4_000  # blocks of farmland
_GEAR = re.compile(
    r"\w+_(pickaxe|axe|shovel|hoe|sword|helmet|chestplate|leggings|boots)"
    r"|shield|bow|crossbow|trident|mace|elytra|shears|fishing_rod|flint_and_steel|\w*shulker_box"
)
DIGGING_S = 90.0  # for a short way through the ground
BESIDE = 1.5  # blocks from the foot of a buried block: next to it, on it, or a step off
HOLE = 0.9  # blocks from the middle of a hole, near enough to pick up what lies in it
PICKUP_S = 0.6  # until a drop has fallen into the hole and can be picked up
LANDING_S = 0.2  # from stepping off a block until the feet are on the next
COLLECT_S = 30.0
LISTED, MOST_READ = 64, 1_000_000  # blocks: of one kind, and looked at to find them
AT_HAND = 1.5  # blocks: a drop so near is picked up on the spot
_GROUND = re.compile(
    r"\w*(stone|dirt|grass_block|sand|gravel|clay|mud|granite|diorite|andesite|deepslate|tuff"
    r"|calcite|netherrack|basalt|soul_soil|snow_block|_ore)"
)
"""Ground: the bot digs it from above and steps where it was."""
_ORE = ("_ore", "_debris")
"""Blocks that another of their kind cannot replace."""
_ROOM = ("air", "water")
_OPEN = (*_ROOM, "leaves")


def has_all(world: WorldSnapshot, wanted: Mapping[str, int]) -> bool:
    """Whether at least this much of each item is carried."""
    return all(world.count(item) >= count for item, count in wanted.items())


async def pick_up(
    bot: Bot, job: Job, wanted: Iterable[str], radius: float, within_s: float
) -> None:
    """Pick up what is wanted, and the rest only where a slot is left for it.

    Raises ActionFailed died, and inventory_full for what is wanted."""
    theirs = await of_others(bot, job, radius)
    for item in wanted:
        with unless("died", "inventory_full"):
            await job.act(CollectDrops(radius, item, theirs), deadline_s=within_s)
    if (await job.snapshot()).free_slots:
        with unless("died"):
            await job.act(CollectDrops(radius, None, theirs), deadline_s=within_s)


async def of_others(
    bot: Bot,
    job: Job,
    radius: float,
    plots: Collection[Position] | None = None,
    item: str | None = None,
) -> tuple[Zone, ...]:
    """Where items nearby lie that belong to somebody; `plots` are the blocks of farmland
    around, if they are known. Where one `item` is picked up and no field is near, gear is
    not looked for."""
    world = await job.snapshot()
    graves, ours = bot.graves.zones(world.dimension), bot.placements.everyones(world.dimension)
    if plots is None:
        fields = FindBlocks((FARMLAND,), int(radius) + EDGE + 1, MOST_FIELDS)
        plots = [one.position for one in await job.query(fields)]
    near = {
        plot
        for plot in plots
        if plot.distance_to(world.position) <= radius + EDGE + 1 and above(plot) not in ours
    }
    if item and not near:
        return graves
    lying = await job.query(LyingItems(radius))
    places = [one.position.block for one in lying if _is_on(near, one.position.block)]
    return (
        *graves,
        *(Zone(below(at), above(at)) for at in places),
        *(Zone(below(at), above(at), HEAP) for at in _gear(lying)),
    )


def _gear(lying: Iterable[LyingItem]) -> list[Position]:
    """Where tools, weapons and armour lie together, as nothing else drops them."""
    single = [one for one in lying if one.name and _GEAR.fullmatch(one.name)]
    return [
        one.position.block
        for one in single
        if sum(one.position.distance_to(other.position) <= HEAP for other in single) >= GEAR
    ]


def _is_on(plots: set[Position], at: Position) -> bool:
    """Whether an item lies on or beside farmland, which is a little lower than a block."""
    edge = range(-EDGE, EDGE + 1)
    return any(
        Position(at.x + dx, at.y - down, at.z + dz) in plots
        for dx in edge
        for dz in edge
        for down in (0, 1)
    )


@dataclass(slots=True)
class Breaking:
    """Breaks the blocks of one job."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    near: float
    """How near to come to a block in the open, in blocks."""
    sweep: float
    """Radius within which drops are picked up, in blocks."""
    built: BuiltSight
    """Tells where people live."""
    tool: str | None = None
    """The tool to use instead of the best; shears make leaves drop themselves, for example."""
    shuns_shears: bool = False
    """Whether to dig with anything but shears."""
    plots: Collection[Position] | None = None
    """The farmland around, if it is known."""

    async def break_block(self, target: BlockSighting, *, on_foot: bool = False) -> None:
        """Break a block, wherever it is; `on_foot` leaves one in the open to which only digging
        leads. Raises ActionFailed, CommandError no_tool."""
        world = await self.job.snapshot()
        if await self._is_dug_into(target, world.position.block):
            await self._dig_into(target)
            return
        if not is_in_reach(world, target.position):
            # Come near a block in the open; to one above the head, into reach from below; to one
            # that water covers, to the shore where that is near enough.
            block, here = target.position, (await self.job.snapshot()).position
            if on_foot and block.y > here.block.y + 1:
                await walk_into_reach(self.job, world, block)
            elif block.y > here.block.y + 1:
                await dig_into_reach(self.bot, self.job, block)
            elif not await self._is_reached_dry(target):
                await walk(self.bot, self.job, foot(block), self.near, may_dig=not on_foot)
        if await self._falls_to_feet(target) or await self._is_come_to_landing(target):
            await self._dig(target)
        else:
            await self._dig_into(target)

    async def first_not_needed(self, blocks: Sequence[BlockSighting]) -> BlockSighting:
        """The first block whose loss neither spoils a way below ground nor leaves a thin roof."""
        for block in blocks:
            if not await self._is_needed(block):
                return block
        return blocks[0]

    async def pick_up(self, item: str | None, delay_s: float) -> None:
        """Collect what fell, out of holes too. Raises ActionFailed inventory_full."""
        await self.job.act(Wait(delay_s))
        with unless("died", "inventory_full"):
            theirs = await of_others(self.bot, self.job, self.sweep, self.plots, item)
            await self.job.act(CollectDrops(self.sweep, item, theirs), deadline_s=COLLECT_S)

    async def search_holes(self, items: Collection[str]) -> None:
        """Go to each drop that could not be picked up in passing, digging if necessary; one that
        cannot be recognised may be wanted."""
        theirs = await of_others(self.bot, self.job, self.sweep, self.plots)
        lying = await self.job.query(LyingItems(self.sweep))
        ours = [one for one in lying if not is_spared(theirs, one.position)]
        may_be = {None, *items}
        with unless("died"):
            for hole in dict.fromkeys(one.position.block for one in ours if one.name in may_be):
                await self._into(hole)
                await self.job.act(Wait(PICKUP_S))

    async def _falls_to_feet(self, target: BlockSighting) -> bool:
        """Whether the drop falls where the bot can get it. Raises ActionFailed unsafe, lost."""
        feet = (await self.job.snapshot()).position.block
        seen = foresee(target.position, feet, await self.job.blocks_around())
        if seen.harm:
            raise ActionFailed("unsafe", f"I leave the {target.name}: {seen.harm}.")
        if seen.lands is None:
            raise ActionFailed("lost", f"What the {target.name} drops would be lost.")
        return seen.comes_to(feet)

    async def _is_come_to_landing(self, target: BlockSighting) -> bool:
        """Walk to where the drop will lie; whether a way leads there, with the block in reach."""
        feet = (await self.job.snapshot()).position.block
        lands = foresee(target.position, feet, await self.job.blocks_around()).lands
        way = MoveTo(foot(lands or target.position), within=BESIDE)
        if not await finds_way(self.job.act(way, deadline_s=WALK_S)):
            return False
        return is_in_reach(await self.job.snapshot(), target.position)

    async def _is_reached_dry(self, target: BlockSighting) -> bool:
        """Whether water covers the block and the bot now reaches it from dry ground."""
        at = target.position
        if not await self._is_water(above(at)):
            return False
        # Where to stand on dry ground to dig what water covers.
        here = (await self.job.snapshot()).position
        far = math.ceil(here.distance_to(target.position)) + 1
        around = ScanBlocks(
            (target.name,), far, -far, far, max_checks=MOST_READ, limit=LISTED, each=LISTED
        )
        shore = (await self.job.query(around)).shores.get(target.position)
        if shore is None:
            return False
        with suppress(ActionFailed):
            await self.job.act(MoveTo(foot(shore), within=HOLE), deadline_s=WALK_S)
            await self.job.act(Wait(LANDING_S))
        world = await self.job.snapshot()
        return is_in_reach(world, at) and not await self._is_water(world.position.block)

    async def _is_water(self, where: Position) -> bool:
        return (await self.job.block(where) or "").endswith("water")

    async def _dig(self, target: BlockSighting) -> None:
        world = await self.job.snapshot()
        if self.tool is not None and world.count(self.tool):
            await self.job.act(Equip(self.tool))
        else:
            block = self.catalogue.blocks[target.name]
            await hold_best_tool(self.job, world, block, shears=not self.shuns_shears)
        await self.job.act(Dig(target.position, pick_up=False))

    async def _dig_into(self, target: BlockSighting) -> None:
        if await self.built.is_shaft_in_yard(await self.job.snapshot(), target.position):
            # Go above a block that is to be dug to from where nobody built.
            here = (await self.job.snapshot()).position
            places = (
                await self.job.query(Footholds(int(target.position.x), int(target.position.z)))
                or ()
            )
            start = min(places, key=lambda place: abs(place.y - here.y), default=None)
            if start is not None:
                await walk(self.bot, self.job, middle(start), BESIDE)
        await require_tool_for_way(self.job, self.catalogue, target.position)
        await dig_near(self.bot, self.job, target.position)
        if not target.name.endswith(_ORE):
            target = await self._ahead(target)
        if not await finds_way(self._into(target.position)):
            beside = MoveTo(foot(target.position), within=BESIDE, may_dig=True)
            await self.job.act(beside, deadline_s=DIGGING_S)
        if await self.job.block(target.position) == target.name:
            await self._dig(target)

    async def _ahead(self, target: BlockSighting) -> BlockSighting:
        """A block of the same kind beside the feet, if it is not needed; else the target itself."""
        feet = (await self.job.snapshot()).position.block
        for side in sides(feet):
            if await self.job.block(side) == target.name:
                alike = BlockSighting(target.name, side)
                if not await self._is_needed(alike):
                    return alike
        return target

    async def _into(self, hole: Position) -> None:
        into = MoveTo(foot(hole), within=HOLE, may_dig=True)
        await self.job.act(into, deadline_s=DIGGING_S)

    async def _is_dug_into(self, target: BlockSighting, feet: Position) -> bool:
        """Whether the block is buried, or too low or far to pick up its drop from here."""
        if not await self._is_open(target.position):
            return True
        at = target.position
        if at.y > feet.y + 1 and await self._is_room(below(at)):
            return False  # its drop falls out
        if not _GROUND.fullmatch(target.name) or await self._is_room(above(at)):
            return False
        return at.y < feet.y or at.distance_to(feet) > AT_HAND

    async def _is_needed(self, block: BlockSighting) -> bool:
        """Whether a way below ground needs the block, or its loss leaves a thin roof."""
        if not _GROUND.fullmatch(block.name):
            return False
        at = block.position
        open_above, open_higher = [
            await self._is_room(Position(at.x, at.y + up, at.z)) for up in (1, 2)
        ]
        return await is_below_ground(self.job) if open_above else open_higher

    async def _is_room(self, where: Position) -> bool:
        there = await self.job.block(where)
        return there is None or there.endswith(_ROOM)

    async def _is_open(self, block: Position) -> bool:
        """Whether any side of the block is open."""
        for side in (above(block), *sides(block), below(block)):
            if (await self.job.block(side) or "").endswith(_OPEN):
                return True
        return False
