"""Let a daemon live for hours, and say what grows.

    python -m benchmarks.soak --hours 1 --bots 4 [--seed 7] [--warm-up-minutes 15]
                             [--difficulty hard] [--out DIR]
    python -m benchmarks.soak --report DIR

People talk, give orders, come and go; now and then something below the bots breaks, but nothing
that ends the daemon. Memory, tasks, handles, descriptors, ids of JSPyBridge and the lag of the
event loop are read every ten seconds. The verdict is by the slope of each (Theil-Sen), once all
is warm: in a warm-up before the first hour people talk five times as fast, so that what has a
bound is full, and each fault that ends no process comes once. Then those that end one come first,
so that the processes that follow live long enough to be judged.
Ctrl-C ends a run early, with its verdict; `--report` makes that of a run that was killed.
Exit code 1: something grows, the daemon ended, or a promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from tempfile import mkdtemp

from faults.run import play
from faults.schedule import ENDINGS, PAUSE_S, Fault, Kind, faults
from faults.testbed import BOTS, Testbed

from benchmarks.soak.readings import Reader, readings_of
from benchmarks.soak.showing import draw, verdict_of
from benchmarks.soak.visits import names_of, visited

ENDING_A_PROCESS = frozenset(
    {Kind.NODE_KILLED, Kind.NODE_STOPPED, Kind.SERVER_KILLED, Kind.SERVER_STOPPED}
)
NOT_PLAYED = ENDINGS | {Kind.DISK_FULL}
"""A daemon lives through all others; a disk to fill would be too small for hours."""
WARMING = [kind for kind in Kind if kind not in NOT_PLAYED | ENDING_A_PROCESS]


def main() -> int:
    asked = _arguments()
    if asked.report is not None:
        return report(asked.report)
    folder = Path(asked.out or mkdtemp(prefix="soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{asked.hours:g} hours, {asked.bots} bots, seed {asked.seed}, in {folder}", flush=True)
    try:
        asyncio.run(_soak(asked, folder))
    except asyncio.CancelledError:
        print("interrupted")
    return report(folder)


def report(folder: Path) -> int:
    """Print the verdict and draw the figure of what was read in this folder."""
    readings = readings_of(folder)
    if not readings:
        print("nothing was read yet")
        return 1
    lasted, text = verdict_of(readings)
    figure = folder / "soak.png"
    draw(readings, figure)
    (folder / "soak.md").write_text(text + "\n")
    print(f"\n{text}\nfigure: {figure}")
    return 0 if lasted else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--bots", type=int, default=len(BOTS), help=f"at least {len(BOTS)}")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--faults-per-hour", type=float, default=12.0, help="0 for none")
    parser.add_argument("--warm-up-minutes", type=float, default=15.0, help="besides the hours")
    parser.add_argument("--difficulty", default="peaceful", help="of the world, as `hard`")
    parser.add_argument("--out", metavar="DIR", help="where readings, table and figure are kept")
    parser.add_argument("--report", type=Path, metavar="DIR", help="only report what DIR holds")
    return parser.parse_args()


async def _soak(asked: argparse.Namespace, folder: Path) -> None:
    _cancel_at_signals()

    @asynccontextmanager
    async def beside(testbed: Testbed) -> AsyncIterator[None]:
        async with visited(testbed, asked.seed), Reader.reading(testbed, folder):
            yield

    warms_up = asked.warm_up_minutes > 0
    bots = names_of(asked.bots, BOTS)
    await play(
        folder,
        asked.seed,
        asked.hours * 60,
        in_rounds(asked.seed, asked.faults_per_hour),
        _tell,
        bots,
        beside,
        keeps_world=True,
        difficulty=asked.difficulty,
        warm_up_minutes=asked.warm_up_minutes,
        warm_up=islice(faults(asked.seed, WARMING), len(WARMING)) if warms_up else (),
        hurries_after=ENDING_A_PROCESS,
    )


def in_rounds(seed: int, per_hour: float) -> Iterator[Fault]:
    """Each kind once in a round: those that end a process soon one after another, then the others,
    so many in an hour. None at all for 0."""
    if per_hour <= 0:
        return
    ending = faults(seed, ENDING_A_PROCESS)
    others = spread(faults(seed, WARMING), per_hour)
    numbers = count(1)
    while True:
        for some, kinds in ((ending, ENDING_A_PROCESS), (others, WARMING)):
            for fault in islice(some, len(kinds)):
                yield replace(fault, number=next(numbers))


def spread(schedule: Iterator[Fault], per_hour: float) -> Iterator[Fault]:
    """The same faults with more calm between them."""
    factor = 3_600 / per_hour / statistics.mean(PAUSE_S)
    for fault in schedule:
        yield replace(fault, after_s=fault.after_s * factor)


def _cancel_at_signals() -> None:
    """End in order, so that there is a verdict."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)


def _tell(line: str) -> None:
    print(f"{datetime.now(UTC):%H:%M:%S} {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
