"""Crafting, at a table when the recipe needs one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.first_sight import require_ingredients
from bots.skills.stations import RADIUS, Station, come_to_station, require_carried
from bridge.actions import Craft

TABLE: Final = "crafting_table"


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
