"""Bots have a few words now and then, and keep quiet for people."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.town import Town, until

from bots.bot.bot import Bot
from bots.chat.turn_taking import PersonTalk
from bots.clock import Times, utc_now
from bots.errors import StoreError
from bots.talks.small_talk import SmallTalk
from bridge.world import Position

pytestmark = pytest.mark.anyio
EVERY_S = 100.0


@asynccontextmanager
async def talking(town: Town, persons: PersonTalk) -> AsyncIterator[list[str]]:
    """What was said to begin a talk."""
    clock, openers = town.world.clock, list[str]()

    async def opener(first: Bot, second: Bot) -> str:
        openers.append(f"Hello {second.name}, it is me, {first.name}")
        return openers[-1]

    talk = SmallTalk(
        lambda: list(town.bots.values()),
        opener,
        every_s=EVERY_S,
        hearing_range=15.0,
        persons=persons,
        turns=town.turns,
        trace=town.trace,
        times=Times(utc_now, clock.monotonic, clock.sleep, random.Random(7)),
    )
    running = asyncio.create_task(talk.run())
    yield openers
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    town = await Town.found(tmp_path)
    await town.bot("Alice")
    await town.bot("Bob")
    yield town
    await town.aclose()


async def test_one_greets_the_other_soon_and_again_after_a_while(town: Town) -> None:
    async with talking(town, PersonTalk(town.world.clock.monotonic)):
        await town.world.clock.advance(2.5)
        await until(lambda: len(town.fired) == 1)
        await town.world.clock.advance(EVERY_S * 1.3)
        await until(lambda: len(town.fired) == 2)
    said = town.fired[0]
    assert said.content == f"Hello {said.bot}, it is me, {said.from_}"


async def test_nobody_begins_while_a_person_talks(town: Town) -> None:
    persons = PersonTalk(town.world.clock.monotonic)
    async with talking(town, persons) as openers:
        persons.spoke("Bob")
        await town.world.clock.advance(5)
        assert openers == []
        await town.world.clock.advance(EVERY_S * 1.3)
        assert len(openers) == 1


async def test_a_full_disk_ends_no_small_talk_for_good(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async with talking(town, PersonTalk(town.world.clock.monotonic)):
        with monkeypatch.context() as patch:
            patch.setattr(town.conversation, "say", full)
            await town.world.clock.advance(2.5)
            await until(lambda: list(town.trace.recent("smalltalk.failed")))
        await town.world.clock.advance(EVERY_S * 1.3)
        await until(lambda: len(town.fired) == 1)


async def test_bots_out_of_earshot_do_not_hear_it_and_nothing_breaks(town: Town) -> None:
    town.world.teleport("Bob", Position(40, 64, 8))
    async with talking(town, PersonTalk(town.world.clock.monotonic)):
        await town.world.clock.advance(2.5)
        await until(lambda: list(town.trace.recent("smalltalk.begun")))
    assert [t.facts["heard"] for t in town.trace.recent("smalltalk.begun")] == [False]
    assert town.fired == []


async def test_a_bot_that_just_left_the_world_does_not_end_the_small_talk(town: Town) -> None:
    async with talking(town, PersonTalk(town.world.clock.monotonic)):
        for name in ("Alice", "Bob"):
            town.bridge.drop_connection(name)
        await town.world.clock.advance(2.5)
        await until(lambda: list(town.trace.recent("smalltalk.failed")))
        await town.world.clock.advance(EVERY_S * 1.3)
        await until(lambda: len(list(town.trace.recent("smalltalk.failed"))) == 2)
