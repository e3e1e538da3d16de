"""What bots cost on a daemon as its users start it.

    python -m benchmarks.crowd [--rows 10:0,100:0,10:10,50:50] [--seconds 60] [--settle 20]
                              [--json]

A row is BOTS:ACTIVE, or BOTS:ACTIVE:HOSTS for a setting of `bridge.hosts`. Bots that are not active
live as shipped: they look around and walk a little of their own accord. An active bot walks from
spot to spot without end. A person whispers to active bots (to any, where none is) all the while,
and rules answer. Every row has a server, a daemon and a Node of its own. Costs are processor time,
which other work on the machine changes little; the lag of the event loop and the time of an answer
are wall time, so the load is shown beside them. Memory is read before anybody whispers, and after:
a bot that is left alone for a minute sees less far, so settle for longer to read that. Last comes
what one more bot costs: the difference between the rows of its kind.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import psutil
from e2e.daemon_process import DaemonProcess, Site
from faults.crowd import Crowd, Person
from faults.testbed import PROGRAM, ask_program

from benchmarks.crowd.lag import Lag, p99_at_most_ms
from benchmarks.figures import percentile
from bridge import node as node_packages

ROWS = "10:0,100:0,10:10,50:50"
SETTLE_S, JOIN_WITHIN_S, ANSWER_WITHIN_S = 20.0, 900.0, 10.0
WHISPER_EVERY_S, LOOK_AGAIN_S = 1.0, 0.25
FIELD = 14  # spots lie as far from the spawn point, in both directions
ASKER = "Wendy"
QUESTION = "Where are you?"
SHIPPED = {"TOWNSFOLK_IDLE__ENABLED": "true", "TOWNSFOLK_TALK__SMALL_TALK": "true"}
"""What the harness switches off."""


@dataclass(frozen=True, slots=True)
class Row:
    """What so many bots took."""

    bots: int
    active: int
    hosts: str
    joined_s: float
    cpu_percent: Mapping[str, float]
    """By process, of one core."""
    settled_mb: Mapping[str, float]
    """Memory before anybody whispered."""
    memory_mb: Mapping[str, float]
    carried_kb_s: Mapping[str, float]
    """Over the bridge, by direction."""
    lag_p99_ms: float
    """At most: the bound of a histogram."""
    answers: int
    answer_p50_s: float
    answer_p95_s: float
    load: float


@dataclass(slots=True)
class Moment:
    """What adds up, at one moment."""

    at_s: float
    cpu_s: dict[str, float]
    carried: Mapping[str, int]
    lag: Lag


def main() -> int:
    asked = _arguments()
    rows = []
    for bots, active, hosts in asked.rows:
        rows.append(asyncio.run(measure(bots, active, hosts, asked.seconds, asked.settle)))
        print(json.dumps(asdict(rows[-1])) if asked.json else _shown(rows[-1]), flush=True)
    if not asked.json:
        print("\n".join(["", *_costs(rows)]))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.crowd",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", type=_rows, default=ROWS)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--settle", type=float, default=SETTLE_S, help="seconds before it measures")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")
    return parser.parse_args()


def _rows(text: str) -> list[tuple[int, int, str]]:
    rows = [(*row.split(":"), "auto")[:3] for row in text.split(",")]
    return [(int(bots), int(active), hosts) for bots, active, hosts in rows]


async def measure(bots: int, active: int, hosts: str, seconds: float, settle_s: float) -> Row:
    names = [f"Bot{number:03}" for number in range(bots)]
    async with (
        _daemon(names, hosts) as (daemon, doors, joined_s),
        _asking(daemon, doors) as asker,
        _walking(daemon, names[:active]),
    ):
        await asyncio.sleep(settle_s)
        settled_mb = _memory_mb(daemon)
        before = await _moment(daemon, doors)
        answers = await _answers(asker, names[: active or bots], seconds)
        after = await _moment(daemon, doors)
        memory_mb = _memory_mb(daemon)
    took_s = after.at_s - before.at_s
    return Row(
        bots,
        active,
        hosts,
        joined_s,
        {name: 100 * used / took_s for name, used in _more(before.cpu_s, after.cpu_s)},
        settled_mb,
        memory_mb,
        {way: sent / took_s / 1e3 for way, sent in _more(before.carried, after.carried)},
        p99_at_most_ms(before.lag, after.lag),
        len(answers),
        percentile(answers, 50),
        percentile(answers, 95),
        os.getloadavg()[0],
    )


def _more(before: Mapping[str, float], after: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    for name, value in after.items():
        yield name, value - before.get(name, 0.0)


@asynccontextmanager
async def _daemon(
    names: Sequence[str], hosts: str
) -> AsyncIterator[tuple[DaemonProcess, Path, float]]:
    """With all of its bots in the world, and how long that took."""
    runtime = await node_packages.ready(lambda line: None)
    with TemporaryDirectory(prefix="townsfolk-crowd-") as folder:
        doors = Path(folder) / "doors"
        doors.mkdir()
        site = Site(Path(folder), runtime.packages_dir.parents[2], (sys.executable, str(PROGRAM)))
        variables = SHIPPED | {"FAULTS_FOLDER": str(doors), "TOWNSFOLK_BRIDGE__HOSTS": hosts}
        begun_s = time.monotonic()
        flags = ("--offline", "--bots", ",".join(names))
        async with site.starting(*flags, **variables) as daemon:
            await daemon.announced()
            async with asyncio.timeout(JOIN_WITHIN_S):
                while not await _all_joined(daemon):  # noqa: ASYNC110 - another process
                    await asyncio.sleep(LOOK_AGAIN_S)
            yield daemon, doors, time.monotonic() - begun_s


async def _all_joined(daemon: DaemonProcess) -> bool:
    try:
        return await daemon.all_online()
    except (httpx2.HTTPError, OSError):
        return False


@asynccontextmanager
async def _asking(daemon: DaemonProcess, folder: Path) -> AsyncIterator[Person]:
    runtime = await node_packages.ready(lambda line: None)
    paths = runtime.binary, runtime.packages_dir
    async with AsyncExitStack() as stack:
        opened = Crowd.open((ASKER,), paths, folder, lambda: daemon.minecraft, _nobody_listens)
        crowd = await stack.enter_async_context(opened)
        yield crowd[ASKER]


def _nobody_listens(person: str, speaker: str, text: str) -> None:
    """The person's own ears are enough."""


