"""Filling buckets: with water and lava where they stand open, with milk of cows."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.animals import kind_of
from bots.skills.reach import OPEN_AIR, above, foot, is_in_reach
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bridge.actions import Fill, FindBlocks, UseOn
from bridge.world import BlockSighting, Position

BUCKET = "bucket"
LOOKED_AT = 96  # of the nearest blocks of a liquid, those with air above are of use
TRIED = 8
NEAR = 2.5  # blocks from the liquid, where it is surely in view
MILKING_S = 60.0


async def fill(bot: Bot, job: Job, liquid: str, count: int, radius: int) -> None:
    """Fill so many buckets. Raises CommandError not_found, no_path; ActionFailed."""
    where = f"within {in_blocks(radius)}"
    for _ in range(count):
        surface = await _surface(job, liquid, radius)
        if not surface:
            raise CommandError("not_found", f"There is no open {liquid} {where}.")
        if await _failure(_fill_from(bot, job, block.position) for block in surface):
            raise CommandError("no_path", f"I cannot come at the {liquid} {where}.")


async def milk(job: Job, kind: str, count: int, radius: float) -> None:
    """Fill so many buckets with the milk of the nearest grown animal of a kind.

    Raises CommandError not_found; ActionFailed."""
    for _ in range(count):
        world = await job.snapshot()
        near = (mob for mob in world.mobs if world.position.distance_to(mob.position) <= radius)
        herd = [mob for mob in near if kind_of(mob) == kind and not mob.young][:TRIED]
        if not herd:
            raise CommandError("not_found", f"There is no {kind} {in_blocks(radius)} around.")
        tries = (job.act(UseOn(animal.id, BUCKET), deadline_s=MILKING_S) for animal in herd)
        if failure := await _failure(tries):
            raise failure


async def _surface(job: Job, liquid: str, radius: int) -> Sequence[BlockSighting]:
    """The nearest blocks of a liquid with air above."""
    found = await job.targets(FindBlocks((liquid,), radius, LOOKED_AT))
    is_open = [await job.block(above(one.position)) in OPEN_AIR for one in found]
    return [one for one, is_so in zip(found, is_open, strict=True) if is_so][:TRIED]


async def _fill_from(bot: Bot, job: Job, at: Position) -> None:
    world = await job.snapshot()
    if not is_in_reach(world, at, NEAR):
        await walk(bot, job, foot(above(at)), NEAR, may_dig=False)
    await job.act(Fill(BUCKET, at))


async def _failure(tries: Iterable[Awaitable[object]]) -> ActionFailed | None:
    """Why the last of some tries failed; None once one goes well."""
    failure: ActionFailed | None = None
    for one in tries:
        try:
            await one
        except ActionFailed as failed:
            if failed.reason in ("died", "missing_item", "inventory_full"):
                raise
            failure = failed
        else:
            return None
    return failure
