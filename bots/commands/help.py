"""`!help`, `!help all`, `!help <family>`, `!help <command>`: help made from the declarations."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from bots.bot.result import Facts, Result
from bots.errors import UnknownCommand
from bots.registry.args import PREFIX, Args
from bots.registry.registry import Command, CommandContext, commands
from bots.registry.render import LINE

BETWEEN = "; "
"""Between two families or options on a line."""
ALL = "all"
GROUPS = {
    "Walk": ("go", "navigation"),
    "Get and make": ("goal", "skill", "chest", "area"),
    "Ask": ("status", "info", "knows", "history"),
    "Remember": ("remember", "recall", "forget"),
    "Talk": ("chat", "talk"),
    "End": ("stop",),
}
"""What a newcomer is shown: first words of commands, by what they are for."""


class HelpArgs(Args):
    command: str | None = None
    """A command, the first words of several, or all."""


class CommandHelp(Facts):
    name: str
    usage: str
    summary: str
    level: str
    """The least level that may run it."""
    aliases: tuple[str, ...]
    example: str

    @property
    def words(self) -> tuple[str, str]:
        """Its family, empty where it has none, and the rest of its name."""
        family, _, action = self.name.partition(" ")
        return (family, action) if action else ("", family)

    def lines(self) -> list[str]:
        example = [f"Example: {self.example}"] if self.example else []
        return [self.summary, f"Usage: {self.usage}", *example]


class OptionHelp(Facts):
    """One argument of the command that is explained."""

    name: str
    meaning: str
    default: str
    """As one would write it; empty where there is none."""

    def __str__(self) -> str:
        default = f" ({self.default})" if self.default else ""
        return f"{self.name}{default}: {self.meaning.rstrip('.')}"


class HelpResult(Result):
    commands: tuple[CommandHelp, ...]
    """The command asked for, then those whose names continue its own; or all commands."""
    explains: str | None
    """The name of the first, when the help is about that one."""
    options: tuple[OptionHelp, ...]
    """Its arguments."""

    def as_traced(self) -> dict[str, Any]:
        return {"success": True, "commands": [command.name for command in self.commands]}

    def lines(self) -> list[str]:
        if self.explains is None:
            return _overview(self.commands)
        explained, *others = self.commands
        return [
            *explained.lines(),
            *_packed(str(option) for option in self.options if option.meaning),
            *_overview(others),
        ]


class HelpOfGroups(HelpResult):
    """All commands for machines, the most useful ones for people."""

    def lines(self) -> list[str]:
        known = {command.name.partition(" ")[0] for command in self.commands}
        fitting = {
            label: [name for name in names if name in known] for label, names in GROUPS.items()
        }
        told = [
            f"{label}: {' '.join(PREFIX + name for name in names)}"
            for label, names in fitting.items()
            if names
        ]
        advice = f"Without {PREFIX} we just talk: say “come here”, or ask where I am."
        count = len(self.commands)
        first = next((names[0] for names in fitting.values() if names), "help")
        more = f"More of one: {PREFIX}help {first}. All {count}: {PREFIX}help {ALL}."
        return [*_packed(told), f"{more} {advice}"]


@commands.command("help", HelpArgs, example="!help chat")
async def help_(context: CommandContext, args: HelpArgs) -> HelpResult:
    """Name the most useful commands; all you may use (all), or explain one."""
    name = (args.command or "").strip().removeprefix(PREFIX)
    if name.casefold() in ("", ALL):
        rights = context.rights
        allowed = [command for command in context.commands if command.allows(rights)]
        listed = _help_of(context, allowed)
        return listed if name else HelpOfGroups(**dict(listed))
    spellings = context.commands.names.family(name)
    found = {command.name: command for command in map(context.commands.find, spellings)}
    members = [found[key] for key in sorted(found)]
    try:
        asked = context.commands.find(name)
    except UnknownCommand:
        if not members:
            raise
        return _help_of(context, members)
    options = tuple(
        OptionHelp(name=key, meaning=meaning, default=default)
        for key, meaning, default in asked.args.options()
    )
    helped = _help_of(context, [asked, *members])
    return helped.model_copy(update={"explains": asked.name, "options": options})


def _help_of(context: CommandContext, found: Iterable[Command[Args]]) -> HelpResult:
    helps = tuple(
        CommandHelp(
            name=command.name,
            usage=command.usage,
            summary=command.summary,
            level=command.level_in(context.bot.permissions).name.lower(),
            aliases=command.aliases,
            example=command.example,
        )
        for command in found
    )
    return HelpResult(commands=helps, explains=None, options=())


def _overview(found: Iterable[CommandHelp]) -> list[str]:
    """A line for the commands of one word, then the families, short ones sharing a line."""
    by_family = sorted(found, key=lambda command: command.words)
    families = groupby(by_family, key=lambda command: command.words[0])
    told = []
    for family, members in families:
        actions = [member.words[1] for member in members]
        # A family goes without its prefix: no line of ours begins like a command.
        single = "Commands: " + " ".join(PREFIX + action for action in actions)
        told.append(f"{family}: {', '.join(actions)}" if family else single)
    alone = 1 if by_family and not by_family[0].words[0] else 0
    return [*told[:alone], *_packed(told[alone:])]


def _packed(parts: Iterable[str]) -> list[str]:
    """Joined in order, as many to a line as a whisper holds."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(BETWEEN) + len(part) <= LINE:
            lines[-1] += BETWEEN + part
        else:
            lines.append(part)
    return lines
