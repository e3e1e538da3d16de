"""Every command is declared once; help, usage, JSON schema, completion and checks come from it.

A declaration of a query, and of a command that changes the world:

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
from typing import Any, Generic, TypeVar

import structlog

from bots.access.origin import Fellow, Level, Origin
from bots.access.sources import Sources, names_of
from bots.bot.bot import Bot
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Failure, Result
from bots.errors import CommandError, InvalidArguments, NotPermitted
from bots.registry import parse
from bots.registry.args import PREFIX, Args
from bots.registry.failures import failure_of
from bots.registry.names import Names
from bridge.errors import BotError

log = structlog.get_logger()

DEADLINE_S = 10.0
WORLD_DEADLINE_S = 600.0

A = TypeVar("A", bound=Args)


@dataclass(frozen=True, slots=True)
class CommandContext:
    """On whom a command acts and who asked for it."""

    bot: Bot
    origin: Origin
    asked_by: str
    """The name the asker goes by in records."""
    commands: CommandRegistry
    own_job: Job | None = None
    made_from: Sources | None = None
    """Of arguments that a model made; None: the asker chose them."""

    @property
    def sources(self) -> Sources:
        """Where the words of the arguments come from."""
        if self.made_from is not None:
            return self.made_from
        return Sources.said_by(self.origin, self.level, names_of(self.origin))

    @property
    def level(self) -> Level:
        return self.bot.permissions.level_of(self.origin)

    @property
    def job(self) -> Job:
        """What a `world` command acts through; another command has none and must not ask."""
        if self.own_job is None:
            raise RuntimeError("only a command declared with world=True has a job")
        return self.own_job


@dataclass(frozen=True, slots=True, eq=False)  # none is declared twice
class Command(Generic[A]):
    """One declaration."""

    name: str
    args: type[A]
    handler: Callable[[CommandContext, A], Awaitable[Result]]
    level: Level
    deadline_s: float
    aliases: tuple[str, ...] = ()
    """Other whole names of it."""
    allow_bots: bool = False
    overtakes: bool = False
    """It runs ahead of the asker's other commands, and `!stop` does not end it."""
    world: bool = False
    """It runs as the bot's job."""
    example: str = ""

    @property
    def family(self) -> str | None:
        """The first word of a name of several."""
        first, _, action = self.name.partition(" ")
        return first if action else None

    @property
    def summary(self) -> str:
        return (self.handler.__doc__ or "").strip().partition("\n")[0]

    @property
    def usage(self) -> str:
        return self.args.usage(self.name)

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return self.args.model_json_schema(by_alias=True)

    def allows(self, context: CommandContext) -> bool:
        if isinstance(context.origin, Fellow) and not self.allow_bots:
            return False
        return context.level >= self.level


Handler = Callable[[CommandContext, A], Awaitable[Result]]


