"""Commands as tools of a model, as far as the speaker and the shown texts permit.

There are three lists of them, so that a request finds the beginning of an earlier one in the cache:
of a trusted speaker, of one while words of others are shown, and of a player.

A call goes to the registry with the speaker's typed origin and the view; there level, hearers and
arguments are checked. What the view does not permit can be asked for (ask_for.py). A command that
takes longer than `AT_ONCE_S` runs in the background, and its end is reported later as an event.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.rate_limit import RateLimit
from bots.access.sources import FACTS, Audience, Sources, joined, of_name
from bots.access.visibility import InView
from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.bot.looking import in_time
from bots.bot.result import Failure, HasImage, HasSources, Result
from bots.clock import Stopwatch
from bots.errors import InvalidArguments
from bots.owned_tasks import OwnedTasks
from bots.registry.args import names_in, player_keys
from bots.registry.registry import (
    NOT_FOR_HEARERS,
    Command,
    CommandContext,
    CommandRegistry,
    nobody_hears,
)
from bots.registry.render import render
from bots.responder.asking_back import NOTED, AskedFor, ConfirmedCall, Usage, ask_for
from bots.responder.case.case import LOOK_WITHIN_S, AskerTools
from bots.responder.case.inbox import EventReport, PendingTurn, Report, Trigger, in_one_line
from bots.responder.case.quoting import quoted
from bots.responder.case.world_state import State
from bots.responder.main_tools import COVERED, MAIN_TOOLS, command_arguments, main_tools, meant
from bots.text.pronouns import is_of_others
from bots.text.spelling import spelt
from bridge.world import PlayerName
from llm.engine.decision import TOO_LATE, ToolOutcome, Used
from llm.model import Tool, ToolCall

AT_ONCE_S = 1.5  # a job that ends within this is answered with its result
MOST_OPTIONAL = 2  # arguments of a command that `ask_for` names
LONGEST_RESULT = 1_500  # characters of a result that a model is shown

_LEFT_OUT = frozenset(
    {
        *("area forget", "attack", "echo", "goal list", "help", "history", "pin", "refresh"),
        *("skill gatherWood", "thoughts reanalyse", "thoughts status"),
    }
)
"""Useless for a model, which sees tools, thoughts and state anyway; `history` would show it lines
of less privileged speakers. No model has a player struck."""
_ONE_OF = re.compile(r"^(\[\w+) \|.*(?=\])")
"""Ways to write an argument: a model, which gives it by name, is told of the first."""
_FAMILIES_LEFT_OUT = frozenset({"primitive"})
"""Skills do the same and handle more cases."""

_ILLEGAL = frozenset({"invalid_format", "not_permitted", "unknown_command"})
"""Reasons of a command that did nothing because the call was wrong."""

ENDING = frozenset({"goal pause", "navigation stopFollow", "skill stopFight", "stop"})
"""Commands that end the job under way."""

OnJob: TypeAlias = Callable[[Job], None]
EndedBy: TypeAlias = set[tuple[str, Origin]]
"""Ids of jobs, each with the origin that ended it and so needs no report of its end."""
MOST_BEGUN = 100  # jobs remembered as begun by a decision


class CommandTools:
    """The toolbox of one decision."""

    def __init__(
        self,
        context: CommandContext,
        state: State,
        *,
        limit: RateLimit,
        tasks: OwnedTasks,
        began: OnJob,
        ended: OnJob,
        ended_by: EndedBy,
    ) -> None:
        """`context` has the view of the request, `state` the short names in it."""
        self._context, self._state = context, state
        self._limit, self._tasks = limit, tasks
        self._began, self._ended, self._ended_by = began, ended, ended_by
        self.asked_for: AskedFor | None = None
        """The first call that the view did not permit."""

    @cached_property
    def _commands(self) -> Mapping[str, Command[Any]]:
        """What the speaker may run, by tool name."""
        own = replace(self._context, view=None).rights
        usable_ones = by_tool_name(tuple(self._context.commands))
        return {name: one for name, one in usable_ones.items() if one.allows(own)}

    @property
    def view(self) -> InView:
        """What the model was shown so far, results included."""
        return self._context.view or InView()

    @property
    def tools(self) -> tuple[Tool, ...]:
        rights = self._context.rights
        is_trusted = rights.level >= Level.TRUSTED
        known = [(tool.command, self._commands.get(tool.command)) for tool in MAIN_TOOLS]
        offered = frozenset(  # by the speakers that are shown
            name
            for name, one in known
            if one is not None and one.allows(rights) and (is_trusted or not one.personal)
        )
        return tool_list(tuple(self._commands.values()), offered)

    def permits(self, name: str) -> bool:
        """Whether this command may be called now, whatever list it is in."""
        command = self._commands.get(name)
        return command is not None and command.allows(self._context.rights)

    def advice(self) -> str:
        """What would let the speaker ask for more; empty where others decided that."""
        origin = self._context.origin
        if not isinstance(origin, Person):
            return ""
        return self._context.bot.permissions.advice_to(origin.name)

    async def use(self, call: ToolCall) -> ToolOutcome:
        confirmed, call = isinstance(call, ConfirmedCall), meant(call)
        command = self._commands.get(call.name)
        if command is None:
            return ToolOutcome(f"There is no tool {quoted({'name': call.name})}.", illegal=True)
        if call.arguments is None:
            return ToolOutcome("The arguments were no JSON object.", illegal=True)
        fields = self._state.ids.read_back(command_arguments(call.arguments))
        own = replace(self._context, view=None).rights
        if not command.allows(self._context.rights) and command.allows(own):
            return self._ask(command, fields)
        if not confirmed and await self._is_unsure_of_whom(command, fields):
            return self._ask(command, fields)
        if not self._context.may_know(command.tells(self._context)):
            return ToolOutcome("Not here: others would hear what it tells.", failed=True)
        if not command.overtakes and self._limit.admit(self._context.asked_by) != "admitted":
            return ToolOutcome("Too many commands of this speaker; wait a while.", failed=True)
        begun = await self._call(command, fields)
        if isinstance(begun, Failure) and begun.reason == NOT_FOR_HEARERS:
            return self._ask(command, fields)
        outcome = await self._outcome(command, begun)
        said = outcome.result.sources if isinstance(outcome.result, HasSources) else FACTS
        self._shown(command.tells(self._context) | said, outcome)
        return outcome

    async def _is_unsure_of_whom(self, command: Command[Any], fields: Mapping[str, Any]) -> bool:
        """Whether the model may mean somebody else by “you” or “him”, as a player has that name."""
        if not command.world and command.heard_by is nobody_hears:
            return False
        named = [one for key in player_keys(command.args) for one in names_in(fields.get(key))]
        unsure = [one for one in named if is_of_others(one) and one != self._context.speaker]
        world = await in_time(self._context.bot.snapshot(), LOOK_WITHIN_S) if unsure else None
        listed = unsure if world is None else [str(player.name) for player in world.players]
        return any(spelt(one, listed) is not None for one in unsure)

    def _ask(self, command: Command[Any], fields: Mapping[str, Any]) -> ToolOutcome:
        """Note a call that the view does not permit. It ends the decision."""
        try:
            hearers = self._context.commands.hearers_of(command, self._context, fields)
        except InvalidArguments as wrong:
            return ToolOutcome(str(wrong), illegal=True)
        needed = command.level_in(self._context.bot.permissions)
        asked = AskedFor(tool_name(command), fields, needed, hearers)
        if command.personal or hearers != frozenset():
            asked = replace(asked, level=Level.TRUSTED)  # nobody else can have led to it
        self.asked_for = self.asked_for or asked
        return ToolOutcome(NOTED, failed=True, ends=True)

    def _shown(self, told: Sources, outcome: ToolOutcome) -> None:
        """Count what a result has shown."""
        odd = self._state.odd_names.items()
        names = joined(sources for name, sources in odd if name in outcome.text)
        self._context = replace(self._context, view=self.view.with_told(told | names))

    async def _call(self, command: Command[Any], fields: Any) -> Result | Job:
        """Run a command. Whoever ends a job by it gets no report of that job's end."""
        job = self._context.bot.jobs.current if command.name in ENDING else None
        known = (job.id, self._context.origin) if job else None
        if known is not None:
            self._ended_by.add(known)
        begun = await self._context.commands.call(self._context, command, fields)
        if known is not None and isinstance(begun, Failure):
            self._ended_by.discard(known)
        return begun

    async def _outcome(self, command: Command[Any], begun: Result | Job) -> ToolOutcome:
        if isinstance(begun, Result):
            return outcome_of(begun)
        self._began(begun)
        told_now = False
        try:
            told_now = await begun.wait(AT_ONCE_S)
        finally:  # its end is reported also when the caller was cancelled
            if not told_now:
                self._tasks.start(self._see_through(begun), f"end of {begun.id}")
        if told_now:
            return outcome_of(begun.outcome())
        note = "It goes on by itself; you are told when it has ended."
        text = quoted({"begun": True, "actionId": begun.id, "note": note})
        return ToolOutcome(text, result=begun)

    async def _see_through(self, job: Job) -> None:
        await job.wait()
        self._ended(job)


