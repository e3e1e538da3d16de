"""`!skill gather | gatherWood | collectDrops | moveTo`: go and get; some also as `!primitive`."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from bots.access.origin import Level
from bots.bot.episode import Episode
from bots.bot.result import Number, Result
from bots.catalogue.names import block_names
from bots.errors import ActionFailed, CommandError, NotPermitted
from bots.registry.args import ITEM_SPELLINGS, Coordinates, LenientArgs, Point, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.bag import BagRoom
from bots.skills.gathering import Gathering, GatherLimits, gather_target
from bots.skills.pointed import PointedWork
from bots.skills.walking import LONGEST_S, walk, walk_to_kind
from bots.text.numbers import in_blocks
from bots.words import saying
from bridge.actions import CollectDrops
from bridge.world import Position

DEADLINE_S = 1_800.0
_POINTED = re.compile(
    r"(?P<name>\S.*?)(?:\s+(?P<count>\d+))?\s+at\s+(?P<at>-?\d+(?:[\s,]+-?\d+){2})"
)
RADIUS = 12.0  # blocks
PRIMITIVE_RADIUS = 6.0


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
    taken = GatherResult.model_validate({**work.facts(), "message": message})
    return taken.with_outcome(saying("did.take", n=work.dug, thing=work.kind, have=work.have))


class CollectDropsArgs(LenientArgs):
    radius: float = Field(RADIUS, ge=1, le=64, allow_inf_nan=False)
    """Blocks around."""
    max_attempts: int = Field(3, ge=1, le=20)
    """Rounds in which it tries to get what is left."""


class NearDropsArgs(LenientArgs):
    radius: float = Field(PRIMITIVE_RADIUS, ge=1, le=64, allow_inf_nan=False)
    """Blocks around."""


class CollectDropsResult(Result):
    collected: dict[str, int]
    count: int

    def lines(self) -> list[str]:
        named = ", ".join(f"{count} {name}" for name, count in self.collected.items())
        return [f"Picked up {named}."]

    def episodes(self) -> tuple[Episode, ...]:
        return tuple(Episode("got", item, count) for item, count in self.collected.items())


@commands.command(
    "skill collectDrops", CollectDropsArgs, world=True, example='!skill collectDrops {"radius": 12}'
)
async def collect_drops(context: CommandContext, args: CollectDropsArgs) -> CollectDropsResult:
    """Walk over what lies about until nothing more can be had."""
    return await _collect(context, args.radius, args.max_attempts)


@commands.command(
    "primitive collectDrops",
    NearDropsArgs,
    world=True,
    example='!primitive collectDrops {"radius": 6}',
)
async def collect_near(context: CommandContext, args: NearDropsArgs) -> CollectDropsResult:
    """Walk once over what lies near."""
    return await _collect(context, args.radius, 1)


async def _collect(context: CommandContext, radius: float, attempts: int) -> CollectDropsResult:
    before = (await context.bot.snapshot()).counts()
    refusal: ActionFailed | None = None
    for _ in range(attempts):
        try:
            await context.job.act(CollectDrops(radius))
        except ActionFailed as failed:
            refusal = failed
            if failed.reason in ("not_found", "not_recognised", "inventory_full"):
                break
    gained = dict((await context.bot.snapshot()).counts() - before)
    if refusal is not None and (not gained or refusal.reason == "inventory_full"):
        raise CommandError(refusal.reason, refusal.message, collected=gained)
    return CollectDropsResult(collected=gained, count=sum(gained.values()))


class MoveToArgs(PointArgs):
    also: ClassVar = {"coords": "position", "block": "blockType"}
    is_needed: ClassVar = False
    json_only: ClassVar = frozenset({"position", "block_type", "max_distance"})

    range: float = Field(3.0, ge=0, le=32, allow_inf_nan=False)
    """Blocks from the goal that are near enough."""
    block_type: str | None = Field(None, min_length=1, max_length=64)
    """Instead of a point: the nearest block of this name or category."""
    max_distance: int = Field(32, ge=1, le=128)
    """How far to look for the block."""

    @model_validator(mode="after")
    def _one_goal(self) -> Self:
        if (self.point is None) == (self.block_type is None):
            raise ValueError("give either a position or a blockType")
        return self

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        is_name = bool(rest) and not rest.lstrip("-+.")[:1].isdigit()
        return {"blockType": rest} if is_name else super().from_words(rest)


class WalkArgs(PointArgs):
    json_only: ClassVar = frozenset({"position", "timeout"})

    range: float = Field(0.0, ge=0, le=32, allow_inf_nan=False)
    """Blocks from the point that are near enough."""
    timeout: int | None = Field(None, ge=100, le=600_000)
    """Milliseconds; null means the longest a walk may take. Unless given, by the distance."""

    @property
    def deadline_s(self) -> float | None:
        if self.timeout is None:
            return LONGEST_S if "timeout" in self.model_fields_set else None
        return self.timeout / 1000


class MoveToResult(Result):
    position: Point
    """Where the bot stands now."""
    target: Point
    distance: Number
    """Blocks from the target."""
    block: str | None = None
    """The kind of block it went to."""

    @classmethod
    def of(cls, here: Position, target: Position, block: str | None = None) -> MoveToResult:
        distance = round(here.distance_to(target), 1)
        return cls(position=Point.of(here), target=Point.of(target), distance=distance, block=block)

    def lines(self) -> list[str]:
        to = f" by {self.block}" if self.block else ""
        return [f"At {self.position}{to}, {in_blocks(self.distance)} from {self.target}."]

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("went", self.block or "", at=self.target.position),)


@commands.command("skill moveTo", MoveToArgs, world=True, example="!skill moveTo 10 64 8")
async def move_to(context: CommandContext, args: MoveToArgs) -> MoveToResult:
    """Walk to a point, or to the nearest block of a kind."""
    if args.standing is not None:
        here = await walk(context.bot, context.job, args.standing, args.range, may_pillar=True)
        return MoveToResult.of(here, args.standing)
    assert args.block_type is not None
    names = block_names(await context.bot.catalogue(), args.block_type)
    beside = max(args.range, 2.0)  # nobody can stand inside a block
    block, here = await walk_to_kind(
        context.bot, context.job, names, args.block_type, args.max_distance, beside
    )
    return MoveToResult.of(here, block.position, block.name)


@commands.command("primitive moveTo", WalkArgs, world=True, example="!primitive moveTo 10 64 8")
async def walk_to(context: CommandContext, args: WalkArgs) -> MoveToResult:
    """Walk to a point."""
    assert args.standing is not None
    here = await walk(
        context.bot,
        context.job,
        args.standing,
        args.range,
        deadline_s=args.deadline_s,
        may_pillar=True,
    )
    return MoveToResult.of(here, args.standing)
