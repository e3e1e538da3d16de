"""Every command there is. Only `bots.app` and tools load it; all others are handed the registry."""

from __future__ import annotations

from bots.access.origin import Operator, Origin
from bots.bot.bot import Bot
from bots.bot.result import Result
from bots.commands import (
    chat,
    echo,
    goal,
    help,
    history,
    idle,
    look,
    quiet,
    refresh,
    status,
    stop,
    talk,
    thoughts,
)
from bots.commands.info import all as info_all
from bots.commands.info import recipes, scan_blocks, vision
from bots.commands.navigation import chests, following, handing, places, walking
from bots.commands.primitive import dig, find, make
from bots.commands.skill import collect_drops, craft, eat, equip, gather, move_to, place, smelt
from bots.registry.registry import CommandContext, commands

LOADED = (
    *(chat, echo, goal, help, history, idle, look, quiet, refresh, status, stop, talk, thoughts),
    *(info_all, recipes, scan_blocks, vision),
    *(chests, following, handing, places, walking),
    *(dig, find, make),
    *(collect_drops, craft, eat, equip, gather, move_to, place, smelt),
)
"""Loading a module declares its commands in `commands`."""

__all__ = ["LOADED", "commands", "handle_chat_command"]


async def handle_chat_command(
    bot: Bot, username: str, text: str, origin: Origin | None = None
) -> Result:
    """Run a command from Python; whatever a user can do wrong is a `Failure`.

    Without an `origin` it acts as an operator, whoever `username` is; the name goes into the
    records. Nothing is whispered back: that is the dispatcher's part."""
    context = CommandContext(bot, origin or Operator("python"), username, commands)
    return await commands.run(context, text)
