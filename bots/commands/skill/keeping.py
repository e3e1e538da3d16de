"""`!skill store | light | tend`: keep a place in order."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.access.origin import Person
from bots.bot.episode import Episode
from bots.bot.result import Facts, Result
from bots.catalogue.counted import told
from bots.catalogue.names import item_names
from bots.commands.goal import reach_first
from bots.errors import CommandError
from bots.goals.runner.run import Limits
from bots.registry.args import ITEM_SPELLINGS, LenientArgs, Point, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.lighting import Lighting
from bots.skills.storing import Storing
from bots.skills.tending import Tending
from bots.skills.tunnelling import TORCH
from bots.text.plurals import counted

STORING_S, LIGHTING_S, TENDING_S = 900.0, 1_800.0, 86_400.0
NEAR = Limits(sight=16, outlooks=0)
"""Torches are made of what is carried or stands near; nobody walks off for coal."""


class StoreArgs(LenientArgs):
    also: ClassVar = dict.fromkeys((*ITEM_SPELLINGS, "itemName"), "items")
    json_only: ClassVar = frozenset({"nearest"})

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
    stored = StoreResult(chests=tuple(put), kept=dict(work.kept), message=told(work.outcome, "en"))
    return stored.with_outcome(work.outcome)


class LightArgs(PointArgs):
    is_needed: ClassVar = False

    radius: int = Field(12, ge=2, le=16)
    """Blocks around that are lit."""

    @classmethod
    def word_fields(cls) -> list[str]:
        return ["radius", "x", "y", "z"]


class LightResult(Result):
    torches: tuple[Point, ...]
    """Where it put them."""
    dark: int
    """Blocks of ground on which monsters may still appear."""
    message: str

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("placed", TORCH, len(self.torches)),)


@commands.command(
    "skill light", LightArgs, world=True, deadline_s=LIGHTING_S, example="!skill light 12"
)
async def light(context: CommandContext, args: LightArgs) -> LightResult:
    """Put torches so that no ground near is dark enough for monsters; makes them first."""
    bot, here = context.bot, (await context.bot.snapshot()).position

    async def make(count: int) -> None:
        await reach_first(context, [f"inventory.{TORCH}:{count}"], NEAR)

    work = Lighting(bot, context.job, args.radius, _glow, make)
    await work.run(args.block or here)
    put = tuple(map(Point.of, work.placed))
    message = told(work.outcome, "en")
    if work.lacks:
        where = [torch.as_json() for torch in put]
        sentence = f"{message} {work.lacks}"
        raise CommandError("missing_item", sentence, torches=where, dark=work.dark)
    lit = LightResult(torches=put, dark=work.dark, message=message)
    return lit.with_outcome(work.outcome)


def _glow(block: str) -> int:
    from bots.vision.grid import look_of  # with it comes numpy, which no start should wait for

    return look_of(block).glow


class TendArgs(PointArgs):
    is_needed: ClassVar = False


class TendResult(Result):
    plots: int
    reaped: int


@commands.command(
    "skill tend",
    TendArgs,
    world=True,
    deadline_s=TENDING_S,
    ended_by="!stop",
    example="!skill tend 10 64 8",
)
async def tend(context: CommandContext, args: TendArgs) -> TendResult:
    """Reap and sow a field, the one you stand by unless given, and put the harvest away."""
    catalogue, world = await context.bot.catalogue(), await context.bot.snapshot()
    asker = world.player(context.origin.name) if isinstance(context.origin, Person) else None
    place = args.block or (None if asker is None else asker.position)
    work = Tending(context.bot, context.job, catalogue, context.level, place)
    await work.find()
    context.job.intent = f"I tend a field of {counted(len(work.plots), 'plot')} until you say !stop"
    await work.run()
    return TendResult(plots=len(work.plots), reaped=work.reaped)
