"""A bot looks at whoever speaks to it within 0.3 s unless something prevents it."""

import asyncio

import pytest
from support.rig import Rig, rig_with_alice, run_json, until

from bots.bot.gaze import ATTENTION_S
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.registry.render import failure_of
from bridge.actions import Wait
from bridge.errors import BridgeDown, BridgeTimeout
from bridge.world import Position

SOUTH, EAST = 180, 270
WITHIN_S = 0.3
rig = rig_with_alice(
    Position(0.5, 64, 0.5), Steve=Position(0.5, 64, 6.5), Zoe=Position(6.5, 64, 0.5)
)


def yaw(rig: Rig, bot: str = "Alice") -> float:
    return round(rig.world.body(bot).yaw)


async def looks(rig: Rig, at: float) -> None:
    """Let time pass until Alice looks there."""
    async with asyncio.timeout(30):
        while yaw(rig) != at:
            await rig.world.clock.advance(0.01)


@pytest.mark.parametrize("text", ["hello", "!status", "!nonsense", "元気？"])
async def test_a_bot_looks_at_who_speaks_to_it_within_300_ms(rig: Rig, text: str) -> None:
    began_s = rig.world.clock.monotonic()
    rig.world.person("Steve").whisper("Alice", text)
    await looks(rig, SOUTH)
    assert rig.world.clock.monotonic() - began_s < WITHIN_S


async def test_a_bot_answers_before_it_looks(rig: Rig) -> None:
    rig.world.person("Steve").whisper("Alice", "!echo hi")
    assert (await rig.world.person("Steve").hears()).text == "hi"
    assert yaw(rig) == 0  # no time has passed yet
    await looks(rig, SOUTH)


async def test_a_bot_looks_at_a_fellow_who_speaks_to_it(rig: Rig) -> None:
    bob = await rig.bot("Bob", Position(0.5, 64, 9.5))
    await bob.speak("Alice", "hello")
    await looks(rig, SOUTH)


async def test_of_several_the_last_who_spoke_is_looked_at(rig: Rig) -> None:
    for _ in range(20):
        rig.world.person("Steve").whisper("Alice", "me!")
        rig.world.person("Zoe").whisper("Alice", "no, me!")
    await until(lambda: len(rig.fired) == 40)
    await rig.world.clock.advance(1)
    assert yaw(rig) == EAST


async def test_work_is_not_disturbed(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await alice.begin(Wait(60))
    rig.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: rig.fired)
    await rig.world.clock.advance(1)
    assert (yaw(rig), rig.bridge.running_actions) == (0, 1)


async def test_an_job_keeps_the_head_between_its_actions_too(rig: Rig) -> None:
    alice, over = rig.bots["Alice"], asyncio.Event()

    async def think(_job: Job) -> Result:
        await over.wait()
        return Result()

    job = alice.jobs.begin(JobSpec("!think", think, failure_of, deadline_s=60))
    rig.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: len(rig.fired) == 1)
    await rig.world.clock.advance(1)
    assert yaw(rig) == 0
    over.set()
    await job.end()
    rig.world.person("Steve").whisper("Alice", "hello")
    await looks(rig, SOUTH)


async def test_a_speaker_out_of_view_is_no_matter(rig: Rig) -> None:
    rig.world.person("Far", Position(900, 64, 0)).whisper("Alice", "hello")
    await until(lambda: rig.fired)
    assert yaw(rig) == 0
    rig.world.person("Steve").whisper("Alice", "hello")
    await looks(rig, SOUTH)


@pytest.mark.parametrize("error", [BridgeDown("glance", "x"), BridgeTimeout("glance", 10)])
async def test_a_glance_that_fails_is_no_matter(
    rig: Rig, error: BridgeDown | BridgeTimeout
) -> None:
    rig.bridge.faults.fail_next("glance", error)
    rig.world.person("Steve").whisper("Alice", "hello")
    await until(lambda: len(rig.fired) == 1)
    await rig.world.clock.advance(1)
    rig.world.person("Zoe").whisper("Alice", "hello")
    await looks(rig, EAST)


async def test_a_slow_glance_delays_no_answer(rig: Rig) -> None:
    rig.bridge.faults.delay("glance", 60)
    rig.world.person("Steve").whisper("Alice", "!echo hi")
    assert (await rig.world.person("Steve").hears()).text == "hi"
    assert yaw(rig) == 0


async def test_out_of_the_world_nothing_happens(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await rig.bridge.despawn(alice.name)
    alice.attention.addressed_by("Steve")
    await asyncio.sleep(0)
    await until(lambda: not alice.attention.is_taken)


async def test_the_speaker_is_kept_in_view_before_idling_goes_on(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await run_json(alice, '!idle on {"intervalMs": 500, "playerLookChance": 0, "yawJitter": 180}')
    rig.world.person("Steve").whisper("Alice", "hello")
    await looks(rig, SOUTH)
    for _ in range(int(ATTENTION_S) - 1):
        await rig.world.clock.advance(1)
        assert yaw(rig) == SOUTH
    await rig.world.clock.advance(3)
    assert yaw(rig) != SOUTH
