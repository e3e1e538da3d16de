"""`!info all`: everything the bot senses, from one snapshot."""

from __future__ import annotations

from pydantic import Field

from bots.bot.result import Result
from bots.commands.info.sections import AllInfo
from bots.errors import InvalidArguments
from bots.registry.args import Args
from bots.registry.places import places_known
from bots.registry.registry import CommandContext, commands

ALL = "all"
REACH = 8  # blocks; `nearby` counts the blocks of the cube that reaches so far


class InfoArgs(Args):
    type: str = Field(ALL)
    """What to tell; all."""


class InfoResult(Result):
    type: str
    data: AllInfo

    def lines(self) -> list[str]:
        return self.data.lines()


@commands.command("info", InfoArgs, tells=places_known, example="!info all", allow_bots=True)
async def info(context: CommandContext, args: InfoArgs) -> InfoResult:
    """Tell all the bot senses: inventory, position, players, blocks."""
    section = args.type.lower()
    if section != ALL:
        family = context.commands.names.family("info")
        known = [ALL, *(name.partition(" ")[2] for name in family)]
        sentence = f"There is no such information; there is: {', '.join(known)}."
        raise InvalidArguments("invalid_format", sentence, known=known)
    world = await context.bot.snapshot(blocks_within=REACH)
    places = context.bot.locations.all(context.may_know)
    return InfoResult(type=section, data=AllInfo.of(world, places))
