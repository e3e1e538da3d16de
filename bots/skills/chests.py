"""Chests: walking there, opening, taking out, putting in. What they hold is remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.chests import Chest
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.reach import middle
from bots.skills.walking import walk
from bridge.actions import CloseContainer, Deposit, OpenContainer, OpenedContainer, Withdraw
from bridge.world import Container, Position, WorldSnapshot

AT_HAND = 3.0  # blocks to the middle of a chest; the reach is 4.5 from the eyes


@dataclass(frozen=True, slots=True)
class Moved:
    """Items that were taken out of a chest or put into it."""

    what: str
    """`took` or `put`."""
    position: Position
    items: Mapping[str, int]

    def __str__(self) -> str:
        listed = " and ".join(f"{count} {item}" for item, count in self.items.items())
        into = "out of" if self.what == "took" else "into"
        at = self.position
        return f"I {self.what} {listed} {into} the chest at {at.x:g} {at.y:g} {at.z:g}."


def nearest(chests: Iterable[Chest], here: WorldSnapshot, within: float) -> list[Chest]:
    """Those within some blocks, the nearest first."""
    far = {chest: chest.position.distance_to(here.position) for chest in chests}
    return sorted((chest for chest in far if far[chest] <= within), key=far.__getitem__)


def note_moved(job: Job, moved: Moved) -> None:
    """Note in the trace what work moved."""
    at = moved.position
    place = [at.x, at.y, at.z]
    job.note("goal.chest_used", what=moved.what, items=dict(moved.items), at=place)


async def come_and_open(
    bot: Bot, job: Job, position: Position, *, may_dig: bool = False
) -> Container:
    """Walk to a chest and open it. Raises ActionFailed."""
    await walk(bot, job, middle(position), AT_HAND, may_dig=may_dig)
    await job.act(OpenContainer(position))
    return await opened(bot, job)


async def opened(bot: Bot, job: Job) -> Container:
    """The chest that is open; what is in it is remembered. Raises CommandError window_closed."""
    inside = await bot.query(OpenedContainer())
    if inside is None:
        sentence = "No chest is open; open one with !navigation chestOpen."
        raise CommandError("window_closed", sentence)
    await bot.chests.saw((await job.snapshot()).dimension, inside)
    return inside


async def move(bot: Bot, job: Job, action: Deposit | Withdraw) -> int:
    """Move items between the bag and the chest that is open; how many were moved.

    Raises ActionFailed inventory_full after what found room was moved, and others."""
    try:
        ended = await job.act(action)
    except ActionFailed as failed:
        if failed.reason == "inventory_full":
            await opened(bot, job)
        raise
    await opened(bot, job)
    return int(ended.result["moved"])


async def look_into(bot: Bot, job: Job, chest: Chest, *, may_dig: bool = False) -> Container | None:
    """Open a chest and leave it open; None where it cannot be reached or is gone."""
    try:
        return await come_and_open(bot, job, chest.position, may_dig=may_dig)
    except ActionFailed as failed:
        if failed.reason == "wrong_block":
            await bot.chests.forget(chest)
        return None


async def take_out(bot: Bot, job: Job, chest: Chest, item: str, count: int) -> Moved | None:
    """Take as many of an item as there are, at most `count`; None where there are none.

    Raises ActionFailed inventory_full."""
    inside = await look_into(bot, job, chest)
    if inside is None:
        return None
    there = min(count, inside.count(item))
    moved = await move(bot, job, Withdraw(item, there)) if there else 0
    await job.act(CloseContainer())
    return Moved("took", chest.position, {item: moved}) if moved else None


async def put_in(
    bot: Bot, job: Job, chest: Chest, items: Mapping[str, int], *, may_dig: bool = False
) -> Moved | None:
    """Put items in until the chest is full; None where nothing found room."""
    if await look_into(bot, job, chest, may_dig=may_dig) is None:
        return None
    before = await job.snapshot()
    try:
        for item, count in items.items():
            await move(bot, job, Deposit(item, count))
    except ActionFailed as failed:
        if failed.reason != "inventory_full":
            raise
    after = await job.snapshot()
    await job.act(CloseContainer())
    gone = {item: before.count(item) - after.count(item) for item in items}
    moved = {item: count for item, count in gone.items() if count > 0}
    return Moved("put", chest.position, moved) if moved else None
