"""Putting a carried block down, where it is wanted or somewhere near."""

from __future__ import annotations

from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import CommandError
from bots.skills.reach import REACH, within_reach
from bots.skills.stations import place_near
from bridge.actions import BlockAt, Place
from bridge.world import Position


@dataclass(frozen=True, slots=True)
class Placed:
    position: Position
    block: str
    left: int
    """How many of the item are still carried."""


async def place(
    job: Job, bot: Bot, item: str, where: Position | None, reach: float = REACH
) -> Placed:
    """Put one down at a position, walking into reach, or near where the bot stands.

    Raises CommandError missing_item, and what `Place` and `MoveTo` fail with."""
    world = await job.snapshot()
    if not world.count(item):
        carried = {stack.name: world.count(stack.name) for stack in world.items}
        raise CommandError("missing_item", f"No {item} is carried.", inventory=carried)
    if where is None:
        where = await place_near(job, bot, item)
    else:
        await within_reach(job, world, where, reach)
        await job.act(Place(item, where))
    there = await job.query(BlockAt(where))
    block = there[0].name if there else item
    return Placed(where, block, (await job.snapshot()).count(item))
