"""`!help` and `!help <command>`: what can be asked of a bot, from the declarations."""

from __future__ import annotations

from bots.commands.args import PREFIX, Args
from bots.commands.declared import commands
from bots.commands.registry import Command, CommandContext
from bots.commands.result import Facts, Result


class HelpArgs(Args):
    command: str | None = None


class CommandHelp(Facts):
    name: str
    usage: str
    summary: str
    level: str
    """The least level that may run it."""


class HelpResult(Result):
    commands: tuple[CommandHelp, ...]

    def lines(self) -> list[str]:
        if len(self.commands) == 1:
            return [self.commands[0].summary, f"Usage: {self.commands[0].usage}"]
        names = " ".join(PREFIX + command.name for command in self.commands)
        more = f"More with {PREFIX}help <command>. Without {PREFIX} we just talk."
        return [f"Commands: {names}", more]


@commands.command("help", HelpArgs)
async def help_(context: CommandContext, args: HelpArgs) -> HelpResult:
    """List the commands you may use, or explain one."""
    if args.command is not None:
        name = args.command.removeprefix(PREFIX).lower()
        return HelpResult(commands=(_help_of(context.commands.find(name)),))
    allowed = (command for command in context.commands if command.allows(context))
    return HelpResult(commands=tuple(map(_help_of, allowed)))


def _help_of(command: Command[Args]) -> CommandHelp:
    return CommandHelp(
        name=command.name,
        usage=command.usage,
        summary=command.summary,
        level=command.level.name.lower(),
    )
