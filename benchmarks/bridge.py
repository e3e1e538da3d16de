"""What the bridge costs, as ratios inside one run.

python -m benchmarks.bridge [--json] [--seconds N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any

import psutil

from benchmarks.commands import measure_commands
from benchmarks.figures import flat, rounded
from benchmarks.players import measure_players
from benchmarks.stand import Stand, standing
from benchmarks.whispers import measure_whispers

SECONDS = 30.0
WARM_UP = 200  # whispers to each before any counts


async def measure(seconds: float, warm_up: int = WARM_UP) -> dict[str, Any]:
    """All figures by name; `seconds` are for measuring, starting comes on top."""
    async with standing() as stand:
        whispers = await measure_whispers(stand, seconds / 2, warm_up)
        commands = await measure_commands(stand, seconds / 4)
        players = await measure_players(stand, seconds / 4)
        details = {**players.pop("details"), **whispers.pop("details")}
        return {**players, **commands, **whispers, "rss_mb": _rss(stand), "details": details}


def _rss(stand: Stand) -> dict[str, float]:
    processes = {"python": psutil.Process(), "node": psutil.Process(stand.bridge.node_pid)}
    return {name: rounded(p.memory_info().rss / 1e6) for name, p in processes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bridge", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="to measure for")
    wanted = parser.parse_args()
    report = asyncio.run(measure(wanted.seconds))
    if wanted.json:
        print(json.dumps(report))
        return
    for name, value in flat(report):
        print(f"{name:<40}{value:>12,}")


if __name__ == "__main__":
    main()
