"""One bot's hands: for each decision the tools of its speaker, and what came of them later."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.rate_limit import RateLimit
from bots.access.sources import Sources
from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.bot.result import Failure
from bots.clock import Stopwatch
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import render
from bots.responder.case.events import Happening, Trigger, in_one_line
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.world_state import ShortIds
from bots.responder.tools.command_tools import CommandTools, EndedBy
from bridge.world import PlayerName

MOST_BEGUN = 100  # actions remembered as begun by a decision

Happened: TypeAlias = Callable[[str, Origin, Happening], None]
"""Told the speaker on whose behalf something was begun, their origin, and how it ended."""


class CommandToolbox:
    """The commands, as tools of one bot."""

    def __init__(
        self,
        bot: Bot,
        commands: CommandRegistry,
        limit: RateLimit,
        stopwatch: Stopwatch,
    ) -> None:
        self._bot, self._commands, self._limit = bot, commands, limit
        self._stopwatch = stopwatch
        self._tasks = OwnedTasks()
        self._began: deque[str] = deque(maxlen=MOST_BEGUN)
        self._ended_by: EndedBy = set()
        self.happened: Happened = lambda speaker, origin, happening: None
        """Called when something that was begun has ended."""

    def level_of(self, origin: Origin) -> Level:
        return self._bot.permissions.level_of(origin)

    def standing_of(self, name: str) -> Level:
        ours = name in self._bot.fellows
        return Level.OWNER if ours else self.level_of(Person(PlayerName(name)))

    @property
    def at_work(self) -> bool:
        return self._bot.is_at_work

    @property
    def doing(self) -> str:
        job = self._bot.jobs.current
        far = job.latest if job else None
        shares = [f"{far.done:g} of {far.total:g}"] if far else []
        return ", ".join([job.name, *shares]) if job else ""

    def toolbox(
        self, waiting: PendingTurn, ids: ShortIds, hearers: frozenset[str] | None
    ) -> CommandTools | None:
        """What a person or the operator may have done; another bot's words do nothing."""
        if isinstance(waiting.origin, Fellow):
            return None
        speaker, origin = waiting.speaker, waiting.origin

        def ended(job: Job) -> None:
            if not self._brought_about(origin, job):
                self.happened(speaker, origin, end_of(job, self._stopwatch()))

        shown = Sources.said_by(origin, self.level_of(origin), hearers)
        return CommandTools(
            CommandContext(self._bot, origin, speaker, self._commands, made_from=shown),
            ids,
            limit=self._limit,
            tasks=self._tasks,
            ended=ended,
            began=lambda job: self._began.append(job.id),
            ended_by=self._ended_by,
        )

    def tells_of(self, action_id: str) -> bool:
        """Whether somebody is told of the end of this action by a decision."""
        return action_id in self._began

    def _brought_about(self, origin: Origin, job: Job) -> bool:
        """Whether a job ended by what this origin asked for, who was told so by then."""
        if job.early == "replaced":
            newer = self._bot.jobs.current
            return newer is None or newer.started_by == origin
        asked_for = (job.id, origin) in self._ended_by
        self._ended_by -= {one for one in self._ended_by if one[0] not in self._began}
        return asked_for

    async def aclose(self) -> None:
        """Forget what was begun; it goes on by itself."""
        await self._tasks.aclose()


def end_of(job: Job, at_s: float) -> Happening:
    """The end of a job, in the words for a player who would have whispered the command."""
    outcome = job.outcome()
    words = in_one_line(" ".join(render(outcome)))
    kind: Trigger = "stop" if job.early == "stopped" else "action_ended"
    reason = outcome.reason if isinstance(outcome, Failure) else ""
    return Happening(kind, words, at_s, outcome.success, job.name, reason)
