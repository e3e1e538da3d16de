"""`!refresh`: take a new snapshot of everything, and report how long that took."""

from __future__ import annotations

from bots.bot.result import Number, Result
from bots.commands.info.all import REACH
from bots.registry.args import NoArgs
from bots.registry.registry import CommandContext, commands


class RefreshResult(Result):
    duration_ms: Number

    def lines(self) -> list[str]:
        return [f"Looked around anew in {self.duration_ms:g} ms."]


@commands.command("refresh", NoArgs, allow_bots=True, example="!refresh")
async def refresh(context: CommandContext, _args: NoArgs) -> RefreshResult:
    """Sense everything around anew; nothing is remembered from before."""
    stopwatch = context.bot.times.stopwatch
    began_s = stopwatch()
    await context.bot.snapshot(blocks_within=REACH)
    return RefreshResult(duration_ms=round((stopwatch() - began_s) * 1000, 1))
