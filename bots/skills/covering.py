"""Covering lava with what is carried, so that a block beside it can be broken without harm."""

from __future__ import annotations

from bots.bot.bot import Bot
from bots.bot.consequences import LAVA, touching
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import OPEN_AIR, above, foot, is_in_reach
from bots.skills.walking import walk
from bridge.actions import Place
from bridge.world import Position

COVERS = (
    *("cobblestone", "cobbled_deepslate", "dirt", "netherrack", "stone", "deepslate"),
    *("granite", "diorite", "andesite", "tuff", "blackstone"),
)
"""What lava is covered with, the first choice first; it neither burns nor falls."""
MOST = 2  # blocks of lava beside one
NEAR = 2.5  # blocks from the block, from where the lava beside it is in view


async def cover_lava(bot: Bot, job: Job, block: Position) -> bool:
    """Cover the lava that touches a block; whether none touches it any more. Lava that does not
    lie open from above is left, and all of it then.

    Raises ActionFailed missing_item where nothing to cover it with is carried, and others."""
    if not is_in_reach(await job.snapshot(), block, NEAR):
        await walk(bot, job, foot(above(block)), NEAR, may_dig=False)
    lava = await _lava_at(job, block)
    if len(lava) > MOST or not await _is_open(job, lava):
        return False
    for cell in lava:
        await job.act(Place(await _cover(job), cell))
    return not await _lava_at(job, block)


async def _lava_at(job: Job, block: Position) -> list[Position]:
    return [cell for cell in touching(block) if await job.block(cell) in LAVA]


async def _is_open(job: Job, lava: list[Position]) -> bool:
    return all([await job.block(above(cell)) in OPEN_AIR for cell in lava])


async def _cover(job: Job) -> str:
    world = await job.snapshot()
    cover = next((item for item in COVERS if world.count(item)), None)
    if cover is None:
        sentence = "I carry nothing to cover the lava beside it with, cobblestone for example."
        raise ActionFailed("missing_item", sentence)
    return cover
