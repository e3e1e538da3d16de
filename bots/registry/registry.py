"""Every command is declared once; help, usage, JSON schema and checks come from it.

A query answers at once; a world command changes the world and runs as a job in the background:

    @commands.command("echo", EchoArgs)
    async def echo(context: CommandContext, args: EchoArgs) -> EchoResult:
        '''Say the same words back.'''

    @commands.command("navigation goto", GotoArgs, world=True, example="!navigation goto home")
    async def goto(context: CommandContext, args: GotoArgs) -> GotoResult:
        '''Walk to a registered place.'''
        await context.job.act(MoveTo(…))
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Generic, TypedDict, TypeVar, Unpack

import structlog

from bots.access.origin import (
    Fellow,
    Level,
    Operator,
    Origin,
    Person,
    is_operator,
    speaker_of,
)
from bots.access.permissions import Permissions
from bots.access.proofs import HIDDEN
from bots.access.sources import FACTS, Audience, Sources, as_proven, names_of
from bots.access.visibility import InView, hearers_of, together
from bots.bot.agenda import KeptGoal
from bots.bot.bot import Bot
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Failure, Result
from bots.errors import CommandError, InvalidArguments, NotPermitted
from bots.registry.args import (
    PREFIX,
    Args,
    Fields,
    body_of,
    check,
    checked_fields,
    fields_of,
    quoted,
)
from bots.registry.names import Names
from bots.registry.render import failure_of
from bridge.errors import BotError, HostError

log = structlog.get_logger()

NOT_FOR_HEARERS = "not_for_hearers"
"""Reason for refusing a call that would let others hear something they may not know."""
DEADLINE_S = 10.0
WORLD_DEADLINE_S = 600.0

A = TypeVar("A", bound=Args)


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of the asker, computed once for all commands."""

    origin: Origin
    level: Level
    is_by_asker: bool
    permissions: Permissions


@dataclass(frozen=True, slots=True)
class CommandContext:
    """Which bot runs a command, and who asked for it."""

    bot: Bot
    origin: Origin
    asked_by: str
    """The name of the asker in our records."""
    commands: CommandRegistry
    own_job: Job | None = None
    """The job this call of a world command runs as; None for a query."""
    view: InView | None = None
    """The texts shown to the model that wrote the arguments; None if the asker wrote them."""
    heard_by: Audience = frozenset()
    """Players below trusted, besides the asker, who hear of the result; None means anybody."""
    kept_goal: KeptGoal | None = None
    """The goal on the agenda that this call resumes; None if the asker just gave the command."""

    @property
    def sources(self) -> Sources:
        """The sources of the arguments."""
        if self.kept_goal is not None:
            return self.kept_goal.sources
        if self.view is not None:
            return self.view.sources
        return Sources.said_by(self.origin, self.asker_level, names_of(self.origin))

    @property
    def speaker(self) -> str:
        """The name under which we record the asker's lines. An operator may have several."""
        is_named = isinstance(self.origin, Operator) and is_operator(self.asked_by)
        return self.asked_by if is_named else speaker_of(self.origin)

    @property
    def asker_level(self) -> Level:
        """The level of the asker."""
        return self.bot.permissions.level_of(self.origin)

    @property
    def level(self) -> Level:
        """The level of this call: the lowest of everybody whose words led to it."""
        if self.kept_goal is not None:
            return self._level_now(self.kept_goal)
        asker = self.asker_level
        if self.view is None:
            return asker
        return min(asker, self.view.level(self.bot.permissions.level_of))

    def _level_now(self, goal: KeptGoal) -> Level:
        """The present level of a kept goal, at most the level at its start. Its giver need not be
        here; their proof remains valid."""
        level_of = as_proven(self.bot.permissions.level_of)
        return min(goal.level, level_of(goal.given_by), goal.sources.level_now(level_of))

    @property
    def is_by_asker(self) -> bool:
        """Whether the asker is the only player below trusted who can have led to it."""
        level_of = self.bot.permissions.level_of
        return self.view is None or self.view.is_by(self.origin, level_of)

    @property
    def rights(self) -> Rights:
        return Rights(self.origin, self.level, self.is_by_asker, self.bot.permissions)

    def may_know(self, sources: Sources) -> bool:
        """Whether all who hear of the result may know a text."""
        asker = hearers_of([self.origin], self.bot.permissions.level_of)
        return sources.is_for(together(asker, self.heard_by))

    def check_scan_range(self, blocks: float) -> None:
        """Raises NotPermitted where the asker may not have blocks looked for so far away."""
        most = self.bot.permissions.reach.scan_range
        if isinstance(self.origin, Person) and self.asker_level < Level.TRUSTED and blocks > most:
            sentence = f"Sorry, for you I look {most} blocks far at most."
            raise NotPermitted("not_permitted", sentence, level="trusted", maxDistance=most)

    def check_proven(self) -> None:
        """Raises NotPermitted for a player who has yet to show that the name is rightly theirs."""
        permissions = self.bot.permissions
        if isinstance(self.origin, Person) and permissions.is_unproven(self.origin.name):
            raise NotPermitted("not_permitted", permissions.advice_to(self.origin.name))

    @property
    def job(self) -> Job:
        """The job whose actions a world command starts; a query has none and must not ask."""
        if self.own_job is None:
            raise RuntimeError("only a command declared with world=True has a job")
        return self.own_job