class CommandRegistry:
    """The commands by name, and the one way to run them."""

    def __init__(self) -> None:
        self.names: Names[Command[Any]] = Names()

    def command(
        self,
        name: str,
        args: type[A],
        *,
        aliases: tuple[str, ...] = (),
        level: Level | None = None,
        deadline_s: float | None = None,
        allow_bots: bool = False,
        overtakes: bool = False,
        world: bool = False,
        example: str = "",
    ) -> Callable[[Handler[A]], Handler[A]]:
        """Declare a command; its help is the first line of the handler's docstring.

        Unless given, the level is PLAYER, of a `world` command TRUSTED; the deadline likewise
        10 or 600 s."""

        def register(handler: Handler[A]) -> Handler[A]:
            declared = Command(
                name,
                args,
                handler,
                level or (Level.TRUSTED if world else Level.PLAYER),
                deadline_s or (WORLD_DEADLINE_S if world else DEADLINE_S),
                aliases,
                allow_bots,
                overtakes,
                world,
                example,
            )
            self.names.add(declared)
            return handler

        return register

    def __iter__(self) -> Iterator[Command[Any]]:
        """All commands by name."""
        return iter(self.names)

    def find(self, name: str) -> Command[Any]:
        """The command of this name or alias. Raises `UnknownCommand` with the nearest ones."""
        return self.names.find(name)

    def complete(self, beginning: str) -> list[str]:
        """Names, with their `!`, that go on from what was typed."""
        return [PREFIX + c.name for c in self if (PREFIX + c.name).startswith(beginning)]

    def overtakes(self, text: str) -> bool:
        """Whether this text must not wait behind earlier commands."""
        command = self._meant(text)
        return command is not None and command.overtakes

    def is_query(self, text: str) -> bool:
        """Whether this text asks for something that begins no job."""
        command = self._meant(text)
        return command is not None and not command.world

    async def run(self, context: CommandContext, text: str) -> Result:
        """Run a command to its end; whatever a user or the Minecraft side did wrong is a
        `Failure`. A caller that is cancelled ends the command too."""
        begun = await self.begin(context, text)
        return await begun.end() if isinstance(begun, Job) else begun

    async def begin(self, context: CommandContext, text: str) -> Result | Job:
        """As `run`, but of a world command's job only the beginning is waited for."""
        name = text
        try:
            command, rest = self.names.match(parse.body_of(text))
            name = command.name
            begun = await _begin(command, context, lambda: parse.fields_of(command.args, rest))
        except BotError as error:
            begun = failure_of(error)
        _log(context, name, begun)
        return begun

    async def call(
        self, context: CommandContext, command: Command[Any], fields: Mapping[str, Any]
    ) -> Result | Job:
        """As `begin`, for a caller that has the fields and not a text."""
        begun = await _begin(command, context, lambda: parse.given(fields))
        _log(context, command.name, begun)
        return begun

    def _meant(self, text: str) -> Command[Any] | None:
        try:
            return self.names.match(parse.body_of(text))[0]
        except CommandError:
            return None


async def _begin(
    command: Command[A], context: CommandContext, read: Callable[[], parse.Fields]
) -> Result | Job:
    fields: parse.Fields = {}
    try:
        _permit(command, context)
        fields = read()
        args = parse.check(command.args, fields)
        if command.world:
            return _begin_job(command, context, args, fields)
        return await _within_deadline(command, context, args)
    except InvalidArguments as error:
        return _refused(command, fields, error)
    except BotError as error:
        return failure_of(error, **command.args.failure_facts(fields))


def _begin_job(command: Command[A], context: CommandContext, args: A, fields: parse.Fields) -> Job:
    def work(job: Job) -> Awaitable[Result]:
        return command.handler(replace(context, own_job=job), args)

    def failure(error: BotError) -> Result:
        if isinstance(error, InvalidArguments):
            return _refused(command, fields, error)
        return failure_of(error, **command.args.failure_facts(fields))

    shown = PREFIX + command.name
    spec = JobSpec(shown, work, failure, command.deadline_s, context.origin)
    return context.bot.jobs.begin(spec)


def _refused(command: Command[Any], fields: parse.Fields, error: InvalidArguments) -> Failure:
    example = {"example": command.example} if command.example else {}
    facts = command.args.failure_facts(fields)
    return failure_of(error, **facts, usage=command.usage, **example)


def _log(context: CommandContext, name: str, begun: Result | Job) -> None:
    who = {"bot": context.bot.name, "asked_by": context.asked_by}
    who["origin"] = type(context.origin).__name__
    if isinstance(begun, Job):
        log.info("job.begun", command=name, action_id=begun.id, **who)
        return
    reason = begun.reason if isinstance(begun, Failure) else None
    log.info("command.finished", command=parse.quoted(name), reason=reason, **who)


def _permit(command: Command[Any], context: CommandContext) -> None:
    if command.allows(context):
        return
    log.info("command.not_permitted", command=command.name, asked_by=context.asked_by)
    needed = command.level.name.lower()
    sentence = f"Sorry, {PREFIX}{command.name} is for level {needed} and above."
    if isinstance(context.origin, Fellow):
        sentence = f"Sorry, bots may not run {PREFIX}{command.name}."
    raise NotPermitted("not_permitted", sentence, level=needed)


async def _within_deadline(command: Command[A], context: CommandContext, args: A) -> Result:
    """Run the handler as a task of its own, so that `!stop` and the deadline can end it."""
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
        await _end(work)
    if work.cancelled():
        raise CommandError("stopped", f"The command {PREFIX}{command.name} was stopped.")
    return work.result()


async def _end(work: asyncio.Future[Result]) -> None:
    if not work.done():
        work.cancel()
        await asyncio.wait({work}, timeout=1.0)


commands = CommandRegistry()
