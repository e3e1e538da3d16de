"""Goals played through on the real server, from an empty inventory at spawn, nothing placed."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from actions.crew import Crew, crew
from contract.arena import eventually
from e2e.daemon_client import Json, Watch
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import People, Player

from bridge.world import Position

pytestmark = [pytest.mark.real, pytest.mark.slow]

GOAL_WITHIN_S = 900.0
STEP_WITHIN_S = 300.0
NIGHT = 13_000  # ticks of the day
QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false"}


@pytest.fixture
async def daemon(new_site: Callable[[], Site]) -> AsyncIterator[DaemonProcess]:
    async with new_site().up("--bots", "Alice", **QUIET) as daemon:
        yield daemon
        assert daemon.tracebacks == []


@pytest.fixture
async def steve(people: People, daemon: DaemonProcess) -> AsyncIterator[Player]:
    async with people.player(daemon.minecraft) as steve:
        yield steve


async def carries(daemon: DaemonProcess) -> Counter[str]:
    """What Alice has, as she knows it."""
    seen = await daemon.command("Alice", "!info all")
    items = seen["data"]["inventory"]["items"]
    return Counter({item["name"]: item["count"] for item in items})


async def finished(watch: Watch) -> Json:
    ended = await watch.next("job.finished", bot="Alice", within_s=GOAL_WITHIN_S)
    result: Json = ended["result"]
    return result


async def is_night(steve: Player) -> bool | None:
    return (await steve.sees()).time_of_day >= NIGHT or None


async def crafted(watch: Watch, item: str) -> None:
    """Wait until a step has made it."""
    async with asyncio.timeout(STEP_WITHIN_S):
        while True:
            step = (await watch.next("goal.step_done", bot="Alice", within_s=STEP_WITHIN_S))["step"]
            if (step["action"], step["target"]) == ("craft", item):
                return


@pytest.mark.timeout(GOAL_WITHIN_S + 60)
async def test_from_nothing_to_a_diamond_pickaxe_at_night_and_killed_on_the_way(
    daemon: DaemonProcess, steve: Player
) -> None:
    """By one whisper; an iron pickaxe is one of its steps."""
    tool = "diamond_pickaxe"
    assert await carries(daemon) == {}
    await steve.tells_server("/time set night")
    await eventually(lambda: is_night(steve))
    async with daemon.watching() as watch:
        await steve.whispers("Alice", f"!goal inventory.{tool}:1")
        begun = await steve.hears("Alice", within_s=30)
        assert "steps, about" in begun
        await crafted(watch, "stone_pickaxe")
        await steve.tells_server("/kill Alice")
        failed = await watch.next("goal.step_failed", bot="Alice", within_s=STEP_WITHIN_S)
        assert failed["reason"] == "died"
        result = await finished(watch)
    assert result["success"] is True, result
    assert result["have"] == {tool: 1}
    assert (await carries(daemon))[tool] == 1
    assert await steve.hears("Alice", containing=f"Done: inventory.{tool}:1") == result["message"]


@pytest.fixture
async def worker(node_binary: Path, node_dir: Path, tmp_path: Path) -> AsyncIterator[Crew]:
    async with crew(node_binary, node_dir, tmp_path) as crew_:
        yield crew_


async def test_the_oak_beside_it_is_taken_and_not_the_acacia_far_off(worker: Crew) -> None:
    """The first wood by alphabet was taken, wherever it stood."""
    here = (await worker.session.bot.snapshot()).position.block
    for away, log in ((3, "oak_log"), (26, "acacia_log")):
        for up in range(3):
            await worker.set_block(Position(here.x + away, here.y + up, here.z), log)
    await worker.sees("oak_log", "acacia_log")
    result = await worker.done("!goal inventory.stick:4")
    planned = [trace.facts["steps"] for trace in worker.trace.recent("goal.planned")]
    assert ([steps[0] for steps in planned], result["replans"]) == (["gather 1 oak_log"], 0)
    assert (await worker.carries())["stick"] == 4
