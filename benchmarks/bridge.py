"""What the bridge costs, as ratios inside one run.

    python -m benchmarks.bridge [--json] [--seconds N] [--warm-up WHISPERS]

Everything runs on one embedded server, without its spam rule: the daemon with its log, its
database on the disk and one unpaced bot, and beside it what it is measured against.

- `whisper_*`: a client whispers to several in turn, the next only after the echo of the one
  before, and takes all times alike. `ours` is the bot, whose handler answers by `bot.reply`;
  `plain` is a Mineflayer bot that whispers back, and what the ratio and the added time are
  against. `whisper_parts_ms` has them once more beside what lies between: `bridge_alone` is an
  echo in Python over the bridge, without a daemon: what the bridge itself takes. `only_recorded`
  is that echo with each line on the disk before it answers: what a daemon takes at least that
  loses no line it answered. `without_disk` is the daemon with its data in /dev/shm, where there
  is such a folder.
- `commands_per_s`, `crossings_per_command`: echoes by 1, 10 and 50 callers at once.
- `info_all_*`: 200 players made of Mineflayer's own objects, read by one snapshot, typed and
  written as JSON, against reading the same values through JSPyBridge's proxies (as it is, in a
  process of its own, with the same Node) and no more; both must see the same. The walk is that
  of the examples, from `bot` on down for each value. `careful_reading` in the details holds
  every object it has fetched, which is as few reads as proxies allow.

Where a whisper's time goes: docs/benchmarks.md. `rss_mb` is of this process, in which all
daemons run, and of the first daemon's Node.
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
WARM_UP = 200


async def measure(seconds: float, warm_up: int) -> dict[str, Any]:
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
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bridge", description=summary)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="to measure for")
    parser.add_argument(
        "--warm-up", type=int, default=WARM_UP, help="whispers to each before any counts"
    )
    wanted = parser.parse_args()
    report = asyncio.run(measure(wanted.seconds, wanted.warm_up))
    if wanted.json:
        print(json.dumps(report))
        return
    for name, value in flat(report):
        print(f"{name:<40}{value:>12,}")


if __name__ == "__main__":
    main()
