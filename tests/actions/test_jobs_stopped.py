"""A stop in the middle of any job: over within 250 ms, and nothing of it goes on."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from actions.commanded import Commanded
from actions.stage import Scene, dig, walk, walk_into_the_unknown

from bots.bot.jobs import Job, Jobs, JobSpec
from bots.bot.result import Result
from bots.errors import ActionFailed
from bots.registry.render import failure_of
from bridge.actions import Action, MoveTo, OpenContainer, Smelt, Wait

pytestmark = pytest.mark.real

STOPPED_WITHIN_S = 0.25  # the shortest of the tries: a busy machine delays the others
TRIES = 10
MOMENTS_S = (0.0, 0.01, 0.05, 0.1, 0.3)  # into the job, one after another
LANDED_S = 0.5  # a bot stopped in the middle of a jump comes down first
WATCHED_S = 0.5
STILL = 0.05  # blocks a bot that stands may differ between two looks


@pytest.fixture
def jobs(alice: Commanded) -> Jobs:
    return alice.bot.jobs


def order(action: Action) -> JobSpec:
    async def work(job: Job) -> Result:
        with suppress(ActionFailed):  # what cannot go on is over before the stop comes
            await job.act(action)
        await job.act(Wait(3600), deadline_s=3600)
        return Result()

    return JobSpec("!work", work, failure_of, 600)


async def open_a_chest(scene: Scene) -> Action:
    return OpenContainer(await scene.put(scene.at(2, 0, 0), "chest"))


async def smelt(scene: Scene) -> Action:
    await scene.give(iron_ore=20, coal=20)
    furnace = await scene.put(scene.at(2, 0, 0), "furnace")
    return Smelt("iron_ore", "coal", furnace, 8)


@pytest.mark.parametrize("prepare", [walk, walk_into_the_unknown, dig, open_a_chest, smelt])
async def test_a_stopped_job_is_over_in_time_and_the_bot_stands_still(
    scene: Scene, jobs: Jobs, prepare: Callable[[Scene], Awaitable[Action]]
) -> None:
    action = await prepare(scene)
    took: list[float] = []
    for number in range(TRIES):
        job = jobs.begin(order(action))
        await asyncio.sleep(MOMENTS_S[number % len(MOMENTS_S)])
        began = time.monotonic()
        assert jobs.current is job
        await job.stop()
        assert job.is_over  # none hangs until it is left behind
        took.append(time.monotonic() - began)
        assert job.result().as_json()["reason"] == "stopped"
        assert jobs.current is None
    assert min(took) < STOPPED_WITHIN_S, took
    await asyncio.sleep(LANDED_S)
    stopped = await scene.position()
    await asyncio.sleep(WATCHED_S)
    assert (await scene.position()).distance_to(stopped) < STILL
    assert await scene.stage.bridge.cancel(scene.bot) is None


async def test_a_replaced_job_leaves_the_bot_to_the_new_one(scene: Scene, jobs: Jobs) -> None:
    old = jobs.begin(order(MoveTo(scene.at(6, 0, 6))))
    await asyncio.sleep(0.1)
    new = jobs.begin(order(MoveTo(scene.at(-5, 0, -5))))
    assert (await old.end()).as_json()["reason"] == "replaced"
    async with asyncio.timeout(20):
        while (await scene.position()).distance_to(scene.at(-5, 0, -5)) > 2:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert jobs.current is new
