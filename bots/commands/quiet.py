"""`!quiet on|off`: whether a bot reports only the end of a long command, or also its progress."""

from __future__ import annotations

from typing import Literal

from bots.access.origin import Level
from bots.bot.result import Result
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands


class QuietArgs(Args):
    state: Literal["on", "off"] | None = None
    """Unless given, nothing changes."""


class QuietResult(Result):
    quiet: bool

    def lines(self) -> list[str]:
        if self.quiet:
            return ["I am quiet: of a long command I tell only the end."]
        return ["I tell how a long command goes."]


@commands.command("quiet", QuietArgs, level=Level.TRUSTED, example="!quiet on")
async def quiet(context: CommandContext, args: QuietArgs) -> QuietResult:
    """Tell of long commands only their end (on), or also how they go (off)."""
    if args.state is not None:
        context.bot.quiet = args.state == "on"
    return QuietResult(quiet=context.bot.quiet)
