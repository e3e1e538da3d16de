"""Filling buckets: with water and lava where they stand open, with milk of cows."""

from __future__ import annotations

from collections.abc import Sequence

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.animals import kind_of
from bots.skills.reach import foot, is_in_reach
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bridge.actions import Fill, FindBlocks, UseOn
from bridge.world import BlockSighting, MobSighting, Position

BUCKET = "bucket"
LOOKED_AT = 96  # of the nearest blocks of a liquid, those with air above are of use
TRIED = 8
NEAR = 2.5  # blocks from the liquid, where it is surely in view
MILKING_S = 60.0
_OPEN = ("air", "cave_air", "void_air")


async def fill(bot: Bot, job: Job, liquid: str, count: int, radius: int) -> None:
    """Fill so many buckets. Raises CommandError not_found, no_path; ActionFailed."""
    for _ in range(count):
        await _fill_one(bot, job, liquid, radius)


async def milk(job: Job, kind: str, count: int, radius: float) -> None:
    """Fill so many buckets with the milk of the nearest grown animal of a kind.

    Raises CommandError not_found; ActionFailed."""
    for _ in range(count):
        await _milk_one(job, kind, radius)


async def _fill_one(bot: Bot, job: Job, liquid: str, radius: int) -> None:
    surface = await _surface(job, liquid, radius)
    for block in surface:
        try:
            await _fill_from(bot, job, block.position)
        except ActionFailed as failed:
            if failed.reason in ("died", "missing_item", "inventory_full"):
                raise
            continue
        return
    where = f"within {in_blocks(radius)}"
    if surface:
        raise CommandError("no_path", f"I cannot come at the {liquid} {where}.")
    raise CommandError("not_found", f"There is no open {liquid} {where}.")


async def _surface(job: Job, liquid: str, radius: int) -> Sequence[BlockSighting]:
    """The nearest blocks of a liquid with air above."""
    found = await job.targets(FindBlocks((liquid,), radius, LOOKED_AT))
    is_open = [await job.block(_above(one.position)) in _OPEN for one in found]
    return [one for one, is_so in zip(found, is_open, strict=True) if is_so][:TRIED]


async def _fill_from(bot: Bot, job: Job, at: Position) -> None:
    world = await job.snapshot()
    if not is_in_reach(world, at, NEAR):
        await walk(bot, job, foot(_above(at)), NEAR, may_dig=False)
    await job.act(Fill(BUCKET, at))


async def _milk_one(job: Job, kind: str, radius: float) -> None:
    failure: ActionFailed | None = None
    for animal in (await _herd(job, kind, radius))[:TRIED]:
        try:
            await job.act(UseOn(animal.id, BUCKET), deadline_s=MILKING_S)
        except ActionFailed as failed:
            if failed.reason in ("died", "missing_item"):
                raise
            failure = failed
            continue
        return
    raise failure or CommandError("not_found", f"There is no {kind} {in_blocks(radius)} around.")


async def _herd(job: Job, kind: str, radius: float) -> Sequence[MobSighting]:
    world = await job.snapshot()
    near = (mob for mob in world.mobs if world.position.distance_to(mob.position) <= radius)
    return [mob for mob in near if kind_of(mob) == kind and not mob.young]


def _above(block: Position) -> Position:
    return Position(block.x, block.y + 1, block.z)
