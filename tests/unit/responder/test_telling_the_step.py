"""“What are you doing?” is answered with the step of the goal, by the rules and to a model."""

import asyncio

import pytest
from support.daemons import Town
from support.rig import until

from bots.app import Daemon
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.bot.stage import Stage
from bots.registry.render import failure_of
from bridge.world import Position
from llm.function_model import FunctionModel

BESIDE = Position(12.5, 64, 8.5)
LONG_S = 100_000.0


async def at_step(daemon: Daemon) -> None:
    """Let Alice be at the seventh step of a goal."""
    alice = daemon.bot("Alice")

    async def work(job: Job) -> Result:
        began_s = alice.times.stopwatch()
        job.stage = Stage(7, 12, "iron pickaxe", "smelt", "iron_ingot", 3, began_s, 30.0, 12.0)
        await asyncio.Event().wait()
        return Result()

    alice.jobs.begin(JobSpec("!goal", work, failure_of, LONG_S))
    await until(lambda: alice.stage)


LATELY = {
    "What are you doing?": "Nothing much: I was just taking a walk.",
    "今何してるの？": "特に何も。少し気ままに過ごしていました。",
}
STEP = {
    "What are you doing?": "I am at step 7 of 12 of iron pickaxe: smelting 3 iron ingots, "
    "about 40 s more.",
    "今何してるの？": "今は12段階のうち7段階目で、鉄インゴットの精錬をしているところです。"
    "あと約40秒です。",
}


WAITS = {
    "What are you doing?": "I am at step 7 of 12 of iron pickaxe: smelting 3 iron ingots, "
    "which waits for day.",
    "今何してるの？": "今は12段階のうち7段階目で、鉄インゴットの精錬をしているところです。"
    "夜が明けるのを待っています。",
    "你在做什么？": "一共12步，我在第7步：烧制铁锭，在等天亮。",
}


async def test_work_that_waits_for_day_is_told_as_such(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        await at_step(daemon)
        job = daemon.bot("Alice").jobs.current
        assert job is not None
        job.waits_for_day = True
        for question, answer in WAITS.items():
            steve.whisper("Alice", question)
            assert (await steve.hears()).text == answer


async def test_the_rules_tell_the_step_and_how_long_the_rest_takes_or_what_it_did_at_leisure(
    town: Town,
) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        for is_at_step, answers in ((False, LATELY), (True, STEP)):
            await does_something(daemon, is_at_step)
            for question, answer in answers.items():
                steve.whisper("Alice", question)
                assert (await steve.hears()).text == answer


@pytest.mark.parametrize(
    ("is_at_step", "told"),
    [
        (True, "step 7 of 12 of iron pickaxe: smelting 3 iron ingots, about 40 s more"),
        (False, "a moment ago taking a walk"),
    ],
)
async def test_a_model_is_told_it_too(town: Town, is_at_step: bool, told: str) -> None:
    steve = town.world.person("Steve", BESIDE)
    model = FunctionModel(lambda question: "No, it is warm.")
    async with town.up(model) as daemon:
        await does_something(daemon, is_at_step)
        steve.whisper("Alice", "Is it cold tonight where you are?")
        await steve.hears()
    assert told in model.questions[-1].turns[-1].text


async def does_something(daemon: Daemon, is_at_step: bool) -> None:
    if is_at_step:
        await at_step(daemon)
    else:
        daemon.bot("Alice").leisure.does("taking a walk")


def test_what_is_left_shrinks_with_time_and_never_below_the_later_steps() -> None:
    stage = Stage(1, 2, "stick", "gather", "oak_log", 2, 100.0, 30.0, 12.0)
    assert [stage.left_s(now_s) for now_s in (100, 120, 500)] == [42, 22, 12]