@asynccontextmanager
async def _walking(daemon: DaemonProcess, names: Sequence[str]) -> AsyncIterator[None]:
    """These bots walk for as long as the block lasts."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_walk(daemon, name)) for name in names]
        yield
        for task in tasks:
            task.cancel()


async def _walk(daemon: DaemonProcess, name: str) -> None:
    """From spot to spot; what is in the way is no matter."""
    dice = random.Random(name)
    while True:
        x, z = dice.randint(-FIELD, FIELD), dice.randint(-FIELD, FIELD)
        with suppress(httpx2.HTTPError):
            await daemon.command(name, f"!navigation gotoCoords {x} 64 {z}")
        await asyncio.sleep(LOOK_AGAIN_S)


async def _answers(asker: Person, names: Sequence[str], seconds: float) -> list[float]:
    """How long each answer took; one that does not come took as long as it was waited for."""
    dice, ends_s, took = random.Random(len(names)), time.monotonic() + seconds, []
    while time.monotonic() < ends_s:
        name = dice.choice(names)
        asker.forget()
        begun_s = time.monotonic()
        await asker.whispers(name, QUESTION)
        with suppress(TimeoutError):
            await asker.hears(name, ANSWER_WITHIN_S)
        took.append(time.monotonic() - begun_s)
        await asyncio.sleep(WHISPER_EVERY_S)
    return took


async def _moment(daemon: DaemonProcess, doors: Path) -> Moment:
    metrics = (await daemon.http.get("/metrics")).raise_for_status().text
    held = await ask_program(doors, daemon.pid)
    cpu_s = _together(daemon, lambda process: sum(process.cpu_times()[:2]))
    return Moment(time.monotonic(), cpu_s, held["carried"], Lag.of(metrics))


def _memory_mb(daemon: DaemonProcess) -> dict[str, float]:
    return _together(daemon, lambda process: process.memory_info().rss / 1e6)


def _together(daemon: DaemonProcess, figure: Callable[[psutil.Process], float]) -> dict[str, float]:
    """A figure of each part; Node is one or several processes."""
    mine = psutil.Process(daemon.pid)
    parts = {"daemon": [mine], "node": daemon.bots_nodes, "server": [daemon.server]}
    return {name: sum(map(figure, processes)) for name, processes in parts.items()}


# --- showing -----------------------------------------------------------------------


def _shown(row: Row) -> str:
    cpu = ", ".join(f"{name} {share:.0f} %" for name, share in row.cpu_percent.items())
    memory = ", ".join(
        f"{name} {row.settled_mb[name]:.0f} and {mb:.0f} MB" for name, mb in row.memory_mb.items()
    )
    carried = ", ".join(f"{way} {kb:.1f} kB/s" for way, kb in row.carried_kb_s.items())
    answers = f"median {row.answer_p50_s:.2f} s, p95 {row.answer_p95_s:.2f} s"
    return "\n".join(
        (
            f"{row.bots} bots, {row.active} active, hosts: {row.hosts},"
            f" in the world after {row.joined_s:.0f} s (load {row.load:.0f})",
            f"  of one core: {cpu}",
            f"  memory, settled and at the end: {memory}",
            f"  over the bridge: {carried}",
            f"  event loop: 99 % of looks at most {row.lag_p99_ms:g} ms late",
            f"  {row.answers} answers: {answers}",
        )
    )


def _costs(rows: Sequence[Row]) -> list[str]:
    """What one more bot costs, from the smallest and the largest row of each kind."""
    lines = [
        "| one more bot | daemon CPU | Node CPU | server CPU | daemon | Node | server | bridge |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for hosts in dict.fromkeys(row.hosts for row in rows):
        alike = [row for row in rows if row.hosts == hosts]
        for kind, of_kind in (
            ("idle", [row for row in alike if not row.active]),
            ("active", [row for row in alike if row.active == row.bots]),
        ):
            ordered = sorted(of_kind, key=lambda row: row.bots)
            if ordered and ordered[0].bots < ordered[-1].bots:
                lines.append(_cost(f"{kind}, hosts: {hosts}", ordered[0], ordered[-1]))
    return lines


def _cost(kind: str, few: Row, many: Row) -> str:
    more = many.bots - few.bots
    names = ("daemon", "node", "server")
    cpu = [f"{(many.cpu_percent[n] - few.cpu_percent[n]) / more:.2f} %" for n in names]
    memory = [f"{(many.memory_mb[n] - few.memory_mb[n]) / more:.1f} MB" for n in names]
    carried = (sum(many.carried_kb_s.values()) - sum(few.carried_kb_s.values())) / more
    return f"| {kind} | {' | '.join((*cpu, *memory))} | {carried:.2f} kB/s |"


if __name__ == "__main__":
    sys.exit(main())
