"""What a bot does of its own accord is shown, can be stopped, and gives way to everything else."""

import asyncio
from collections.abc import Callable

import pytest
from support.rig import Rig, run_json, until

from bots.bot.bot import Bot
from bots.bot.gaze import LOOKS_AFTER_S
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.registry.render import failure_of
from bridge.actions import Wait
from bridge.world import Position

STROLL = "taking a walk"
AGES_S = 10_000.0
SOUTH = 180


async def _forever(job: Job) -> Result:
    await job.act(Wait(AGES_S), deadline_s=AGES_S)
    return Result()


def stroll(bot: Bot) -> Job:
    return bot.jobs.begin(JobSpec(STROLL, _forever, failure_of, AGES_S, is_idle=True))


@pytest.fixture
async def alice(rig: Rig) -> Bot:
    rig.world.person("Steve", Position(0.5, 64, 6.5))
    return await rig.bot("Alice", Position(0.5, 64, 0.5))


async def under_way(alice: Bot) -> Job:
    job = stroll(alice)
    assert await job.until_acting()
    return job


async def test_status_shows_it_and_does_not_end_it(rig: Rig, alice: Bot) -> None:
    job = await under_way(alice)
    rig.world.person("Steve").whisper("Alice", "!status")
    assert STROLL in (await rig.world.person("Steve").hears()).text
    assert (await run_json(alice, "!status"))["doing"] == [STROLL]
    assert not job.is_over


async def test_stop_ends_it_by_name(rig: Rig, alice: Bot) -> None:
    job = await under_way(alice)
    assert (await run_json(alice, "!stop"))["stoppedActions"] == [STROLL]
    assert job.is_over


async def test_a_bot_at_its_leisure_is_at_work_yet_not_busy(alice: Bot) -> None:
    job = await under_way(alice)
    assert (alice.is_at_work, alice.is_busy) == (True, False)
    alice.disturbed()  # its walk is being ended
    assert not alice.is_busy
    await job.wait()
    work = alice.jobs.begin(JobSpec(STROLL, _forever, failure_of, AGES_S))
    assert alice.is_busy
    await work.stop()


@pytest.mark.parametrize("say", ["whisper", "chat"])
async def test_a_persons_word_ends_it_and_the_bot_looks_at_them(rig: Rig, say: str) -> None:
    rig.world.person("Steve", Position(0.5, 64, 6.5))
    alice = await rig.bot("Alice", Position(0.5, 64, 0.5), public_notice="addressed")
    job, steve = await under_way(alice), rig.world.person("Steve")
    words: dict[str, Callable[[], None]] = {
        "whisper": lambda: steve.whisper("Alice", "hello"),
        "chat": lambda: steve.chat("hello Alice"),
    }
    words[say]()
    await until(lambda: job.is_over)
    await rig.world.clock.advance(2 * LOOKS_AFTER_S)
    assert round(rig.world.body("Alice").yaw) == SOUTH


async def test_a_fellows_word_does_not_end_it(rig: Rig, alice: Bot) -> None:
    job = await under_way(alice)
    bob = await rig.bot("Bob", Position(0.5, 64, 3.5))
    await bob.tell("Alice", "hello", 15)
    await until(lambda: rig.fired)
    await asyncio.sleep(0)
    assert not job.is_over


async def test_a_command_ends_it_before_it_looks(rig: Rig, alice: Bot) -> None:
    job = await under_way(alice)
    result = await run_json(alice, "!primitive digBlock 90 63 90")
    assert result["success"] is False
    assert job.is_over
    assert (await run_json(alice, "!look player Steve"))["success"]


async def test_a_look_that_is_asked_for_ends_it(rig: Rig, alice: Bot) -> None:
    job = await under_way(alice)
    assert (await run_json(alice, "!look player Steve"))["success"]
    assert job.is_over


async def test_nobody_hears_of_its_end(rig: Rig, alice: Bot) -> None:
    ends: list[object] = []
    alice.events.subscribe(ends.append)
    job = await under_way(alice)
    alice.jobs.end_idle()
    await job.wait()
    assert ends == []


async def test_a_waiting_goal_does_not_wait_for_it(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "stick", 8)
    await under_way(alice)
    result = await run_json(alice, "!goal inventory.stick:8")
    assert result["success"]


async def test_a_bot_told_to_stop_stays_until_it_gets_something_to_do(rig: Rig, alice: Bot) -> None:
    await run_json(alice, "!stop")
    assert alice.leisure.stays
    await run_json(alice, "!primitive digBlock 90 63 90")
    assert not alice.leisure.stays


async def test_idle_off_ends_it_and_idle_on_lets_the_bot_do_as_it_likes(alice: Bot) -> None:
    job = await under_way(alice)
    await run_json(alice, "!idle off")
    await job.wait()
    assert alice.leisure.stays
    await run_json(alice, "!idle on")
    assert not alice.leisure.stays
