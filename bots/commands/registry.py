"""Every command is declared once; help, usage, JSON schema, completion and checks come from it.

A declaration:

    @commands.command("echo", EchoArgs)
    async def echo(context: CommandContext, args: EchoArgs) -> EchoResult:
        '''Say the same words back.'''
"""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import structlog

from bots.bot import Bot
from bots.commands import parse
from bots.commands.args import PREFIX, Args
from bots.commands.failures import failure_of
from bots.commands.result import Failure, Result
from bots.errors import CommandError, InvalidArguments, NotPermitted, UnknownCommand
from bots.origin import Fellow, Level, Origin
from bridge.errors import BotError

log = structlog.get_logger()

DEADLINE_S = 10.0

A = TypeVar("A", bound=Args)


@dataclass(frozen=True, slots=True)
class CommandContext:
    """On whom a command acts and who asked for it."""

    bot: Bot
    origin: Origin
    asked_by: str
    """The name the asker goes by in records."""
    commands: CommandRegistry

    @property
    def level(self) -> Level:
        return self.bot.permissions.level_of(self.origin)


@dataclass(frozen=True, slots=True)
class Command(Generic[A]):
    """One declaration."""

    name: str
    args: type[A]
    handler: Callable[[CommandContext, A], Awaitable[Result]]
    level: Level
    deadline_s: float
    allow_bots: bool
    overtakes: bool
    """It runs ahead of the asker's other commands, and `!stop` does not end it."""

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
        self._commands: dict[str, Command[Any]] = {}

    def command(
        self,
        name: str,
        args: type[A],
        *,
        level: Level = Level.PLAYER,
        deadline_s: float = DEADLINE_S,
        allow_bots: bool = False,
        overtakes: bool = False,
    ) -> Callable[[Handler[A]], Handler[A]]:
        """Declare a command; its help is the first line of the handler's docstring."""

        def register(handler: Handler[A]) -> Handler[A]:
            if name in self._commands:
                raise ValueError(f"command {name!r} is declared twice")
            self._commands[name] = Command(
                name, args, handler, level, deadline_s, allow_bots, overtakes
            )
            return handler

        return register

    def __iter__(self) -> Iterator[Command[Any]]:
        """All commands by name."""
        return iter(sorted(self._commands.values(), key=lambda command: command.name))

    def find(self, name: str) -> Command[Any]:
        """The command of this name. Raises `UnknownCommand` with the nearest known ones."""
        known = self._commands.get(name)
        if known is not None:
            return known
        near = difflib.get_close_matches(name, list(self._commands), n=1, cutoff=0.5)
        hint = f"Did you mean {PREFIX}{near[0]}?" if near else f"{PREFIX}help lists them."
        nearest = {"nearest": near[0]} if near else {}
        sentence = f"There is no command {PREFIX}{parse.quoted(name)}. {hint}"
        raise UnknownCommand("unknown_command", sentence, **nearest)

    def complete(self, beginning: str) -> list[str]:
        """Names, with their `!`, that go on from what was typed."""
        return [PREFIX + c.name for c in self if (PREFIX + c.name).startswith(beginning)]

    def overtakes(self, text: str) -> bool:
        """Whether this text must not wait behind earlier commands."""
        try:
            return self.find(parse.split(text)[0]).overtakes
        except CommandError:
            return False

    async def run(self, context: CommandContext, text: str) -> Result:
        """Run a command; whatever a user or the Minecraft side did wrong is a `Failure`."""
        name = ""
        try:
            name, rest = parse.split(text)
            result = await self._run(self.find(name), context, rest)
        except BotError as error:
            result = failure_of(error)
        reason = result.reason if isinstance(result, Failure) else None
        log.info(
            "command.finished",
            bot=context.bot.name,
            command=parse.quoted(name),
            origin=type(context.origin).__name__,
            asked_by=context.asked_by,
            reason=reason,
        )
        return result

    async def _run(self, command: Command[A], context: CommandContext, rest: str) -> Result:
        fields: parse.Fields = {}
        try:
            _permit(command, context)
            fields = parse.fields_of(command.args, rest)
            args = parse.check(command.args, fields)
            return await _within_deadline(command, context, args)
        except InvalidArguments as error:
            facts = command.args.failure_facts(fields)
            return failure_of(error, **facts, usage=command.usage)
        except BotError as error:
            return failure_of(error, **command.args.failure_facts(fields))


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