class RecordedTools:
    """Passes calls on to another toolbox, and records them in `used`."""

    def __init__(self, toolbox: AskerTools, stopwatch: Callable[[], float]) -> None:
        self._toolbox, self._stopwatch = toolbox, stopwatch
        self.used: list[Used] = []

    @property
    def tools(self) -> tuple[Tool, ...]:
        return self._toolbox.tools

    @property
    def told(self) -> Sources:
        """Where the words come from that the results have shown."""
        return self._toolbox.view.told

    def permits(self, name: str) -> bool:
        return self._toolbox.permits(name)

    def advice(self) -> str:
        return self._toolbox.advice()

    async def use(self, call: ToolCall) -> ToolOutcome:
        began, outcome = self._stopwatch(), TOO_LATE  # stays so if the caller stops waiting
        try:
            outcome = await self._toolbox.use(call)
        finally:
            took_s = self._stopwatch() - began
            self.used.append(Used(call.name, call.arguments, outcome, 0, took_s))
        return outcome


def tool_name(command: Command[Any]) -> str:
    """`!navigation goto` → `navigation_goto`."""
    return command.name.replace(" ", "_")


def outcome_of(result: Result) -> ToolOutcome:
    """A command's result, and its JSON cut to what a model is shown."""
    text = quoted(result.as_shown())
    if len(text) > LONGEST_RESULT:
        text = text[:LONGEST_RESULT] + " …(cut)"
    illegal = isinstance(result, Failure) and result.reason in _ILLEGAL
    images = (result.seen,) if isinstance(result, HasImage) and result.seen else ()
    return ToolOutcome(text, not result.success, illegal, result, images)


