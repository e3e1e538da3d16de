"""`!skill gather <itemName> [count]`, `!skill gatherWood [count]`: break blocks until so many more
are in the inventory."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pydantic import Field

from bots.access.origin import Level
from bots.bot.episode import Episode
from bots.bot.result import Result
from bots.errors import NotPermitted
from bots.registry.args import ITEM_SPELLINGS, LenientArgs
from bots.registry.points import Coordinates
from bots.registry.registry import CommandContext, commands
from bots.skills.bag import BagRoom
from bots.skills.gathering import Gathering, GatherLimits, gather_target
from bots.skills.pointed import PointedWork
from bridge.world import Position

DEADLINE_S = 1_800.0
_POINTED = re.compile(
    r"(?P<name>\S.*?)(?:\s+(?P<count>\d+))?\s+at\s+(?P<at>-?\d+(?:[\s,]+-?\d+){2})"
)


class GatherArgs(LenientArgs):
    also: ClassVar = {**ITEM_SPELLINGS, "position": "at", "coords": "at"}
    json_only: ClassVar = frozenset(
        {
            "at",
            "max_distance",
            "approach_range",
            "collect_radius",
            "collect_delay_ms",
            "max_attempts",
            "max_avoid_list_size",
            "search_sample_size",
        }
    )

    item_name: str = Field(min_length=1, max_length=64)
    """A block, an item that blocks drop, or a category: log, planks, ore, leaves …"""
    count: int = Field(1, ge=1, le=2_304)
    """How many more than now; an inventory holds 36 stacks."""
    at: Coordinates | None = None
    """A block: what hangs together with it is taken, whoever built it, and nothing else; `count`
    of these blocks, all unless given."""
    max_distance: int = Field(100, ge=1, le=128)
    """How far to look for blocks."""
    approach_range: float = Field(2.0, ge=1, le=4, allow_inf_nan=False)
    """How near to come to a block, in blocks."""
    collect_radius: float = Field(30.0, ge=1, le=64, allow_inf_nan=False)
    """Blocks around in which drops are picked up."""
    collect_delay_ms: int = Field(200, ge=0, le=10_000)
    """Milliseconds that drops get to fall."""
    max_attempts: int = Field(20, ge=1, le=200)
    """Attempts in a row without a gain before it gives up."""
    max_avoid_list_size: int = Field(32, ge=1, le=256)
    """Blocks out of reach after which it gives up."""
    search_sample_size: int = Field(1, ge=1, le=64)
    """Blocks looked at to choose the next from."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        pointed = _POINTED.fullmatch(rest.strip())
        if pointed is None:
            return super().from_words(rest)
        at = list(map(float, re.split(r"[\s,]+", pointed["at"])))
        given = {"itemName": pointed["name"], "count": pointed["count"], "at": at}
        return {key: value for key, value in given.items() if value is not None}

    @property
    def limits(self) -> GatherLimits:
        return GatherLimits(
            max_distance=self.max_distance,
            approach_range=self.approach_range,
            collect_radius=self.collect_radius,
            collect_delay_s=self.collect_delay_ms / 1000,
            max_attempts=self.max_attempts,
            max_avoided=self.max_avoid_list_size,
            sample_size=self.search_sample_size,
        )


class GatherWoodArgs(GatherArgs):
    item_name: str = Field("log", min_length=1, max_length=64)
    """The wood; of any kind unless given."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        return {"count": rest} if rest.isdecimal() else super().from_words(rest)


class GatherResult(Result):
    item_name: str
    count: int
    gathered: int
    """How many more are carried than before."""
    before: int
    have: int
    dug: int
    """Blocks broken; what they drop may be more or less."""
    avoided: int
    """Blocks given up because they could not be reached."""
    message: str

    def lines(self) -> list[str]:
        return [self.message]

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("got", self.item_name, self.gathered),)


@commands.command(
    "skill gather",
    GatherArgs,
    world=True,
    deadline_s=DEADLINE_S,
    example='!skill gather {"itemName": "oak_log", "count": 3}',
)
async def gather(context: CommandContext, args: GatherArgs) -> GatherResult:
    """Break blocks and pick up what they drop until so many more are carried."""
    return await _gathered(context, args)


@commands.command(
    "skill gatherWood",
    GatherWoodArgs,
    world=True,
    deadline_s=DEADLINE_S,
    example='!skill gatherWood {"count": 10}',
)
async def gather_wood(context: CommandContext, args: GatherWoodArgs) -> GatherResult:
    """Break logs and pick them up until so many more are carried."""
    return await _gathered(context, args)


async def _gathered(context: CommandContext, args: GatherArgs) -> GatherResult:
    catalogue = await context.bot.catalogue()
    room = BagRoom(context.bot, context.job, catalogue)
    if args.at is not None:
        return await _taken(context, args, args.at, room)
    work = Gathering(
        context.bot,
        context.job,
        catalogue,
        gather_target(catalogue, args.item_name),
        args.count,
        args.limits,
        room=room,
    )
    await work.run()
    message = f"Gathered {work.gathered} {work.wanted.word}, now {work.have}.{await room.tell()}"
    return GatherResult.model_validate({**work.facts(), "message": message})


async def _taken(
    context: CommandContext, args: GatherArgs, at: Position, room: BagRoom
) -> GatherResult:
    if context.level < Level.TRUSTED:
        sentence = "Sorry, what others built I take only for those whom my owner trusts."
        raise NotPermitted("not_permitted", sentence, level="trusted")
    work = PointedWork(
        context.bot,
        context.job,
        room.catalogue,
        args.item_name,
        at.block,
        args.count if "count" in args.model_fields_set else None,
        context.level,
        room,
    )
    await work.run()
    message = f"I took {work}, now {work.have}.{await room.tell()}"
    return GatherResult.model_validate({**work.facts(), "message": message})
