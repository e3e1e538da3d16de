"""Ways of a run beside its steps: to what is out of sight, out of a mine, back into the world.

Also keeps what the steps took, in the store too. Of each piece of work only the newest times are
kept, so the table stays small."""

from __future__ import annotations

import itertools
import re
import sqlite3
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from importlib.resources import files

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.clock import Sleep, microseconds
from bots.errors import ActionFailed, JobEnded, StoreError
from bots.goals.activity import AT_HAND, STATIONS, Away, Domain, PlanningWorld
from bots.goals.domain.costs import climb_s
from bots.goals.plan import FORAGING, SPARING, Plan, Step
from bots.goals.rates import CLIMB, KEPT, Experience, Rates, Took, Work
from bots.queues import BoundedQueue
from bots.skills.sheltering import DEPTH, ROCK
from bots.skills.tunnelling import climb, is_below_ground
from bots.store.database import Store
from bridge.actions import MoveTo
from bridge.errors import BotError, BridgeDown, BridgeError, BridgeTimeout, NotConnected
from bridge.looking import ScanBlocks
from bridge.world import Position, WorldSnapshot

UNWRITTEN = 200  # times that wait for the disk; the oldest are dropped
CLIMBED = 4.0
"""A step that ends this many blocks higher counts as a climb out of a mine."""


@dataclass(frozen=True, slots=True)
class StepTime:
    """Estimated and real time of one completed step."""

    at: datetime
    bot: str
    action: str
    target: str
    count: int
    tool: str | None
    station: str | None
    estimate_s: float
    model_s: float
    """What the cost model alone gave."""
    took_s: float

    @property
    def work(self) -> Work:
        return _work(self.action, self.target, self.tool, self.station)


class StepTimes:
    """The times of all bots of one daemon."""

    def __init__(self) -> None:
        self._experience = Experience()
        self._unwritten: BoundedQueue[StepTime] = BoundedQueue(UNWRITTEN, "drop_oldest")

    @property
    def rates(self) -> Rates:
        return self._experience.rates

    def add(self, time: StepTime) -> None:
        """Learn from a step and queue it for the store."""
        self._experience.add(Took(time.work, time.model_s, time.took_s))
        self._unwritten.put(time)

    async def load(self, store: Store) -> None:
        """Learn from what the store remembers."""
        for took in await store.read(_known):
            self._experience.add(took)

    async def keep(self, store: Store) -> None:
        """Write each time, until cancelled.

        What cannot be written is dropped: the store logs why, and one lost row does no harm."""
        async for time in self._unwritten:
            with suppress(StoreError):
                await store.write(partial(add_step_time, step=time))


def time_of_step(
    at: datetime, bot: str, step: Step, *, took_s: float, climbed: float = 0.0
) -> StepTime:
    """How long a step took. A way up out of a mine, to a furnace for example, counts as a climb."""
    if climbed >= CLIMBED and step.action != "gather":
        return time_of_climb(at, bot, climbed, max(0.0, took_s - step.cost_s))
    station = step.station if step.station != "hand" else None
    what = (step.action, step.target, step.count, step.tool, station)
    return StepTime(at, bot, *what, step.cost_s, step.model_s, took_s)


def time_of_climb(at: datetime, bot: str, blocks: float, took_s: float) -> StepTime:
    action, target, _ = CLIMB
    expected_s = climb_s(blocks)
    return StepTime(
        at, bot, action, target, round(blocks), None, None, expected_s, expected_s, took_s
    )


_COLUMNS = "at, bot, action, target, count, tool, station, estimate_s, model_s, took_s"
_SAME = "action = ? AND target = ? AND tool IS ? AND station IS ?"


def add_step_time(connection: sqlite3.Connection, step: StepTime) -> None:
    """Add a row and delete rows of the same work that are too old to count."""
    what = (step.action, step.target, step.count, step.tool, step.station)
    same = (step.action, step.target, step.tool, step.station)
    connection.execute(
        f"INSERT INTO step_times ({_COLUMNS}) VALUES ({', '.join('?' * 10)})",
        (microseconds(step.at), step.bot, *what, step.estimate_s, step.model_s, step.took_s),
    )
    connection.execute(
        f"DELETE FROM step_times WHERE {_SAME} AND id NOT IN"
        f" (SELECT id FROM step_times WHERE {_SAME} ORDER BY id DESC LIMIT {KEPT})",
        (*same, *same),
    )


def _known(connection: sqlite3.Connection) -> list[Took]:
    rows = connection.execute(
        "SELECT action, target, tool, station, model_s, took_s FROM step_times ORDER BY id"
    )
    return [
        Took(_work(action, target, tool, station), model_s, took_s)
        for action, target, tool, station, model_s, took_s in rows
    ]


def _work(action: str, target: str, tool: str | None, station: str | None) -> Work:
    """The work of a step, as in `domain/costs.py: work_of`: for crafting only the station
    matters."""
    if action in ("gather", "climb", *FORAGING):
        return Work(action, target, tool or "")
    return Work(action, station or "")