Handler = Callable[[CommandContext, A], Awaitable[Result]]
HeardBy = Callable[[CommandContext, A], Audience]
"""The players below trusted who hear or read what a command says; None: anybody may."""


Tells = Callable[[CommandContext], Sources]
"""The sources of texts that a result may show besides facts and arguments."""


def tells_facts(context: CommandContext) -> Sources:
    """For commands whose results contain nobody's words."""
    return FACTS


def nobody_hears(context: CommandContext, args: Any) -> Audience:
    """For commands that say nothing to others."""
    return frozenset()


@dataclass(frozen=True, slots=True, eq=False)  # each is declared once, so identity is enough
class Command(Generic[A]):
    """One declaration."""

    name: str
    args: type[A]
    handler: Handler[A]
    level: Level
    """The least level that may run it, unless the settings say otherwise; see `level_in`."""
    deadline_s: float
    aliases: tuple[str, ...] = ()
    """Other full names."""
    allow_bots: bool = False
    """Whether other bots may run it."""
    overtakes: bool = False
    """It runs ahead of the asker's other commands, and `!stop` does not end it."""
    secret: bool = False
    """We neither log nor trace its arguments."""
    world: bool = False
    """It changes the world: it runs as a job, and a bot has one job at a time."""
    personal: bool = False
    """It acts on something that the asker began or joined: no stranger's words may lead to it."""
    heard_by: HeardBy[A] = nobody_hears
    tells: Tells = tells_facts
    example: str = ""
    ended_by: str = ""
    """How to end a world command that never ends by itself. Its caller need not wait."""

    @property
    def family(self) -> str | None:
        """The first word of a name that has several."""
        first, _, action = self.name.partition(" ")
        return first if action else None

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0]

    @property
    def is_ours(self) -> bool:
        """Whether townsfolk ships it; a program may declare commands of its own."""
        return self.handler.__module__.startswith("bots.commands.")

    @property
    def usage(self) -> str:
        return self.args.usage(self.name)

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return self.args.model_json_schema(by_alias=True)

    def level_in(self, permissions: Permissions) -> Level:
        """The least level that may run it where these permissions hold."""
        return permissions.reach.level_for(self.name, self.level)

    def allows(self, rights: Rights) -> bool:
        """Whether somebody with these rights may run it."""
        if isinstance(rights.origin, Fellow):
            return self.allow_bots and rights.level >= self.level
        if self.personal and not rights.is_by_asker:
            return False
        return rights.level >= self.level_in(rights.permissions)


class CommandOptions(TypedDict, Generic[A], total=False):
    """The fields of a `Command` that a declaration may set."""

    aliases: tuple[str, ...]
    allow_bots: bool
    overtakes: bool
    secret: bool
    personal: bool
    heard_by: HeardBy[A]
    tells: Tells
    example: str
    ended_by: str


