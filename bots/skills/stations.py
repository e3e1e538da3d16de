"""Stations: crafting tables and furnaces, found nearby or placed, and what is made at them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.bag_space import BAG_FULL
from bots.skills.placing import place_near
from bots.skills.tunnelling import dig_into_reach
from bridge.actions import FindBlocks
from bridge.world import Position, WorldSnapshot

RADIUS = 32  # blocks
TRIED = 4  # stations near, nearest first


@dataclass(frozen=True, slots=True)
class Station:
    """A block to work at."""

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
    """Come into reach of one of these blocks. When none can be reached and the first kind is
    carried, place it. Raises CommandError no_station."""
    found = await job.targets(FindBlocks(kinds, radius, TRIED + len(avoid)))
    for sighting in found:
        if sighting.position in avoid:
            continue
        try:
            await dig_into_reach(bot, job, sighting.position)
        except ActionFailed:
            continue
        return Station(sighting.position, was_placed=False)
    kind = kinds[0]
    if may_place and (await job.snapshot()).count(kind):
        return Station(await place_near(job, bot, kind), was_placed=True)
    there = f"the {len(found)} near are of no use" if found else f"none is within {radius} blocks"
    sentence = f"It needs a {kind}: {there}, and none is carried."
    raise CommandError("no_station", sentence, station=kind)


def counted(world: WorldSnapshot, items: Collection[str]) -> dict[str, int]:
    """How many of each of these are carried."""
    return {item: world.count(item) for item in items}


def require_carried(world: WorldSnapshot, product: str, facts: dict[str, Any]) -> None:
    """Refuse when fewer products are carried than were asked for: `made` and `count` of `facts`.

    Raises CommandError inventory_full, or not_found where they are gone for another reason."""
    count, made = facts["count"], facts["made"]
    if made >= count:
        return
    is_full = world.free_slots == 0
    why = BAG_FULL if is_full else "the rest is gone"
    reason = "inventory_full" if is_full else "not_found"
    raise CommandError(reason, f"Got {made} of {count} {product}: {why}.", **facts)
