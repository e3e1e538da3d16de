"""Single steps of a plan, carried out by themselves, and the room made for them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from support.acting import GROUND, carried, put
from support.goal_runs import HERE, SIGHT, WITHIN_S, furnish
from support.job_runs import pass_until_done
from support.rig import Rig

from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.errors import CommandError
from bots.goals.plan import Step
from bots.goals.runner.recovery import MIN_FREE_SLOTS, Recovery
from bots.goals.runner.replanning import StepFailed
from bots.goals.runner.sight import Sight
from bots.goals.runner.steps import StepRunner
from bridge.world import Position

pytestmark = pytest.mark.anyio


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await Rig.found(tmp_path)
    furnish(rig)
    await rig.bot("Alice", HERE)
    yield rig
    await rig.aclose()


async def carry_out(rig: Rig, work: Callable[[Job], Awaitable[object]]) -> None:
    """Do some work as a job of Alice's, however much virtual time it takes."""

    async def whole(job: Job) -> Result:
        await work(job)
        return Result()

    order = JobSpec("!step", whole, lambda error: Result(), 60.0)
    running = asyncio.create_task(rig.bots["Alice"].jobs.begin(order).end())
    await pass_until_done(rig, running, WITHIN_S)
    await running


async def failure_of(rig: Rig, step: Step) -> CommandError | None:
    """What a step raises, or None."""
    alice = rig.bots["Alice"]
    caught: list[CommandError] = []

    async def work(job: Job) -> None:
        try:
            await StepRunner(alice, job, await alice.catalogue(), Sight(job, SIGHT)).do(step)
        except StepFailed as failed:
            caught.append(failed)

    await carry_out(rig, work)
    return caught[0] if caught else None


async def test_a_step_that_gives_less_than_planned_has_failed(rig: Rig) -> None:
    rig.world.give("Alice", "oak_planks", 2)
    promised = {"stick": 4, "bowl": 1}
    step = Step("craft", "stick", 4, consumes={"oak_planks": 2}, produces=promised)
    failed = await failure_of(rig, step)
    assert failed is not None
    assert (failed.reason, "1 bowl missing" in failed.message) == ("shortfall", True)


async def test_a_step_whose_needs_are_gone_is_not_begun(rig: Rig) -> None:
    rig.world.give("Alice", "wooden_pickaxe")
    step = Step("gather", "stone", 1, tool="stone_pickaxe", produces={"cobblestone": 1})
    failed = await failure_of(rig, step)
    assert failed is not None
    assert (failed.reason, "1 stone_pickaxe" in failed.message) == ("missing_item", True)
    assert rig.world.body("Alice").position == HERE


async def test_what_was_in_sight_of_the_start_is_fetched_though_it_is_farther_off_by_now(
    rig: Rig,
) -> None:
    put(rig, "birch_log", (8, GROUND, 8 + SIGHT))
    rig.world.teleport("Alice", Position(8.5, GROUND, 8.5 - SIGHT / 2))
    step = Step("gather", "birch_log", 1, produces={"birch_log": 1})
    assert await failure_of(rig, step) is None
    assert carried(rig) == {"birch_log": 1}


async def test_no_more_rubble_is_thrown_away_than_makes_room(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    slots = (await alice.snapshot()).free_slots
    rig.world.give("Alice", "cobblestone", 64 * slots)
    await carry_out(rig, lambda job: Recovery(alice, job).make_room(Counter()))
    assert carried(rig) == {"cobblestone": 64 * (slots - MIN_FREE_SLOTS)}
