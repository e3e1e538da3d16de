"""“then get me torches”: in plain words a goal waits behind the one under way, and behind what was
asked for with it."""

import asyncio

import pytest
from support.daemons import Town, calling
from support.rig import run_json, until

from bridge.world import Position
from llm.function_model import FunctionModel

QUEUES = FunctionModel(calling("goal_then", "After this.", goal="inventory.torch:+8"))


@pytest.mark.parametrize("model", [None, QUEUES], ids=["by rules", "by a model"])
async def test_a_goal_put_off_in_plain_words_is_queued(
    town: Town, model: FunctionModel | None
) -> None:
    async with town.up(model, on_its_clock=True) as daemon:
        alice = daemon.bot("Alice")
        here = town.world.body("Alice").position
        away = f"!goal position:{here.x + 20:g},{here.y:g},{here.z:g}"
        running = asyncio.create_task(run_json(alice, away))
        await until(lambda: alice.agenda.under_way)
        steve = town.world.person("Steve", Position(here.x + 1, here.y, here.z))
        steve.whisper("Alice", "then get me 8 torches")
        await until(lambda: len(alice.agenda.goals) > 1)
        assert alice.agenda.goals[1].title == "inventory.torch:+8"
        assert alice.agenda.under_way is alice.agenda.goals[0]
        assert "after this" in (await steve.hears()).text.lower()
        await alice.stop()
        await running


async def test_a_hand_over_comes_before_the_goals_that_wait(town: Town) -> None:
    async with town.up(None) as daemon:
        alice = daemon.bot("Alice")
        here = town.world.body("Alice").position
        town.world.give("Alice", "oak_planks", 2)
        steve = town.world.person("Steve", Position(here.x + 3, here.y, here.z))
        steve.whisper("Alice", "get me 4 sticks")
        await until(lambda: alice.agenda.under_way)
        away = f"position:{here.x - 20:g},{here.y:g},{here.z:g}"
        assert (await run_json(alice, f"!goal then {away}"))["success"]
        await until(lambda: len([*daemon.trace.recent("job.finished")]) == 3)
        ends = [one.facts for one in daemon.trace.recent("job.finished")]
        assert all(end["result"]["success"] for end in ends)
        assert [end["command"] for end in ends] == ["!goal", "!navigation dropItem", "!goal"]
