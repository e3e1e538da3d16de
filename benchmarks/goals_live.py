"""How long goals take on the embedded server, and how well that was estimated.

    python -m benchmarks.goals_live [--goals stick,compass] [--places 1,3] [--dusk] [--arenas N]

Plays each goal at each place, from an empty bag, twice: the first pass is *cold*, by the cost
model alone. Before the second the bot has *learnt* what the same goals took at the other places,
never at this one. Every play has a server of its own, with the land of seed 1 as it was made, and a
daemon of its own. `ratio` is what a goal took, divided by the estimate of its first
plan; `again` how often it planned again. `--dusk` plays at normal difficulty, from dusk on, and
counts deaths.

All of it takes hours. `--arenas` plays so many at a time: more than half as many as the machine has
cores make all of them slower. Node's packages must be installed (`townsfolk up` does it once) or
TOWNSFOLK_NODE_DIR set.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sqlite3
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias

from benchmarks.stand import standing_on
from bots.bot.bot import Bot
from bots.commands.goal import reach_goal
from bots.store.database import FILE_NAME, Store
from bridge.looking import ScanBlocks
from bridge.server.launcher import EmbeddedServer
from bridge.world import DUSK_TICK, Position

GOALS: Mapping[str, tuple[str, ...]] = {
    "stick": ("inventory.stick:4",),
    "paper": ("inventory.paper:3",),
    "glass": ("inventory.glass:3",),
    "clay": ("inventory.clay_ball:8",),
    "cobblestone": ("inventory.cobblestone:128",),
    "iron_pickaxe": ("inventory.iron_pickaxe:1",),
    "bucket": ("inventory.bucket:1", "inventory.shears:1"),
    "compass": ("inventory.compass:1",),
    "diamond_pickaxe": ("inventory.diamond_pickaxe:1",),
    "sword_helmet": ("inventory.diamond_sword:1", "inventory.diamond_helmet:1"),
    "obsidian": ("inventory.obsidian:1",),
    "chestplate": ("equipment.diamond_chestplate:true",),
}
PLACES = ((-30, 20), (60, -20), (0, -50), (40, 40), (8, 8))
"""x and z of where the bot begins."""
SKY, BOTTOM = 110, 40
OPEN = ("air", "grass", "tall_grass", "dandelion", "poppy")
NO_GROUND = ("water", "lava", "leaves", "log", "lily_pad", "cactus", "sugar_cane")
NEAR = 3.0
CHUNKS_WITHIN_S, LOOK_AGAIN_S = 20.0, 1.0
PLAY_WITHIN_S = 1_800.0
WITHIN, FAR_OFF = 0.25, 2.0
"""The bounds of the promise: the median error, and the worst ratio."""

Pass: TypeAlias = Literal["cold", "learnt"]
StepRow: TypeAlias = dict[str, Any]
"""A row of the table step_times."""


@dataclass(frozen=True, slots=True)
class Played:
    """One goal at one place."""

    goal: str
    place: int
    success: bool
    took_s: float
    estimate_s: float
    steps: int
    replans: int
    message: str
    rows: list[StepRow]
    deaths: int = 0

    @property
    def ratio(self) -> float:
        return self.took_s / self.estimate_s if self.estimate_s else 0.0


async def play(goal: str, place: int, known: Sequence[StepRow], *, at_dusk: bool) -> Played:
    """Play one goal in this process, knowing what those steps took."""
    with TemporaryDirectory(prefix="townsfolk-goal-") as folder:
        database = Path(folder) / FILE_NAME
        await _remember(database, known)
        async with standing_on(Path(folder), survives=at_dusk) as stand:
            await bring_to(stand.server, stand.bot, *PLACES[place])
            if at_dusk:
                await stand.server.admin("difficulty", level="normal")
                await stand.server.admin("time", value=DUSK_TICK)
            began_s = asyncio.get_running_loop().time()
            result = (await reach_goal(stand.bot, *GOALS[goal])).as_json()
            took_s = asyncio.get_running_loop().time() - began_s
            died = (await stand.bot.snapshot()).died
        rows = _rows(database)[len(known) :]
    return Played(
        goal,
        place,
        result["success"],
        round(took_s, 1),
        result.get("estimateS", 0.0),
        result.get("steps", 0),
        result.get("replans", 0),
        result["message"],
        rows,
        died.number if died else 0,
    )


async def _remember(database: Path, rows: Sequence[StepRow]) -> None:
    store = await Store.open(database)
    try:
        await store.write(partial(_insert, rows=rows))
    finally:
        await store.aclose()


def _insert(connection: sqlite3.Connection, rows: Sequence[StepRow]) -> None:
    for row in rows:
        values = {name: value for name, value in row.items() if name != "id"}
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        connection.execute(
            f"INSERT INTO step_times ({names}) VALUES ({marks})", tuple(values.values())
        )


def _rows(database: Path) -> list[StepRow]:
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute("SELECT * FROM step_times ORDER BY id")]
    finally:
        connection.close()


async def bring_to(server: EmbeddedServer, bot: Bot, x: int, z: int) -> None:
    """Put the bot on dry ground there, and wait until it sees the land."""
    there = await _dry_ground(server, x, z)
    await server.admin("teleport", player=bot.name, x=there.x, y=there.y, z=there.z)
    seen = -1
    async with asyncio.timeout(CHUNKS_WITHIN_S):
        while True:
            here = (await bot.snapshot()).position
            scan = await bot.query(ScanBlocks((), 64, -64, 64, max_checks=10**9, limit=0))
            if here.distance_to(there) < NEAR and scan.visited == seen:
                return
            seen = scan.visited
            await asyncio.sleep(LOOK_AGAIN_S)


async def _dry_ground(server: EmbeddedServer, x: int, z: int) -> Position:
    """On the ground, under open sky: there, or as few blocks further east as possible."""
    for east in itertools.count(x):
        for y in range(SKY, BOTTOM, -1):
            block = await server.admin("block", x=east, y=y, z=z)
            if block in OPEN:
                continue
            if block.endswith(NO_GROUND):
                break
            return Position(east + 0.5, y + 1, z + 0.5)
    raise AssertionError("the land has no end")


# --- many plays, each in a process of its own ------------------------------------------------


class Arenas:
    """Plays as many at a time as there are arenas."""

    def __init__(self, count: int, *, at_dusk: bool) -> None:
        self._free, self._at_dusk = asyncio.Semaphore(count), at_dusk

    async def play_all(
        self, goals: Sequence[str], places: Sequence[int], known: Mapping[int, list[StepRow]]
    ) -> list[Played]:
        """Each goal at each place; `known`: what the bot remembers at each of them."""
        plays = [
            self._play(goal, place, known.get(place, [])) for place in places for goal in goals
        ]
        return [one for one in await asyncio.gather(*plays) if one is not None]

    async def _play(self, goal: str, place: int, known: list[StepRow]) -> Played | None:
        async with self._free:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "benchmarks.goals_live", "--play", goal, str(place)),
                *["--dusk"] * self._at_dusk,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                async with asyncio.timeout(PLAY_WITHIN_S):
                    out, _ = await process.communicate(json.dumps(known).encode())
            except TimeoutError:
                process.kill()
                await process.wait()
                return None
        line = next((line for line in out.splitlines() if line.startswith(b"{")), None)
        if line is None:
            return None
        played = Played(**json.loads(line))
        print(_line(played), file=sys.stderr, flush=True)
        return played


async def measure(
    goals: Sequence[str], places: Sequence[int], arenas: int = 1, *, at_dusk: bool = False
) -> dict[Pass, list[Played]]:
    """Both passes; the second knows of each goal what it took elsewhere."""
    playing = Arenas(arenas, at_dusk=at_dusk)
    cold = await playing.play_all(goals, places, {})
    known = {
        here: [row for one in cold if one.place != here for row in one.rows] for here in places
    }
    return {"cold": cold, "learnt": await playing.play_all(goals, places, known)}


def figures(played: Iterable[Played]) -> dict[str, Any]:
    """How far the estimates of the goals that were reached were off."""
    reached = [one for one in played if one.success and one.estimate_s]
    if not reached:
        return {"reached": 0}
    errors = [abs(one.ratio - 1) for one in reached]
    worst = max(max(one.ratio, 1 / one.ratio) for one in reached)
    return {
        "reached": len(reached),
        "took_s": round(sum(one.took_s for one in reached), 1),
        "deaths": sum(one.deaths for one in reached),
        "median_error": round(statistics.median(errors), 3),
        "worst_ratio": round(worst, 2),
        "holds": statistics.median(errors) <= WITHIN and worst <= FAR_OFF,
    }


def table(played: Iterable[Played]) -> Iterator[str]:
    yield "goal                  place    took  estimate  ratio  steps  again  deaths"
    for one in sorted(played, key=lambda one: (one.goal, one.place)):
        yield _line(one)


def _line(one: Played) -> str:
    x, z = PLACES[one.place]
    end = "" if one.success else f"  {one.message}"
    return (
        f"{one.goal:<17}{f'{x},{z}':>10}{one.took_s:>8.1f}{one.estimate_s:>10.1f}"
        f"{one.ratio:>7.2f}{one.steps:>7}{one.replans:>7}{one.deaths:>8}{end}"
    )


def _shown(report: Mapping[Pass, Sequence[Played]]) -> Iterator[str]:
    for name, played in report.items():
        yield f"\n{name}"
        yield from table(played)
        yield ", ".join(f"{key} {value}" for key, value in figures(played).items())


def _as_json(report: Mapping[Pass, Sequence[Played]]) -> dict[str, Any]:
    return {
        name: {"plays": [asdict(one) for one in played], "figures": figures(played)}
        for name, played in report.items()
    }


def main() -> None:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.goals_live", description=summary)
    parser.add_argument("--goals", default=",".join(GOALS), help="names, with commas between")
    parser.add_argument("--places", default="1,2,3,4,5", help="numbers, with commas between")
    parser.add_argument("--arenas", type=int, default=1, help="plays at a time")
    parser.add_argument("--dusk", action="store_true", help="at normal difficulty, from dusk on")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--play", nargs=2, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.play:
        goal, place = wanted.play
        known = json.load(sys.stdin)
        played = asyncio.run(play(goal, int(place), known, at_dusk=wanted.dusk))
        print(json.dumps(asdict(played)))
        return
    places = [int(number) - 1 for number in wanted.places.split(",")]
    goals = wanted.goals.split(",")
    report = asyncio.run(measure(goals, places, wanted.arenas, at_dusk=wanted.dusk))
    print(json.dumps(_as_json(report)) if wanted.json else "\n".join(_shown(report)))


if __name__ == "__main__":
    main()
