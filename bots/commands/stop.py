"""`!stop`: end whatever the bot is doing. It works without a model and without the bridge."""

from __future__ import annotations

from typing import Any

from bots.access.origin import Origin
from bots.bot.result import Result
from bots.bot.stoppables import may_be_stopped_by
from bots.errors import NotPermitted
from bots.registry.args import NoArgs
from bots.registry.registry import CommandContext, commands


class StopResult(Result):
    stopped_actions: tuple[str, ...]
    message: str

    def lines(self) -> list[str]:
        return [self.message]


class StopArgs(NoArgs):
    """Whatever is written behind it changes nothing: `!stop it` stops."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        return {}


@commands.command("stop", StopArgs, example="!stop", overtakes=True, personal=True)
async def stop(context: CommandContext, _args: StopArgs) -> StopResult:
    """Stop everything the bot is doing; players stop what they started."""

    may_stop = may_be_stopped_by(context.origin, context.asker_level)

    def others(started_by: Origin | None) -> bool:
        return started_by is not None and not may_stop(started_by)

    stopped = tuple(await context.bot.stop(may_stop))
    goes_on = [*context.bot.doing_for(others), *context.bot.waiting_for(others)]
    if not stopped and goes_on:
        sentence = f"Somebody else started {', '.join(goes_on)}; a trusted player may stop that."
        raise NotPermitted("not_permitted", sentence, goesOn=goes_on)
    message = f"Stopped: {', '.join(stopped)}." if stopped else "Nothing was running."
    return StopResult(stopped_actions=stopped, message=message)
