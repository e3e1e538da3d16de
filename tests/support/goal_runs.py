"""A bot in a small simulated country with the materials of all tools, and goals for it."""

import asyncio
import json
from typing import Any

from support.acting import GROUND, put
from support.job_runs import pass_until_done
from support.rig import Rig, run_json

from bridge.world import Position

HERE = Position(8.5, GROUND, 8.5)
SIGHT = 12
WITHIN_S = 60.0  # real seconds for one goal, on a busy machine

TREES = tuple((x, GROUND + dy, z) for x, z in ((12, 6), (12, 10), (4, 6)) for dy in range(4))
IRON = tuple((14, y, z) for y in (57, 58) for z in (8, 9))
DIAMONDS = tuple((2, y, z) for y in (55, 56) for z in (8, 9))
COAL = ((8, 58, 14), (8, 57, 14))


def furnish(rig: Rig) -> None:
    """Trees, and ores in the ground."""
    put(rig, "oak_log", *TREES)
    put(rig, "iron_ore", *IRON)
    put(rig, "diamond_ore", *DIAMONDS)
    put(rig, "coal_ore", *COAL)


def order(goal: Any, **options: Any) -> str:
    return f"!goal {json.dumps({'goal': goal, 'range': SIGHT, 'outlooks': 0, **options})}"


def begin(rig: Rig, goal: Any, **options: Any) -> asyncio.Task[dict[str, Any]]:
    return asyncio.create_task(run_json(rig.bots["Alice"], order(goal, **options)))


async def reach(rig: Rig, goal: Any, **options: Any) -> dict[str, Any]:
    """Carry out a goal and return its result, however much virtual time it takes."""
    running = begin(rig, goal, **options)
    await pass_until_done(rig, running, WITHIN_S)
    return await running


def traced(rig: Rig, name: str) -> list[dict[str, Any]]:
    return [trace.as_json() for trace in rig.trace.recent(name)]


async def when(rig: Rig, running: asyncio.Task[Any], step: str, *, times: int = 1) -> None:
    """Let time pass until a step such as `craft stick` is done so many times."""
    async with asyncio.timeout(WITHIN_S):
        while not running.done():
            done = [entry["step"] for entry in traced(rig, "goal.step_done")]
            if sum(f"{one['action']} {one['target']}" == step for one in done) >= times:
                return
            await rig.pass_time(0.1)
    raise AssertionError(f"{step} was not done: {running.result()}")
