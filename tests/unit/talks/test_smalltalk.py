"""Bots make small talk now and then, and keep quiet for people."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from statistics import mean

import pytest
from support.rig import Rig, until

from bots.bot.bot import Bot
from bots.chat.turn_taking import PersonTalk
from bots.clock import Times, utc_now
from bots.errors import StoreError
from bots.talks.small_talk import SmallTalk
from bridge.world import Position

pytestmark = pytest.mark.anyio
EVERY_S = 100.0


@asynccontextmanager
async def talking(
    rig: Rig, persons: PersonTalk, bots: Callable[[], Sequence[Bot]] | None = None
) -> AsyncIterator[list[str]]:
    """What was said to begin a talk; between these bots, or all of them."""
    clock, openers = rig.world.clock, list[str]()

    async def opener(first: Bot, second: Bot) -> str:
        openers.append(f"Hello {second.name}, it is me, {first.name}")
        return openers[-1]

    talk = SmallTalk(
        bots or (lambda: list(rig.bots.values())),
        opener,
        every_s=EVERY_S,
        hearing_range=15.0,
        persons=persons,
        turns=rig.shared.turns,
        trace=rig.trace,
        times=Times(utc_now, clock.monotonic, clock.sleep, random.Random(7)),
    )
    running = asyncio.create_task(talk.run())
    yield openers
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice")
    await rig.bot("Bob")
    return rig


async def test_one_greets_the_other_soon_and_again_after_a_while(rig: Rig) -> None:
    async with talking(rig, PersonTalk(rig.world.clock.monotonic)):
        await rig.world.clock.advance(2.5)
        await until(lambda: len(rig.fired) == 1)
        await rig.world.clock.advance(EVERY_S * 1.3)
        await until(lambda: len(rig.fired) == 2)
    said = rig.fired[0]
    assert said.content == f"Hello {said.bot}, it is me, {said.from_}"


async def test_bots_that_join_late_greet_each_other_soon_after(rig: Rig) -> None:
    here: list[Bot] = []
    async with talking(rig, PersonTalk(rig.world.clock.monotonic), lambda: here) as openers:
        for bot in rig.bots.values():
            await rig.world.clock.advance(EVERY_S / 4)
            assert openers == []
            here.append(bot)
        await rig.world.clock.advance(5)
        await until(lambda: len(rig.fired) == 1)


async def test_pauses_between_talks_vary_around_the_one_that_is_set(rig: Rig) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) > 400:
            raise asyncio.CancelledError

    clock = rig.world.clock
    persons = PersonTalk(clock.monotonic)
    persons.spoke("Bob")  # nobody begins, and the clock stands still
    talk = SmallTalk(
        lambda: list(rig.bots.values()),
        _no_opener,
        every_s=EVERY_S,
        hearing_range=15.0,
        persons=persons,
        turns=rig.shared.turns,
        trace=rig.trace,
        times=Times(utc_now, clock.monotonic, sleep, random.Random(7)),
    )
    with pytest.raises(asyncio.CancelledError):
        await talk.run()
    first, *others = pauses
    assert first < EVERY_S / 10
    assert mean(others) == pytest.approx(EVERY_S, rel=0.03)
    assert max(others) - min(others) > EVERY_S / 4


async def test_nobody_begins_while_a_person_talks(rig: Rig) -> None:
    persons = PersonTalk(rig.world.clock.monotonic)
    async with talking(rig, persons) as openers:
        persons.spoke("Bob")
        await rig.world.clock.advance(5)
        assert openers == []
        await rig.world.clock.advance(EVERY_S * 1.3)
        assert len(openers) == 1


async def test_a_full_disk_ends_no_small_talk_for_good(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async with talking(rig, PersonTalk(rig.world.clock.monotonic)):
        with monkeypatch.context() as patch:
            patch.setattr(rig.conversation, "say", full)
            await rig.world.clock.advance(2.5)
            await until(lambda: list(rig.trace.recent("smalltalk.failed")))
        await rig.world.clock.advance(EVERY_S * 1.3)
        await until(lambda: len(rig.fired) == 1)


async def test_bots_out_of_earshot_do_not_hear_it_and_nothing_breaks(rig: Rig) -> None:
    rig.world.teleport("Bob", Position(40, 64, 8))
    async with talking(rig, PersonTalk(rig.world.clock.monotonic)):
        await rig.world.clock.advance(2.5)
        await until(lambda: list(rig.trace.recent("smalltalk.begun")))
    assert [t.facts["heard"] for t in rig.trace.recent("smalltalk.begun")] == [False]
    assert rig.fired == []


async def test_bots_that_are_out_of_the_world_do_not_end_the_small_talk(rig: Rig) -> None:
    async with talking(rig, PersonTalk(rig.world.clock.monotonic)):
        for name in ("Alice", "Bob"):
            rig.bridge.faults.refuse_spawn(name, "kicked", "not now", times=99)
            rig.bridge.drop_connection(name)
        await rig.world.clock.advance(2.5)
        await until(lambda: list(rig.trace.recent("smalltalk.failed")))
        await rig.world.clock.advance(EVERY_S * 1.3)
        await until(lambda: len(list(rig.trace.recent("smalltalk.failed"))) == 2)


async def _no_opener(first: Bot, second: Bot) -> str:
    raise AssertionError("a person is talking")
