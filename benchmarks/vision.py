"""What a picture of a bot's view takes, and whether anybody waits for it.

    python -m benchmarks.vision [--pictures 30]

On the embedded server a bot draws what it sees, picture after picture, first with nothing else to
do, then in the midst of a goal.

- `picture_ms`: from `!info vision` to its result, a PNG of 480 by 270 with words; `picture_cpu_ms`
  is the processor time that the daemon took for each.
- `loop_lag_ms`: how late the event loop is, by which all bots go, while the goal runs: without
  pictures, and with one after another. `at_work` counts of each delay at most the processor time
  that the daemon took meanwhile: while it takes none, it waits for other programs.
- `load`: programs that want a core (the average of a minute); what is more than there are cores
  makes everything later.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Awaitable
from typing import Any, TypeAlias, TypeVar

from benchmarks.figures import median, percentiles, rounded
from benchmarks.stand import Stand, standing
from bots.commands.catalogue import handle_chat_command

PICTURES = 30
LOOK = '!info vision {"picture": true}'
GOAL = "!goal inventory.cobblestone:128"
UNDER_WAY_S = 5.0  # by then the plan is made, and the first log is hewn
EVERY_S = 0.005
WITHOUT_S = 15.0

T = TypeVar("T")
Lag: TypeAlias = tuple[float, float]
"""Milliseconds, and those of them in which the daemon was at work."""


async def measure(pictures: int) -> dict[str, Any]:
    async with standing() as stand:
        await handle_chat_command(stand.bot, "benchmark", LOOK)  # imports what draws
        alone = [await _picture(stand) for _ in range(pictures)]
        goal = asyncio.create_task(handle_chat_command(stand.bot, "benchmark", GOAL))
        await asyncio.sleep(UNDER_WAY_S)
        _, without = await _lags_ms(asyncio.sleep(WITHOUT_S))
        beside, with_pictures = await _lags_ms(_pictures(stand, pictures))
        assert not goal.done(), "the goal should have gone on for longer"
        await handle_chat_command(stand.bot, "benchmark", "!stop")
        await goal
    return {
        "picture_ms": _figures(alone),
        "picture_ms_beside_a_goal": _figures(beside),
        "loop_lag_ms": {
            "without": _lag_figures(without),
            "with_pictures": _lag_figures(with_pictures),
        },
        "load": round(os.getloadavg()[0], 1),
    }


async def _pictures(stand: Stand, number: int) -> list[tuple[float, float]]:
    return [await _picture(stand) for _ in range(number)]


async def _picture(stand: Stand) -> tuple[float, float]:
    """Milliseconds that it took, and those of processor time."""
    began_s, worked_s = time.perf_counter(), time.process_time()
    result = (await handle_chat_command(stand.bot, "benchmark", LOOK)).as_json()
    assert result["success"], result
    return 1000 * (time.perf_counter() - began_s), 1000 * (time.process_time() - worked_s)


async def _lags_ms(work: Awaitable[T]) -> tuple[T, list[Lag]]:
    """How late the event loop is, again and again, until this is done."""
    working, lags = asyncio.ensure_future(work), list[Lag]()
    while not working.done():
        began_s, worked_s = time.perf_counter(), time.process_time()
        await asyncio.sleep(EVERY_S)
        late_s = time.perf_counter() - began_s - EVERY_S
        lags.append((1000 * late_s, 1000 * min(late_s, time.process_time() - worked_s)))
    return await working, lags


def _lag_figures(lags: list[Lag]) -> dict[str, Any]:
    late_ms, at_work_ms = zip(*lags, strict=True)
    return {**percentiles(late_ms), "at_work": percentiles(at_work_ms)}


def _figures(taken: list[tuple[float, float]]) -> dict[str, Any]:
    took_ms, worked_ms = zip(*taken, strict=True)
    return {**percentiles(took_ms), "cpu": rounded(median(worked_ms))}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.vision", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--pictures", type=int, default=PICTURES)
    print(json.dumps(asyncio.run(measure(parser.parse_args().pictures)), indent=2))


if __name__ == "__main__":
    main()
