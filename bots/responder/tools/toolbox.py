"""One bot's commands as tools: those of each speaker, and reports of jobs that end later."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.rate_limit import RateLimit
from bots.access.sources import FACTS, Audience, Sources, of_name
from bots.access.visibility import InView
from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.bot.result import Failure
from bots.clock import Stopwatch
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import render
from bots.responder.case.events import EventReport, Report, Trigger, in_one_line
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.world_state import State
from bots.responder.tools.command_tools import CommandTools, EndedBy
from bridge.world import PlayerName

MOST_BEGUN = 100  # jobs remembered as begun by a decision


class CommandToolbox:
    """The commands of one bot as tools; `report` is told how jobs ended that tools began."""

    def __init__(
        self,
        bot: Bot,
        commands: CommandRegistry,
        limit: RateLimit,
        report: Report,
        stopwatch: Stopwatch,
    ) -> None:
        self._bot, self._commands, self._limit = bot, commands, limit
        self._report, self._stopwatch = report, stopwatch
        self._tasks = OwnedTasks()
        self._began: deque[str] = deque(maxlen=MOST_BEGUN)
        self._ended_by: EndedBy = set()

    def level_of(self, origin: Origin) -> Level:
        return self._bot.permissions.level_of(origin)

    def sources_of_name(self, name: str) -> Sources:
        is_bot = name in self._bot.known_bots
        return FACTS if is_bot else of_name(Person(PlayerName(name)), self.level_of)

    @property
    def at_work(self) -> bool:
        return self._bot.is_at_work

    @property
    def doing(self) -> str:
        return self._bot.job_in_words

    def tools_for(
        self,
        turn: PendingTurn,
        state: State,
        view: InView,
        hearers: Audience,
    ) -> CommandTools | None:
        """What a person or the operator may run; None for another bot, whose words run nothing."""
        if isinstance(turn.origin, Fellow):
            return None
        speaker, origin = turn.speaker, turn.origin

        def ended(job: Job) -> None:
            if not self._brought_about(origin, job):
                end = replace(end_of(job, self._stopwatch()), of_public=turn.public)
                self._report(speaker, origin, end)

        return CommandTools(
            CommandContext(self._bot, origin, speaker, self._commands, view=view, heard_by=hearers),
            state,
            limit=self._limit,
            tasks=self._tasks,
            ended=ended,
            began=lambda job: self._began.append(job.id),
            ended_by=self._ended_by,
        )

    def reports_end_of(self, job_id: str) -> bool:
        """Whether a decision began this job, so that its end is reported to the speaker."""
        return job_id in self._began

    def _brought_about(self, origin: Origin, job: Job) -> bool:
        """Whether this origin ended the job by another request, and so knows of its end."""
        if job.early == "replaced":
            newer = self._bot.jobs.current
            return newer is None or newer.started_by == origin
        asked_for = (job.id, origin) in self._ended_by
        self._ended_by -= {one for one in self._ended_by if one[0] not in self._began}
        return asked_for

    async def aclose(self) -> None:
        """Report no more; jobs go on by themselves."""
        await self._tasks.aclose()


def end_of(job: Job, at_s: float) -> EventReport:
    """The end of a job, in the words a player gets who whispered the command."""
    outcome = job.outcome()
    words = in_one_line(" ".join(render(outcome)))
    kind: Trigger = "stop" if job.early == "stopped" else "action_ended"
    reason = outcome.reason if isinstance(outcome, Failure) else ""
    success, sources = outcome.success, job.spec.sources
    return EventReport(kind, words, at_s, success, job.name, reason, sources)
