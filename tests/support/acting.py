"""Runs commands of bots in the simulated world while virtual time passes."""

import asyncio
from typing import Any

from support.rig import Rig, run_json

from bots.access.origin import Origin
from bridge.world import Position

STEP_S = 0.5
LONGEST_S = 4_000.0  # virtual
GROUND = 64  # the height a body stands at


async def carry_out(
    rig: Rig, text: str, *, bot: str = "Alice", origin: Origin | None = None
) -> dict[str, Any]:
    """The result of a command, however much virtual time it takes."""
    task = asyncio.create_task(run_json(rig.bots[bot], text, origin))
    waited_s = 0.0
    while not task.done():
        assert waited_s < LONGEST_S, f"{text} does not end"
        await rig.pass_time(STEP_S)
        waited_s += STEP_S
    return task.result()


def carried(rig: Rig, bot: str = "Alice") -> dict[str, int]:
    return rig.world.body(bot).inventory.counts()


def put(rig: Rig, name: str, *cells: tuple[int, int, int]) -> None:
    for x, y, z in cells:
        rig.world.set_block(Position(x, y, z), name)
