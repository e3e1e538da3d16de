"""Jumping, and sleeping in beds."""

import asyncio
from abc import abstractmethod

from contract.arena import CENTRE, Arena, cell, eventually

from bridge.actions import Jump, Place, Sleep
from bridge.world import BotName

NIGHT, MORNING = 13_000, 1_000
BED = cell(2, 0, 0)


class BedArena(Arena):
    """A world with an hour, and with beds."""

    @abstractmethod
    async def set_time(self, ticks: int) -> None:
        """Put back by `restore`."""

    @abstractmethod
    async def is_asleep(self, bot: BotName) -> bool:
        """Whether somebody lies in `BED`, and the bot if that can be told."""

    async def falls_asleep(self, bot: BotName) -> None:
        async def look() -> bool | None:
            return await self.is_asleep(bot) or None

        await eventually(look)


async def bot_with_bed(arena: BedArena, time: int) -> BotName:
    """A bot beside a bed that it has put down, at this hour."""
    bot = await arena.bot(at=CENTRE)
    await arena.build("air", BED, cell(3, 0, 0))
    await arena.give(bot, "red_bed")
    assert (await arena.perform(bot, Place("red_bed", BED))).result == {"block": "red_bed"}
    await arena.set_time(time)
    await arena.sees(bot, lambda seen: seen.is_day == (time == MORNING))
    return bot


class RestingContract:
    async def test_a_jump_is_counted(self, arena: BedArena) -> None:
        bot = await arena.bot(at=CENTRE)
        assert (await arena.perform(bot, Jump(2))).result == {"times": 2}

    async def test_all_sleep_until_it_is_morning(self, arena: BedArena) -> None:
        bot = await bot_with_bed(arena, NIGHT)
        assert (await arena.perform(bot, Sleep(BED))).result == {"bed": "red_bed"}
        await arena.sees(bot, lambda seen: seen.is_day)

    async def test_by_day_nobody_sleeps(self, arena: BedArena) -> None:
        bot = await bot_with_bed(arena, MORNING)
        finished = await arena.perform(bot, Sleep(BED))
        assert (finished.reason, finished.result["why"]) == ("blocked", "day")

    async def test_a_bed_has_room_for_one(self, arena: BedArena) -> None:
        bot = await bot_with_bed(arena, NIGHT)
        other = await arena.bot("Bob", at=CENTRE)
        begun = [await arena.begin(one, Sleep(BED)) for one in (bot, other)]
        ends = [asyncio.create_task(arena.finished(one)) for one in begun]
        (first,), _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        assert (first.result().reason, first.result().result["why"]) == ("blocked", "occupied")
        for one in (bot, other):
            await arena.bridge.cancel(one)
        ended = await asyncio.gather(*ends)
        assert {one.outcome for one in ended} == {"failed", "cancelled"}

    async def test_what_is_no_bed_is_not_slept_in(self, arena: BedArena) -> None:
        bot = await arena.bot(at=CENTRE)
        await arena.set_time(NIGHT)
        assert (await arena.perform(bot, Sleep(cell(1, -1, 0)))).reason == "wrong_block"
        assert (await arena.perform(bot, Sleep(cell(30, 0, 0)))).reason == "too_far"
