"""How many commands a second cross the bridge, and in how many crossings."""

from __future__ import annotations

import asyncio
from typing import Any

from benchmarks.figures import rounded
from benchmarks.stand import BOT, Stand
from bridge.world import BotName

CALLERS = (1, 10, 50)
ARGUMENTS = {"text": "x" * 80}  # a command line of about 120 characters


async def measure_commands(stand: Stand, seconds: float) -> dict[str, Any]:
    """`commands_per_s` and `crossings_per_command` by number of callers."""
    rates, crossings = {}, {}
    for callers in CALLERS:
        key = str(callers)
        rates[key], crossings[key] = await _echo(stand, callers, seconds / len(CALLERS))
    return {"commands_per_s": rates, "crossings_per_command": crossings}


async def _echo(stand: Stand, callers: int, seconds: float) -> tuple[float, float]:
    loop = asyncio.get_running_loop()
    crossings_before, began_s = stand.bridge.crossings, loop.time()
    counts = await asyncio.gather(*(_call(stand, began_s + seconds) for _ in range(callers)))
    took_s, count = loop.time() - began_s, sum(counts)
    return rounded(count / took_s), rounded((stand.bridge.crossings - crossings_before) / count)


async def _call(stand: Stand, until_s: float) -> int:
    loop, count = asyncio.get_running_loop(), 0
    while loop.time() < until_s or not count:
        # A probe: no operation of the port is as empty as an echo.
        assert await stand.bridge._run("echo", BotName(BOT), ARGUMENTS) == ARGUMENTS
        count += 1
    return count