def usable(commands: Iterable[Command[Any]]) -> Iterator[Command[Any]]:
    """The commands that are of use to a model."""
    return (
        command
        for command in commands
        if command.name not in _LEFT_OUT and command.family not in _FAMILIES_LEFT_OUT
    )


@lru_cache(maxsize=16)  # the commands are the same from request to request
def by_tool_name(commands: tuple[Command[Any], ...]) -> Mapping[str, Command[Any]]:
    """The commands that are of use to a model, by the names of their tools."""
    return {tool_name(one): one for one in usable(commands)}


@lru_cache(maxsize=16)
def tool_list(commands: tuple[Command[Any], ...], offered: frozenset[str]) -> tuple[Tool, ...]:
    """The main tools that are offered, and `ask_for` for the others that somebody may run."""
    names = {tool_name(command): command for command in commands}
    shown = main_tools(offered)
    hidden = [tool.usage for tool in main_tools(names) if tool not in shown]
    covered = COVERED | {tool.command for tool in MAIN_TOOLS}
    hidden += [_usage(name, one) for name, one in names.items() if name not in covered]
    more = (ask_for(hidden),) if hidden else ()
    return (*(tool.offered() for tool in shown), *more)


def _usage(name: str, command: Command[Any]) -> Usage:
    """The required arguments, and the optional ones if there are few."""
    words = [_ONE_OF.sub(r"\1", word) for word in command.args.in_words()]
    needed = [word for word in words if not word.startswith("[")]
    return Usage(name, tuple(words if len(words) - len(needed) <= MOST_OPTIONAL else needed))


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
        """Whether this origin ended the job with another request and so knows of its end."""
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
    reason, lacking = "", dict[str, int]()
    if isinstance(outcome, Failure):
        reason, lacking = outcome.reason, dict(outcome.lacking)
    success, sources = outcome.success, job.spec.sources
    done, came_of_it = tuple(outcome.episodes()), outcome.outcome
    return EventReport(
        kind,
        words,
        at_s,
        success,
        job.name,
        reason,
        sources,
        done=done,
        outcome=came_of_it,
        lacking=lacking,
    )
