"""Commands from outside: awaited until their end, or started and told apart by number."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.rig import PYTHON, Rig, until

from bots.access.origin import Fellow
from bots.bot.bot import Bot
from bots.bot.result import Result
from bots.daemon.experiment_records import ExperimentRecords
from bots.daemon.health import Health
from bots.daemon.operator import OperatorService
from bots.daemon.shapes import MetricsText
from bots.errors import CommandError
from bots.observability.stalls import LoopLag
from bots.registry.args import Args, NoArgs
from bots.registry.registry import CommandContext, CommandRegistry
from bots.responder.records.record import DecisionRecorder
from bridge.actions import Wait
from bridge.world import BotName, Position

UNUSED: Any = None
"""Parts that no test here asks."""


class WaitArgs(Args):
    seconds: float


class Waited(Result):
    seconds: float


async def _wait(context: CommandContext, args: WaitArgs) -> Waited:
    """Wait a while."""
    await context.job.act(Wait(args.seconds), deadline_s=2 * args.seconds)
    return Waited(seconds=args.seconds)


async def _repeat(_context: CommandContext, args: WaitArgs) -> Waited:
    """Say the number again."""
    return Waited(seconds=args.seconds)


@pytest.fixture
def registry() -> CommandRegistry:
    registry = CommandRegistry()
    registry.command("work wait", WaitArgs, world=True)(_wait)
    registry.command("repeat", WaitArgs)(_repeat)
    return registry


@pytest.fixture
async def alice(rig: Rig, registry: CommandRegistry) -> Bot:
    return await rig.bot("Alice", Position(0.5, 64, 0.5), registry)


@pytest.fixture
async def view(
    rig: Rig, alice: Bot, registry: CommandRegistry, tmp_path: Path
) -> AsyncIterator[OperatorService]:
    view = OperatorService(
        rig.roster,
        registry,
        rig.trace,
        DecisionRecorder(rig.trace),
        health=Health(
            rig.roster,
            LoopLag(rig.shared.times.stopwatch, rig.shared.times.sleep),
            is_whole=lambda: True,
            trouble=lambda: None,
            guests_trouble=dict,
            ended=dict,
        ),
        metrics=lambda accept: MetricsText(b"", accept),
        stats=dict,
        experiments=ExperimentRecords(tmp_path),
        talks=UNUSED,
        budget=UNUSED,
        model_health=UNUSED,
        prompts=UNUSED,
        tracker=UNUSED,
        load=UNUSED,
    )
    yield view
    await view.aclose()


def ends(rig: Rig) -> list[dict[str, Any]]:
    return [dict(trace.facts) for trace in rig.trace.recent("job.finished")]


async def test_a_world_command_is_waited_for_until_its_end(rig: Rig, view: OperatorService) -> None:
    asked = asyncio.create_task(view.command("Alice", "!work wait 200", PYTHON))
    await until(lambda: rig.bridge.running_actions)
    await rig.world.clock.advance(201)
    assert await asked == {"success": True, "seconds": 200}


async def test_an_unwaited_job_gives_its_number_and_its_end_is_in_the_trace(
    rig: Rig, alice: Bot, view: OperatorService
) -> None:
    begun = await view.command("Alice", "!work wait 200", PYTHON, wait=False)
    assert alice.jobs.current is not None
    assert begun == {"success": True, "started": True, "actionId": alice.jobs.current.id}
    assert ends(rig) == []
    await until(lambda: rig.bridge.running_actions)
    await rig.world.clock.advance(201)
    await until(lambda: ends(rig))
    assert ends(rig) == [
        {
            "actionId": begun["actionId"],
            "command": "!work wait",
            "result": {"success": True, "seconds": 200},
        }
    ]


async def test_a_command_without_an_end_is_answered_once_it_is_under_way(
    rig: Rig, alice: Bot, view: OperatorService, registry: CommandRegistry
) -> None:
    @registry.command("guard", NoArgs, world=True, ended_by="!stop")
    async def guard(context: CommandContext, _args: NoArgs) -> Result:
        """Stand guard."""
        await context.job.act(Wait(100_000), deadline_s=100_000)
        return Result()

    begun = await view.command("Alice", "!guard", PYTHON)
    assert begun == {
        "success": True,
        "started": True,
        "actionId": "Alice-job-1",
        "message": "!guard is under way. End it with !stop.",
    }
    assert (alice.doing, rig.bridge.running_actions) == (["!guard"], 1)


async def test_a_command_without_an_end_that_cannot_begin_says_why(
    alice: Bot, view: OperatorService, registry: CommandRegistry
) -> None:
    @registry.command("guard", NoArgs, world=True, ended_by="!stop")
    async def guard(_context: CommandContext, _args: NoArgs) -> Result:
        """Find nothing to guard."""
        raise CommandError("not_found", "There is nothing to guard.")

    refused = await view.command("Alice", "!guard", PYTHON)
    assert (refused["success"], refused["reason"]) == (False, "not_found")
    assert alice.doing == []


@pytest.mark.parametrize("text", ["!work wait long", "!work", "!work fly"])
async def test_what_cannot_begin_is_refused_at_once(view: OperatorService, text: str) -> None:
    refused = await view.command("Alice", text, PYTHON, wait=False)
    assert refused["success"] is False
    assert refused["reason"] in {"invalid_format", "unknown_command"}


async def test_whoever_may_not_begins_nothing(rig: Rig, alice: Bot, view: OperatorService) -> None:
    fellow = Fellow(BotName("Bob"))
    begun = await view.command("Alice", "!work wait 9", fellow, wait=False)
    assert (begun["success"], begun["reason"]) == (False, "not_permitted")
    assert alice.doing == []


async def test_two_unwaited_jobs_have_numbers_of_their_own(rig: Rig, view: OperatorService) -> None:
    first = await view.command("Alice", "!work wait 200", PYTHON, wait=False)
    second = await view.command("Alice", "!work wait 300", PYTHON, wait=False)
    assert first["actionId"] != second["actionId"]
    await until(lambda: ends(rig))
    (end,) = ends(rig)
    assert (end["actionId"], end["result"]["reason"]) == (first["actionId"], "replaced")


async def test_the_end_of_an_unwaited_query_is_told_even_when_it_ran_into_a_bug(
    rig: Rig, view: OperatorService, registry: CommandRegistry
) -> None:
    @registry.command("stumble", NoArgs)
    async def stumble(_context: CommandContext, _args: NoArgs) -> Result:
        """Run into a bug."""
        raise LookupError("a bug")

    begun = await view.command("Alice", "!stumble", PYTHON, wait=False)
    await until(lambda: ends(rig))
    (end,) = ends(rig)
    assert (end["actionId"], end["command"]) == (begun["actionId"], "!stumble")
    assert (end["result"]["success"], end["result"]["reason"]) == (False, "internal")


async def test_an_unwaited_query_ends_in_the_trace_too(rig: Rig, view: OperatorService) -> None:
    begun = await view.command("Alice", "!repeat 3", PYTHON, wait=False)
    assert (begun["success"], begun["started"]) == (True, True)
    await until(lambda: ends(rig))
    (started,) = rig.trace.recent("job.started")
    assert (started.facts["actionId"], started.facts["command"]) == (begun["actionId"], "!repeat 3")
    assert ends(rig)[0]["actionId"] == begun["actionId"]
    assert ends(rig)[0]["result"] == {"success": True, "seconds": 3}
