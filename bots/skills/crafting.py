"""Crafting, and the tables and furnaces for it, found nearby or placed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.bag import BAG_FULL
from bots.skills.first_sight import require_ingredients
from bots.skills.placing import place_near
from bots.skills.tunnelling import dig_into_reach
from bridge.actions import Craft, FindBlocks
from bridge.world import Position, WorldSnapshot

RADIUS = 32  # blocks
TRIED = 4  # stations near, nearest first
TABLE: Final = "crafting_table"


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


@dataclass(frozen=True, slots=True)
class Crafted:
    """What was made, how many are carried now, and the table that was used."""

    made: int
    have: int
    table: Station | None


async def craft(
    job: Job,
    bot: Bot,
    item: str,
    count: int,
    *,
    of: tuple[str, ...] = (),
    radius: int = RADIUS,
    may_place: bool = True,
) -> Crafted:
    """Make at least `count`, of anything carried or only of the items named in `of`. What counts
    is how many more are carried afterwards.

    Raises CommandError missing_item with what is missing, no_recipe, no_station, inventory_full
    and the rest of what `Craft` fails with."""
    await require_ingredients(job, bot, item, count)
    before = (await job.snapshot()).count(item)
    table: Station | None = None
    try:
        await job.act(Craft(item, count, of=of))
    except ActionFailed as failed:
        if not failed.data.get("needs_table"):
            raise _short(failed, item, count) from failed
        table = await come_to_station(job, bot, (TABLE,), radius=radius, may_place=may_place)
        try:
            await job.act(Craft(item, count, table.position, of))
        except ActionFailed as again:
            raise _short(again, item, count) from again
    world = await job.snapshot()
    made = world.count(item) - before
    require_carried(world, item, {"itemName": item, "count": count, "made": made, "missing": {}})
    return Crafted(made, world.count(item), table)


def _short(failed: ActionFailed, item: str, count: int) -> CommandError:
    missing = failed.data.get("missing", {})
    lacking = ", ".join(f"{lack} {name}" for name, lack in missing.items())
    sentence = f"For {count} {item} there lack {lacking}." if missing else failed.message
    made = failed.data.get("made", 0)
    return CommandError(
        failed.reason, sentence, itemName=item, count=count, made=made, missing=missing
    )
