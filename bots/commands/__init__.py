"""`!name args` commands: one declaration and one file each."""

from __future__ import annotations

from bots.bot import Bot
from bots.commands import (  # noqa: F401  each declares its commands in `commands`
    chat,
    echo,
    goal,
    help,
    history,
    idle,
    info,
    info_recipes,
    info_scan,
    info_vision,
    look,
    navigation,
    primitive_dig,
    primitive_find,
    primitive_make,
    quiet,
    refresh,
    skill_collect_drops,
    skill_craft,
    skill_eat,
    skill_equip,
    skill_gather,
    skill_move_to,
    skill_place,
    skill_smelt,
    status,
    stop,
    talk,
    thoughts,
)
from bots.commands.args import PREFIX, Args, NoArgs
from bots.commands.declared import commands
from bots.commands.registry import Command, CommandContext, CommandRegistry
from bots.commands.render import render
from bots.commands.result import Failure, Result
from bots.origin import Operator, Origin

__all__ = [
    "PREFIX",
    "Args",
    "Command",
    "CommandContext",
    "CommandRegistry",
    "Failure",
    "NoArgs",
    "Result",
    "commands",
    "handle_chat_command",
    "render",
]


async def handle_chat_command(
    bot: Bot, username: str, text: str, origin: Origin | None = None
) -> Result:
    """Run a command from Python; whatever a user can do wrong is a `Failure`.

    Without an `origin` it acts as an operator, whoever `username` is; the name goes into the
    records. Nothing is whispered back: that is the dispatcher's part."""
    context = CommandContext(bot, origin or Operator("python"), username, commands)
    return await commands.run(context, text)