class CommandRegistry:
    """The commands by name, and the one way to run them."""

    def __init__(self) -> None:
        self.names: Names[Command[Any]] = Names()

    def command(
        self,
        name: str,
        args: type[A],
        *,
        world: bool = False,
        level: Level | None = None,
        deadline_s: float | None = None,
        **more: Unpack[CommandOptions[A]],
    ) -> Callable[[Handler[A]], Handler[A]]:
        """Declare a command; the first line of the handler's docstring is its help.

        A query is for level PLAYER and has 10 s, a world command is for TRUSTED and has 600 s,
        unless `level` or `deadline_s` says otherwise. What else it takes is told at `Command`."""
        level = level or (Level.TRUSTED if world else Level.PLAYER)
        deadline_s = deadline_s or (WORLD_DEADLINE_S if world else DEADLINE_S)

        def register(handler: Handler[A]) -> Handler[A]:
            self.names.add(Command(name, args, handler, level, deadline_s, world=world, **more))
            return handler

        return register

    def __iter__(self) -> Iterator[Command[Any]]:
        """All commands by name."""
        return iter(self.names)

    def find(self, name: str) -> Command[Any]:
        """The command of this name or alias. Raises `UnknownCommand` with the nearest ones."""
        return self.names.find(name)

    def overtakes(self, text: str) -> bool:
        """Whether this text names a command that need not wait behind earlier ones."""
        command = self._meant(text)
        return command is not None and command.overtakes

    def is_query(self, text: str) -> bool:
        """Whether this text names a command that starts no job."""
        command = self._meant(text)
        return command is not None and not command.world

    def is_secret(self, text: str) -> bool:
        """Whether this text gives a command an argument that nobody else may see."""
        if not text.startswith(PREFIX):
            return False
        command = self._meant(text)
        return command is not None and command.secret

    def shown(self, text: str) -> str:
        """This text as it may be traced."""
        return f"{text.split()[0]} {HIDDEN}" if self.is_secret(text) else text

    async def run(self, context: CommandContext, text: str) -> Result:
        """Run a command to its end. Errors of the user and of Minecraft come as a `Failure`.

        Cancelling the caller cancels the command."""
        begun = await self.begin(context, text)
        return await begun.end() if isinstance(begun, Job) else begun

    async def begin(self, context: CommandContext, text: str) -> Result | Job:
        """Like `run`, but a world command returns its job as soon as that has begun."""
        try:
            command, rest = self.names.match(body_of(text))
        except CommandError as error:
            failure = failure_of(error)
            _log(context, quoted(text), failure)
            return failure
        begun = await _begin(command, context, lambda: fields_of(command.args, rest))
        _log(context, command.name, begun)
        return begun

    async def call(
        self, context: CommandContext, command: Command[Any], fields: Mapping[str, Any]
    ) -> Result | Job:
        """Like `begin`, for a caller that has the arguments as JSON fields."""
        begun = await _begin(command, context, lambda: checked_fields(fields))
        _log(context, command.name, begun)
        return begun

    def hearers_of(
        self, command: Command[Any], context: CommandContext, fields: Mapping[str, Any]
    ) -> Audience:
        """Who would hear of a call beside the asker. Raises InvalidArguments."""
        args = check(command.args, checked_fields(fields), context.speaker)
        return command.heard_by(context, args)

    def _meant(self, text: str) -> Command[Any] | None:
        try:
            return self.names.match(body_of(text))[0]
        except CommandError:
            return None


commands = CommandRegistry()
"""The commands of this program. It is empty until `bots.commands.catalogue` is imported; the app
does that and hands the registry on."""


async def _begin(
    command: Command[A], context: CommandContext, read: Callable[[], Fields]
) -> Result | Job:
    fields: Fields = {}
    try:
        if not command.allows(context.rights):
            log.info("command.not_permitted", command=command.name, asked_by=context.asked_by)
            needed = command.level_in(context.bot.permissions).name.lower()
            sentence = _refusal(command, context, needed)
            raise NotPermitted("not_permitted", sentence, level=needed)
        fields = read()
        args = check(command.args, fields, context.speaker)
        context = _released(command, context, args)
        if command.world:
            return _begin_job(command, context, args, fields)
        context.bot.leisure.turned_to()
        return await _within_deadline(command, context, args)
    except BotError as error:
        return _failure(command, fields, error)


