"""Every command there is. Only `bots.app` and tools load it; all others are handed the registry."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

import bots.commands
from bots.access.origin import Operator, Origin
from bots.bot.bot import Bot
from bots.bot.result import Result
from bots.registry.registry import CommandContext, commands

__all__ = ["commands", "handle_chat_command"]

for module in walk_packages(bots.commands.__path__, "bots.commands."):
    import_module(module.name)  # declares its commands in `commands`


async def handle_chat_command(
    bot: Bot, username: str, text: str, origin: Origin | None = None
) -> Result:
    """Run a command from Python. Errors of the user and of Minecraft come as a `Failure`.

    `username` is the name records give the asker. Without an `origin` the command runs as an
    operator's, whatever the name. Nothing is whispered: the dispatcher does that."""
    context = CommandContext(bot, origin or Operator("python"), username, commands)
    return await commands.run(context, text)
