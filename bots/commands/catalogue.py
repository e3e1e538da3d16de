"""Every command there is. Only `bots.app` and tools load it; all others are handed the registry."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TypeVar, overload

import bots.commands
from bots.access.origin import Operator, Origin
from bots.bot.bot import Bot
from bots.bot.result import Failure, Result
from bots.errors import CommandError
from bots.registry.registry import CommandContext, commands

__all__ = ["commands", "handle_chat_command"]

R = TypeVar("R", bound=Result)

for module in walk_packages(bots.commands.__path__, "bots.commands."):
    import_module(module.name)  # declares its commands in `commands`


@overload
async def handle_chat_command(
    bot: Bot, username: str, text: str, origin: Origin | None = None
) -> Result: ...


@overload
async def handle_chat_command(
    bot: Bot, username: str, text: str, origin: Origin | None = None, *, gives: type[R]
) -> R: ...


async def handle_chat_command(
    bot: Bot,
    username: str,
    text: str,
    origin: Origin | None = None,
    *,
    gives: type[Result] | None = None,
) -> Result:
    """Run a command from Python. Errors of the user and of Minecraft come as a `Failure`; with
    `gives`, the type of the command's result, they are raised as a CommandError instead.

    `username` is the name records give the asker. Without an `origin` the command runs as an
    operator's, whatever the name. Nothing is whispered: the dispatcher does that."""
    context = CommandContext(bot, origin or Operator("python"), username, commands)
    result = await commands.run(context, text)
    if gives is None or isinstance(result, gives):
        return result
    if isinstance(result, Failure):
        raise CommandError(result.reason, result.message, **result.data)
    raise TypeError(f"the command gives {type(result).__name__}, not {gives.__name__}")
