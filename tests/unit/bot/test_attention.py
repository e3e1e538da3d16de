"""A bot looks at whoever speaks to it, within 0.3 s, when nothing hinders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic

import pytest
from support.town import Town, run_json, until

from bots.bot.gaze import KEPT_S
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.registry.failures import failure_of
from bridge.actions import Wait
from bridge.errors import BridgeDown, BridgeTimeout
from bridge.world import Position

pytestmark = pytest.mark.anyio

SOUTH, EAST = 180, 270
WITHIN_S = 0.3


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    town = await Town.found(tmp_path)
    await town.bot("Alice", Position(0.5, 64, 0.5))
    town.world.person("Steve", Position(0.5, 64, 6.5))
    town.world.person("Zoe", Position(6.5, 64, 0.5))
    yield town
    await town.aclose()


def yaw(town: Town, bot: str = "Alice") -> float:
    return round(town.world.body(bot).yaw)


@pytest.mark.parametrize("text", ["hello", "!status", "!nonsense", "元気？"])
async def test_a_bot_looks_at_who_speaks_to_it_within_300_ms(town: Town, text: str) -> None:
    began_s = monotonic()
    town.world.person("Steve").whisper("Alice", text)
    await until(lambda: yaw(town) == SOUTH, within_s=WITHIN_S)
    assert monotonic() - began_s < WITHIN_S


async def test_a_bot_looks_at_a_fellow_who_speaks_to_it(town: Town) -> None:
    bob = await town.bot("Bob", Position(0.5, 64, 9.5))
    await bob.speak("Alice", "hello")
    await until(lambda: yaw(town) == SOUTH)


async def test_of_several_the_last_who_spoke_is_looked_at(town: Town) -> None:
    for _ in range(20):
        town.world.person("Steve").whisper("Alice", "me!")
        town.world.person("Zoe").whisper("Alice", "no, me!")
    await until(lambda: len(town.fired) == 40)
    await town.world.clock.advance(1)
    assert yaw(town) == EAST


async def test_work_is_not_disturbed(town: Town) -> None:
    alice = town.bots["Alice"]
    await alice.begin(Wait(60))
    town.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: town.fired)
    await town.world.clock.advance(1)
    assert (yaw(town), town.bridge.running_deeds) == (0, 1)


async def test_an_job_keeps_the_head_between_its_actions_too(town: Town) -> None:
    alice, over = town.bots["Alice"], asyncio.Event()

    async def think(_job: Job) -> Result:
        await over.wait()
        return Result()

    job = alice.jobs.begin(JobSpec("!think", think, failure_of, deadline_s=60))
    town.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: len(town.fired) == 1)
    await town.world.clock.advance(1)
    assert yaw(town) == 0
    over.set()
    await job.end()
    town.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: yaw(town) == SOUTH)


async def test_a_speaker_out_of_view_is_no_matter(town: Town) -> None:
    town.world.person("Far", Position(900, 64, 0)).whisper("Alice", "hello")
    await until(lambda: town.fired)
    assert yaw(town) == 0
    town.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: yaw(town) == SOUTH)


@pytest.mark.parametrize("error", [BridgeDown("glance", "x"), BridgeTimeout("glance", 10)])
async def test_a_glance_that_fails_is_no_matter(
    town: Town, error: BridgeDown | BridgeTimeout
) -> None:
    town.bridge.faults.fail_next("glance", error)
    town.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: len(town.fired) == 1)
    town.world.person("Zoe").whisper("Alice", "hello")
    await until(lambda: yaw(town) == EAST)


async def test_a_slow_glance_delays_no_answer(town: Town) -> None:
    town.bridge.faults.delay("glance", 60)
    town.world.person("Steve").whisper("Alice", "!echo hi")
    assert (await town.world.person("Steve").hears()).text == "hi"
    assert yaw(town) == 0


async def test_out_of_the_world_nothing_happens(town: Town) -> None:
    alice = town.bots["Alice"]
    await town.bridge.despawn(alice.name)
    alice.attention.addressed_by("Steve")
    await asyncio.sleep(0)
    await until(lambda: not alice.attention.is_kept)


async def test_the_speaker_is_kept_in_view_before_idling_goes_on(town: Town) -> None:
    alice = town.bots["Alice"]
    await run_json(alice, '!idle on {"intervalMs": 500, "playerLookChance": 0, "yawJitter": 180}')
    town.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: yaw(town) == SOUTH)
    for _ in range(int(KEPT_S) - 1):
        await town.world.clock.advance(1)
        assert yaw(town) == SOUTH
    await town.world.clock.advance(3)
    assert yaw(town) != SOUTH
