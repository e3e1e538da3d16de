"""Works through the agenda of one bot: interrupted goals and goals that wait.

A goal starts when the bot is in the world and has nothing else to do. It runs as a command of its
giver, with the giver's present level. The giver hears of it if they come within a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import structlog

from bots.access.origin import Origin, Person, speaker_of
from bots.access.sources import Sources
from bots.bot.agenda import KeptGoal
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, JobFinished, WorkTold
from bots.bot.jobs import Job
from bots.bot.looking import in_time
from bots.bot.result import Failure, Result
from bots.daemon.connection import Connection
from bots.daemon.progress_reports import WORTH_WAITING_S, report, whisper
from bots.errors import StoreError
from bots.owned_tasks import OwnedTasks, until_first
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import render

log = structlog.get_logger()

RETRY_S = 1.0
COMES_FIRST_S = 10.0
"""A free bot waits this long for a speaker's earlier request before the next goal."""
LOOK_EVERY_S, LOOKS = 2.0, 60
"""How often, and how many times, we look for an absent player whom we have to tell something."""
LOOKED_WITHIN_S = 1.0
_STAYS = frozenset({"not_connected", "bridge_down", "timeout", "disconnected", "paused"})
"""Reasons for which a goal that has not begun stays on the agenda."""


class GoalKeeper:
    """Takes up the goals of one bot, one after the other."""

    def __init__(self, bot: Bot, commands: CommandRegistry, connection: Connection) -> None:
        self._bot, self._commands, self._connection = bot, commands, connection
        self._agenda, self._sleep = bot.agenda, bot.times.sleep
        self._tasks = OwnedTasks()
        self._changed = asyncio.Event()
        self._in_order = asyncio.Lock()

    async def run(self) -> None:
        """See to the agenda until cancelled."""
        unsubscribe = self._bot.events.subscribe(self._take)
        self._agenda.watch(self._changed.set)
        try:
            while True:
                await self._connection.until_online()
                self._changed.clear()
                goal = self._agenda.next if self._bot.jobs.is_free else None
                if goal is None:
                    await self._changed.wait()
                elif self._agenda.first:
                    await until_first(self._changed.wait(), self._sleep(COMES_FIRST_S))
                    if not self._changed.is_set():  # a request that does not begin in time
                        self._agenda.go_on(*self._agenda.first)
                else:
                    await self._take_up(goal)
        finally:
            unsubscribe()
            await self._tasks.aclose()

    def _take(self, event: BotEvent) -> None:
        match event:
            case JobFinished():
                self._changed.set()
            case WorkTold(to) if to is not None and not (event.is_aside and self._bot.quiet):
                self._tell(to, [event.text], event.sources)

    async def _take_up(self, goal: KeptGoal) -> None:
        by = goal.given_by
        context = CommandContext(self._bot, by, speaker_of(by), self._commands, kept_goal=goal)
        command = self._commands.find("goal")
        begun = await self._commands.call(context, command, goal.fields)
        if isinstance(begun, Job):
            result = await self._seen_through(goal, begun)
            if begun.early in ("paused", "closing"):
                return
            lines = render(result)
        else:
            result, lines = begun, [f"I do not go on with {goal.title}.", *render(begun)]
        if self._agenda.has(goal) and isinstance(result, Failure) and result.reason in _STAYS:
            await self._sleep(RETRY_S)
            return
        await self._agenda.drop(goal)
        self._tell(by, lines, goal.sources)

    async def _seen_through(self, goal: KeptGoal, job: Job) -> Result:
        """The result of a job; whoever gave the goal hears that it goes on, and how."""
        if goal.state == "begun":
            log.info("goal.resumed", bot=self._bot.name, goal=goal.title)
            self._tell(goal.given_by, [f"I go on with {goal.title}."], goal.sources)
        reports = None
        if isinstance(to := goal.given_by, Person):  # an operator asks
            say = partial(whisper, self._bot, to.name, max_wait_s=WORTH_WAITING_S)
            work = report(job, say, self._sleep, lambda: self._bot.quiet)
            reports = self._tasks.start(work, f"reports of {job.id}")
        try:
            await job.wait()
        finally:
            if reports is not None:
                reports.cancel()
        return job.outcome()

    def _tell(self, to: Origin, lines: Sequence[str], sources: Sources) -> None:
        """Tell whoever gave a goal, in order; returns at once."""
        self._tasks.start(self._told(to, lines, sources), f"news for {speaker_of(to)}")

    async def _told(self, to: Origin, lines: Sequence[str], sources: Sources) -> None:
        """Whisper to a player who is here or comes soon; what nobody hears is recorded."""
        async with self._in_order:
            if isinstance(to, Person) and await self._has_come(to):
                await whisper(self._bot, to.name, *lines)
                return
        for line in lines:
            with suppress(StoreError):
                await self._bot.add_message(
                    self._bot.name, line, type="system_info", sources=sources
                )

    async def _has_come(self, player: Person) -> bool:
        for _ in range(LOOKS):
            world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
            if world is not None and world.player(player.name) is not None:
                return True
            await self._sleep(LOOK_EVERY_S)
        return False
