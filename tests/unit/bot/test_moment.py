"""Between two actions a job looks at the world once, and never sees an older state."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from support.acting import GROUND, put
from support.job_runs import pass_until_done
from support.rig import Rig

from bots.bot.jobs import Job, JobSpec
from bots.bot.looking import AROUND
from bots.bot.result import Result
from bots.errors import ActionFailed
from bridge.actions import Dig, FindBlocks, Wait
from bridge.world import Position

HERE = Position(8.5, GROUND, 8.5)
LOG = Position(9, GROUND, 8)
FAR = Position(8 + 2 * AROUND, GROUND, 8)


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    put(rig, "oak_log", (9, GROUND, 8), (8 + 2 * AROUND, GROUND, 8))
    await rig.bot("Alice", HERE)
    return rig


async def work(rig: Rig, look: Callable[[Job], Awaitable[None]]) -> None:
    """Let a job look about; what it asserts fails the test."""

    async def whole(job: Job) -> Result:
        await look(job)
        return Result()

    spec = JobSpec("!look", whole, lambda error: pytest.fail(str(error)), 60.0)
    running = asyncio.create_task(rig.bots["Alice"].jobs.begin(spec).end())
    await pass_until_done(rig, running)
    await running


async def test_between_two_actions_the_world_is_looked_at_once_and_then_anew(rig: Rig) -> None:
    async def look(job: Job) -> None:
        job.look_again()
        before = rig.bridge.snapshots
        seen = await job.snapshot()
        rig.world.give("Alice", "stick")
        assert await job.snapshot() is seen
        assert (seen.count("stick"), rig.bridge.snapshots) == (0, before + 1)
        job.look_again()  # as after time has passed
        assert (await job.snapshot()).count("stick") == 1
        rig.world.give("Alice", "stick")
        await job.act(Wait(0.1))
        assert (await job.snapshot()).count("stick") == 2
        assert await job.block(LOG) == "oak_log"
        rig.world.set_block(LOG, "air")
        with pytest.raises(ActionFailed):
            await job.act(Dig(LOG))
        assert await job.block(LOG) == "air"

    await work(rig, look)


async def test_each_question_is_asked_once_and_the_blocks_around_in_one_go(rig: Rig) -> None:
    async def look(job: Job) -> None:
        before = rig.bridge.queries
        logs = FindBlocks(("oak_log",), 4, 1)
        assert await job.query(logs) == await job.query(logs)
        assert await job.query(FindBlocks(("oak_log",), 40, 2)) != await job.query(logs)
        assert rig.bridge.queries == before + 2
        assert await job.block(LOG) == "oak_log"
        assert await job.block(Position(9, GROUND + 1, 8)) == "air"
        assert await job.block(Position(9, GROUND - 1, 8)) not in ("air", None)
        assert rig.bridge.queries == before + 3
        assert FAR not in await job.blocks_around()
        assert await job.block(FAR) == "oak_log"
        assert await job.block(Position(10_000, GROUND, 0)) is None

    await work(rig, look)
