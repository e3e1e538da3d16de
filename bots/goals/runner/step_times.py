"""What the steps of goals took: learnt from at once, and kept in the store for the next time.

Of each piece of work only the newest times are kept, so the table stays small."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from bots.bot.bot import Bot
from bots.clock import microseconds
from bots.errors import StoreError
from bots.goals.domain.costs import climb_s
from bots.goals.plan import FORAGING, Step
from bots.goals.rates import CLIMB, KEPT, Experience, Rates, Took, Work
from bots.queues import BoundedQueue
from bots.store.database import Store

UNWRITTEN = 200  # times that wait for the disk; the oldest are dropped
CLIMBED = 4.0
"""A step that ends so many blocks higher has climbed out of a mine on its way."""


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
        """Learn from a step, and have it written."""
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


def step_times_of(bot: Bot) -> StepTimes:
    """Those of the daemon. A bot without one learns for one goal alone."""
    shared = bot.services.get(StepTimes)
    return StepTimes() if shared is None else shared


def time_of_step(
    at: datetime, bot: str, step: Step, *, took_s: float, climbed: float = 0.0
) -> StepTime:
    """How long a step took. The way up out of a mine, to a furnace say, counts as a climb."""
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
    """Add a row; rows of the same work that are too old to count go."""
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
    """As `domain/costs.py: work_of` has it: of what is made only the station matters."""
    if action in ("gather", "climb", *FORAGING):
        return Work(action, target, tool or "")
    return Work(action, station or "")