PLENTY = 10_000
"""More of a block than any plan uses."""
STRIDE = 1.5
"""Distance between two outlooks as a multiple of the sight radius; leaves no gap between them."""
DEEP_BLOCKS, PIT_BLOCKS = 8.0, 2.0
"""Blocks below its start from which a bot climbs back: from anywhere, or only from below ground."""
CLIMBED_WITHIN = 2.0
MAX_INTERRUPTIONS = 20
"""Interruptions after which a run gives up: times the bot was out of the world."""
LOOK_EVERY_S = 0.5
LOADED_WITHIN_S = 10.0
"""How long the bot waits for the land around it, which loads after it joins."""
_NEAR = 48  # blocks; chunks come from near to far
_LAND = ScanBlocks((), _NEAR, -_NEAR, _NEAR, max_checks=1_000_000_000, limit=0)


def with_all_of_dimension(
    world: PlanningWorld, domain: Domain, dimension: str, sight: int
) -> PlanningWorld:
    """The same world as if every natural block of the dimension were there, just out of sight."""
    nature = _nature_of(dimension.removeprefix("minecraft:"))
    kinds = {**domain.digging, **domain.foraging}
    somewhere = {kind: PLENTY for kind in kinds if nature.fullmatch(kind)}
    away = {**dict.fromkeys(somewhere, Away(sight * STRIDE)), **world.away}
    return replace(world, nearby={**world.nearby, **somewhere}, away=away)


def below_ground(world: PlanningWorld) -> PlanningWorld:
    """The same world for a bot in its hole, without what lies in the open: rock up to the height of
    the lid, and stations at hand."""
    below = {
        kind: count
        for kind, count in world.nearby.items()
        if (away := world.away.get(kind)) is not None
        and away.height < DEPTH
        and (away.distance <= AT_HAND if kind in STATIONS else ROCK.fullmatch(kind))
    }
    return replace(world, nearby=below, stored={})


@cache
def _nature_of(dimension: str) -> re.Pattern[str]:
    told = tomllib.loads((files(__package__) / "nature.toml").read_text("utf-8"))
    return re.compile("|".join(told.get(dimension, ())))


def out_of_sight(plan: Plan, nearby: Mapping[str, int]) -> dict[str, int]:
    """What the plan needs more of than is in sight, with the count it needs."""
    dug: dict[str, int] = {}
    for step in plan.steps:
        if step.action == "gather" or step.action in FORAGING:
            taken = 1 if step.action in SPARING else step.count
            dug[step.target] = dug.get(step.target, 0) + taken
    return {block: count for block, count in dug.items() if count > nearby.get(block, 0)}


def outlooks(start: Position, sight: int) -> Iterator[Position]:
    """Endless places to look around from, in a square spiral around the start."""
    stride, x, z = sight * STRIDE, start.x, start.z
    directions = ((1, 0), (0, 1), (-1, 0), (0, -1))
    for side in itertools.count():
        dx, dz = directions[side % 4]
        for _ in range(side // 2 + 1):
            x, z = x + dx * stride, z + dz * stride
            yield Position(x, start.y, z)


async def climb_home(bot: Bot, job: Job, start: Position, times: StepTimes) -> bool:
    """Climb out of a mine or pit; return whether there was one to climb out of."""
    depth = start.y - (await job.snapshot()).position.y
    is_deep = depth >= DEEP_BLOCKS or (depth >= PIT_BLOCKS and await is_below_ground(job))
    if not is_deep:
        return False
    began = job.worked_s()
    with suppress(ActionFailed):
        await climb(bot, job, MoveTo(start, CLIMBED_WITHIN))
        took_s = job.worked_s() - began
        times.add(time_of_climb(bot.times.clock(), bot.name, depth, took_s))
    return True


def is_lost(error: BotError) -> bool:
    """Whether the bot or the link to it is gone for now: both come back by themselves."""
    if isinstance(error, JobEnded):
        return error.reason == "disconnected"
    return isinstance(error, NotConnected | BridgeDown | BridgeTimeout)


async def until_back(job: Job, sleep: Sleep) -> WorldSnapshot:
    """Wait until the bot is in the world and sees the land; the job's deadline ends the wait."""
    while True:
        job.look_again()
        with suppress(BridgeError):
            await job.snapshot()
            await until_land_is_loaded(job, sleep)
            return await job.snapshot()
        await sleep(LOOK_EVERY_S)


async def until_land_is_loaded(job: Job, sleep: Sleep) -> None:
    """Wait until no more land loads: before that, anything around may be missing."""
    known = 0
    for _ in range(round(LOADED_WITHIN_S / LOOK_EVERY_S)):
        seen = sum(kind.count for kind in (await job.query(_LAND)).counts)
        if seen and seen == known:
            return
        known = seen
        await sleep(LOOK_EVERY_S)
        job.look_again()