def _released(command: Command[A], context: CommandContext, args: A) -> CommandContext:
    """The context of a call whose hearers may know all that a model was shown.

    What the asker asked with is released to them, unless others may have led to it. Raises
    NotPermitted."""
    if context.view is None:
        return context
    hearers = command.heard_by(context, args)
    view = context.view if context.is_by_asker else InView(context.view.sources)
    if not view.told.is_for(hearers):
        sentence = "Not from here: whoever hears that may not know all you have read."
        raise NotPermitted(NOT_FOR_HEARERS, sentence)
    return replace(context, view=context.view.released_to(hearers))


def _begin_job(command: Command[A], context: CommandContext, args: A, fields: Fields) -> Job:
    def work(job: Job) -> Awaitable[Result]:
        return command.handler(replace(context, own_job=job), args)

    def failure(error: BotError) -> Result:
        return _failure(command, fields, error)

    shown = PREFIX + command.name
    spec = JobSpec(
        shown,
        work,
        failure,
        command.deadline_s,
        context.origin,
        context.sources,
        command.ended_by,
    )
    return context.bot.jobs.begin(spec)


def _failure(command: Command[Any], fields: Fields, error: BotError) -> Failure:
    """The failure with the facts that the command adds to each; wrong arguments get the usage."""
    facts = command.args.failure_facts(fields)
    if isinstance(error, InvalidArguments):
        example = {"example": command.example} if command.example else {}
        facts = {**facts, "usage": command.usage, **example}
    if isinstance(error, HostError):  # a defect in Node: the asker gets no details
        log.warning("command.failed_in_node", command=command.name, why=str(error))
    return failure_of(error, **facts)


def _log(context: CommandContext, name: str, begun: Result | Job) -> None:
    who = {"bot": context.bot.name, "asked_by": context.asked_by}
    who["origin"] = type(context.origin).__name__
    if isinstance(begun, Job):
        log.info("job.begun", command=name, action_id=begun.id, **who)
        return
    reason = begun.reason if isinstance(begun, Failure) else None
    log.info("command.finished", command=name, reason=reason, **who)


def _refusal(command: Command[Any], context: CommandContext, needed: str) -> str:
    match context.origin:
        case Fellow():
            return f"Sorry, bots may not run {PREFIX}{command.name}."
        case Person(name):
            advice = context.bot.permissions.advice_to(name)
        case Operator():
            advice = ""
    sentence = f"Sorry, {PREFIX}{command.name} is for level {needed} and above."
    if advice:  # all of it has to fit a line
        return f"{sentence} {advice} You may talk with me and use what !help lists."
    # The commands that a refused player may run; a family is named once.
    rights = context.rights
    allowed = [one.name for one in context.commands if one.allows(rights) and not one.secret]
    told = []
    for family, names in groupby(allowed, key=lambda one: one.partition(" ")[0]):
        first, *more = names
        told.append(PREFIX + (family if more else first))
    may_use = f", and use {', '.join(told)}" if told else ""
    return f"{sentence} You may talk with me{may_use}."


async def _within_deadline(command: Command[A], context: CommandContext, args: A) -> Result:
    """Run the handler in its own task, so that `!stop` and the deadline can cancel it."""
    work = asyncio.ensure_future(command.handler(context, args))
    try:
        if command.overtakes:
            await asyncio.wait({work}, timeout=command.deadline_s)
        else:
            with context.bot.running(PREFIX + command.name, work.cancel, context.origin):
                await asyncio.wait({work}, timeout=command.deadline_s)
        if not work.done():
            took = f"did not end within {command.deadline_s:g} s"
            raise CommandError("deadline", f"The command {PREFIX}{command.name} {took}.")
    finally:
        if not work.done():
            work.cancel()
            await asyncio.wait({work}, timeout=1.0)
    if work.cancelled():
        raise CommandError("stopped", f"The command {PREFIX}{command.name} was stopped.")
    return work.result()
