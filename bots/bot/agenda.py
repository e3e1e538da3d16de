"""The goals that a bot was given, in order, stored in SQLite.

told ─▶ waiting ─▶ begun ─▶ reached, given up, replaced or stopped: forgotten
                    │ ▲
                    ▼ │
                   paused

A goal stays here from its begin to its end. After a kick, a crash or a restart the bot finds the
interrupted goal here.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from bots.access.origin import Level, Origin
from bots.access.sources import Sources, as_text, from_text, origin_of_row, row_of_origin
from bots.bot.jobs import Job
from bots.clock import Clock, microseconds, moment
from bots.errors import CommandError, JobEnded
from bots.observability.trace import TraceLog
from bots.store.database import Store
from bots.store.table import Row, Table
from bridge.world import Position

MOST_WAITING = 10
"""Goals of one bot beside the one under way."""
WRITTEN_WITHIN_S = 0.2
"""A stop waits this long for the disk; the queued change is still written later."""

State: TypeAlias = Literal["waiting", "begun", "paused"]
_ORDER: tuple[State, ...] = ("begun", "paused", "waiting")


@dataclass(frozen=True, slots=True)
class Home:
    """Where the bot returns from a mine or pit at the end."""

    position: Position
    dimension: str


@dataclass(frozen=True, slots=True)
class KeptGoal:
    """A goal that somebody gave the bot."""

    number: int
    title: str
    """As people see it: `inventory.torch:8`."""
    fields: Mapping[str, Any]
    """The arguments of `!goal`."""
    given_by: Origin
    level: Level
    """The level of its giver at that time. The goal never gets a higher one."""
    sources: Sources
    """Where its words come from."""
    given_at: datetime
    state: State = "waiting"
    home: Home | None = None
    """Where the bot was when it began."""


class Agenda:
    """The goals of one bot, in the order in which it will pursue them.

    They are kept in memory too: when the database cannot be written, the bot goes on without a
    record, and the store has logged why."""

    def __init__(
        self,
        bot: str,
        store: Store,
        clock: Clock,
        trace: TraceLog,
        known: Iterable[KeptGoal] = (),
    ) -> None:
        self._bot, self._store, self._clock, self._trace = bot, store, clock, trace
        self._goals = {goal.number: goal for goal in known}
        self._newest = max(self._goals, default=0)
        self._under_way: tuple[int, Job] | None = None
        self._first: set[str] = set()
        self._watchers: list[Callable[[], None]] = []

    @property
    def goals(self) -> tuple[KeptGoal, ...]:
        """All: what is begun, then what is paused, then what waits."""
        every = self._goals.values()
        return tuple(sorted(every, key=lambda one: (_ORDER.index(one.state), one.number)))

    @property
    def under_way(self) -> KeptGoal | None:
        """The goal that a job carries out now."""
        return self._goals.get(self._under_way[0]) if self._under_way else None

    @property
    def job(self) -> Job | None:
        """The job of the goal under way."""
        return self._under_way[1] if self._under_way else None

    @property
    def held(self) -> tuple[Held, ...]:
        """The goals that no job carries out now: `!stop` drops them."""
        now = self.under_way
        return tuple(Held(self, one) for one in self.goals if one is not now)

    @property
    def next(self) -> KeptGoal | None:
        """The goal to take up once the bot is free; None while one is paused."""
        goals = self.goals
        if any(goal.state == "paused" for goal in goals):
            return None
        return next(iter(goals), None)

    @property
    def first(self) -> frozenset[str]:
        """The speakers for whom something comes before the next goal."""
        return frozenset(self._first)

    def wait_for(self, speaker: str) -> None:
        """Note that a speaker's request in words is still open and comes before the next goal."""
        self._first.add(speaker)

    def go_on(self, *speakers: str) -> None:
        """Note that the requests of these speakers are under way, done or abandoned."""
        if not self._first.isdisjoint(speakers):
            self._first.difference_update(speakers)
            self._tell_watchers()

    def has(self, goal: KeptGoal) -> bool:
        return goal.number in self._goals

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed`, which must not wait, after each change."""
        self._watchers.append(changed)

    def new_goal(
        self,
        title: str,
        fields: Mapping[str, Any],
        *,
        given_by: Origin,
        level: Level,
        sources: Sources,
    ) -> KeptGoal:
        """A goal just given, to be queued or carried out."""
        self._newest += 1
        return KeptGoal(self._newest, title, fields, given_by, level, sources, self._clock())

    async def queue(self, goal: KeptGoal) -> None:
        """Put a goal behind the others. Raises CommandError queue_full."""
        if len(self.held) >= MOST_WAITING:
            sentence = f"{MOST_WAITING} goals wait already; !goal list shows them, !stop ends all."
            raise CommandError("queue_full", sentence, waiting=MOST_WAITING)
        await self._put(goal)
        self._trace.note("goal.queued", self._bot, goal=goal.title, waiting=len(self.held))

    @asynccontextmanager
    async def carrying_out(self, goal: KeptGoal, job: Job) -> AsyncIterator[None]:
        """The block is the work of a job for this goal; afterwards it is forgotten, unless it
        was paused or the daemon ends. Raises JobEnded paused."""
        known = self._goals.get(goal.number)
        if known is not None and known.state == "paused":  # while it was looked at
            raise JobEnded("paused", f"{goal.title} was paused.")
        job.is_kept = True
        self._under_way = goal.number, job
        await self._put(replace(goal, state="begun"))
        try:
            yield
        finally:
            if self.job is job:
                self._under_way = None
            if job.early == "paused":
                await self._put(replace(goal, state="paused"))
            elif job.early != "closing":
                await self.drop(goal)

    async def pause(self) -> KeptGoal | None:
        """Pause what is under way, or else what comes next; None when there is nothing."""
        goal, job = self.under_way, self.job
        if goal is not None and job is not None:
            job.end_early("paused")
            await job.torn_down()
        elif (goal := self.next) is not None:
            await self._put(replace(goal, state="paused"))
        if goal is not None:
            self._trace.note("goal.paused", self._bot, goal=goal.title)
        return goal

    async def resume(self) -> KeptGoal | None:
        """Let what is paused go on; None when nothing is."""
        paused = [goal for goal in self.goals if goal.state == "paused"]
        for goal in paused:
            await self._put(replace(goal, state="begun"))
        return next(iter(paused), None)

    async def drop(self, goal: KeptGoal) -> None:
        """Forget a goal."""
        if self._goals.pop(goal.number, None) is not None:
            await self._write(lambda one: _TABLE.delete(one, self._bot, goal.number))

    async def _put(self, goal: KeptGoal) -> None:
        self._goals[goal.number] = goal
        row = _row_of(self._bot, goal)
        await self._write(lambda connection: _TABLE.put(connection, row))

    def _tell_watchers(self) -> None:
        for changed in self._watchers:
            changed()

    async def _write(self, change: Callable[[sqlite3.Connection], None]) -> None:
        self._tell_watchers()
        written = await self._store.keep(change)
        if written is not None:
            await asyncio.wait({written}, timeout=WRITTEN_WITHIN_S)


@dataclass(frozen=True, slots=True)
class Held:
    """A goal that `!stop` can drop."""

    agenda: Agenda
    goal: KeptGoal

    @property
    def name(self) -> str:
        state = "paused" if self.goal.state == "paused" else "waiting"
        return f"{state} goal {self.goal.title}"

    @property
    def started_by(self) -> Origin | None:
        return self.goal.given_by

    async def stop(self) -> None:
        await self.agenda.drop(self.goal)


class AllAgendas:
    """The agendas of all bots."""

    def __init__(
        self, store: Store, clock: Clock, trace: TraceLog, known: dict[str, list[KeptGoal]]
    ) -> None:
        self._store, self._clock, self._trace = store, clock, trace
        self._of = {bot: Agenda(bot, store, clock, trace, goals) for bot, goals in known.items()}

    @classmethod
    async def load(cls, store: Store, clock: Clock, trace: TraceLog) -> AllAgendas:
        return cls(store, clock, trace, await store.read(partial(_TABLE.by_first, make=_read_row)))

    def of(self, bot: str) -> Agenda:
        """One bot's agenda; always the same object."""
        if bot not in self._of:
            self._of[bot] = Agenda(bot, self._store, self._clock, self._trace)
        return self._of[bot]


_TABLE = Table(
    "agenda",
    (
        *("bot", "number", "title", "fields", "given_by"),
        *("level", "sources", "given_at", "state", "home"),
    ),
)


def _read_row(row: Row) -> tuple[str, KeptGoal]:
    bot, number, title, fields, given_by, level, sources, at, state, home = row
    if state not in get_args(State):
        raise ValueError(f"{state!r} is no state of a goal")
    if home is not None:
        dimension, *point = json.loads(home)
        home = Home(Position(*map(float, point)), str(dimension))
    return bot, KeptGoal(
        number,
        title,
        dict(json.loads(fields)),
        origin_of_row(*json.loads(given_by)),
        Level(level),
        from_text(sources),
        moment(at),
        state,
        home,
    )


def _row_of(bot: str, goal: KeptGoal) -> Row:
    at, home = goal.home and goal.home.position, goal.home
    return (
        *(bot, goal.number, goal.title, json.dumps(goal.fields)),
        *(json.dumps(row_of_origin(goal.given_by)), int(goal.level)),
        *(as_text(goal.sources), microseconds(goal.given_at), goal.state),
        json.dumps([home.dimension, at.x, at.y, at.z]) if home and at else None,
    )
