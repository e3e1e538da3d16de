"""`!skill store`: keep a place in order."""

from __future__ import annotations

from pydantic import Field

from bots.bot.episode import Episode
from bots.bot.result import Facts, Result
from bots.catalogue.names import item_names
from bots.registry.args import ITEM_SPELLINGS, LenientArgs
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.skills.storing import Storing

STORING_S = 900.0


class StoreArgs(LenientArgs):
    also = dict.fromkeys((*ITEM_SPELLINGS, "itemName"), "items")
    json_only = frozenset({"nearest"})

    items: str = Field("", max_length=200)
    """Items or categories, with commas; all that it does not need unless given."""
    nearest: bool = False
    """Into the nearest chest, whosever it is, as against those it may use."""


class Stored(Facts):
    position: Point
    items: dict[str, int]


class StoreResult(Result):
    chests: tuple[Stored, ...]
    kept: dict[str, int]
    """What it would not put away."""
    message: str

    def episodes(self) -> tuple[Episode, ...]:
        return tuple(
            Episode("put", item, count, at=chest.position.position)
            for chest in self.chests
            for item, count in chest.items.items()
        )


@commands.command(
    "skill store", StoreArgs, world=True, deadline_s=STORING_S, example="!skill store cobblestone"
)
async def store(context: CommandContext, args: StoreArgs) -> StoreResult:
    """Put things into chests it may use, sorted by kind; the best tools, food and torches stay."""
    catalogue = await context.bot.catalogue()
    words = filter(None, map(str.strip, args.items.split(",")))
    named = {name for word in words for name in item_names(catalogue, word)}
    work = Storing(context.bot, context.job, catalogue, named, args.nearest)
    await work.run()
    put = (Stored(position=Point.of(one.position), items=dict(one.items)) for one in work.put)
    return StoreResult(chests=tuple(put), kept=dict(work.kept), message=str(work))
