"""Picking up what a piece of work is for, and then what else fell.

What lies on somebody's field, where somebody died, or with their gear, is theirs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from bots.bot.bot import Bot
from bots.bot.built import FARMLAND
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bridge.actions import CollectDrops, FindBlocks, LyingItems
from bridge.world import LyingItem, Position
from bridge.zones import Zone

EDGE = 1  # blocks around farmland that belong to the field
HEAP = 3.0  # blocks around gear within which more of its owner lies
GEAR = 2  # pieces of gear that lie together where somebody died or put them down
MOST_FIELDS = 4_000  # blocks of farmland
_GEAR = re.compile(
    r"\w+_(pickaxe|axe|shovel|hoe|sword|helmet|chestplate|leggings|boots)"
    r"|shield|bow|crossbow|trident|mace|elytra|shears|fishing_rod|flint_and_steel|\w*shulker_box"
)


async def pick_up(
    bot: Bot, job: Job, wanted: Iterable[str], radius: float, within_s: float
) -> None:
    """Pick up what is wanted, and the rest only where a slot is left for it.

    Raises ActionFailed died, and inventory_full for what is wanted."""
    theirs = await of_others(bot, job, radius)
    for item in wanted:
        await _collect(job, CollectDrops(radius, item, theirs), within_s, must_fit=True)
    if (await job.snapshot()).free_slots:
        await _collect(job, CollectDrops(radius, None, theirs), within_s, must_fit=False)


async def of_others(
    bot: Bot,
    job: Job,
    radius: float,
    plots: Collection[Position] | None = None,
    item: str | None = None,
) -> tuple[Zone, ...]:
    """Where things lie so near that are somebody's; `plots` are the blocks of farmland around, if
    they are known. Where one `item` is picked up and no field is near, gear is not looked for."""
    world = await job.snapshot()
    graves, ours = bot.graves.zones(world.dimension), bot.placements.everyones(world.dimension)
    fields = await _plots(job, radius) if plots is None else plots
    near = {
        plot
        for plot in fields
        if plot.distance_to(world.position) <= radius + EDGE + 1 and _above(plot) not in ours
    }
    if item and not near:
        return graves
    lying = await job.query(LyingItems(radius))
    places = [one.position.block for one in lying if _is_on(near, one.position.block)]
    return (
        *graves,
        *(Zone(_below(at), _above(at)) for at in places),
        *(Zone(_below(at), _above(at), HEAP) for at in _gear(lying)),
    )


async def _plots(job: Job, radius: float) -> list[Position]:
    fields = FindBlocks((FARMLAND,), int(radius) + EDGE + 1, MOST_FIELDS)
    return [one.position for one in await job.query(fields)]


def _gear(lying: Iterable[LyingItem]) -> list[Position]:
    """Where tools, weapons and armour lie together, as nothing else drops them."""
    single = [one for one in lying if one.name and _GEAR.fullmatch(one.name)]
    return [
        one.position.block
        for one in single
        if sum(one.position.distance_to(other.position) <= HEAP for other in single) >= GEAR
    ]


def _is_on(plots: set[Position], at: Position) -> bool:
    """Whether it lies on or beside farmland, which is a little lower than a block."""
    edge = range(-EDGE, EDGE + 1)
    return any(
        Position(at.x + dx, at.y - down, at.z + dz) in plots
        for dx in edge
        for dz in edge
        for down in (0, 1)
    )


def _above(at: Position) -> Position:
    return Position(at.x, at.y + 1, at.z)


def _below(at: Position) -> Position:
    return Position(at.x, at.y - 1, at.z)


async def _collect(job: Job, action: CollectDrops, within_s: float, *, must_fit: bool) -> None:
    try:
        await job.act(action, deadline_s=within_s)
    except ActionFailed as failed:
        if failed.reason == "died" or (must_fit and failed.reason == "inventory_full"):
            raise
