"""`!skill moveTo <x y z>` or `<blockType>`, `!primitive moveTo <x y z>`: walk somewhere."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from bots.bot.episode import Episode
from bots.bot.result import Number, Result
from bots.errors import ActionFailed, CommandError
from bots.registry.points import Point, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.item_words import block_names
from bots.skills.walking import LONGEST_S, walk
from bots.text.numbers import in_blocks
from bridge.actions import FindBlocks
from bridge.world import BlockSighting, Position

TRIED = 8  # blocks of a kind, nearest first


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

    def lines(self) -> list[str]:
        to = f" by {self.block}" if self.block else ""
        return [f"At {self.position}{to}, {in_blocks(self.distance)} from {self.target}."]

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("went", self.block or "", at=self.target.position),)


@commands.command("skill moveTo", MoveToArgs, world=True, example="!skill moveTo 10 64 8")
async def move_to(context: CommandContext, args: MoveToArgs) -> MoveToResult:
    """Walk to a point, or to the nearest block of a kind."""
    if args.standing is not None:
        return await _walk(context, args.standing, args.range)
    assert args.block_type is not None
    found = await _nearest(context, args.block_type, args.max_distance)
    for sighting in found:
        beside = max(args.range, 2.0)  # nobody can stand inside a block
        try:
            arrived = await _walk(context, sighting.position, beside)
        except ActionFailed as failed:
            if failed.reason in ("died", "unconfirmed"):
                raise
            continue
        return arrived.model_copy(update={"block": sighting.name})
    sentence = f"No way leads to the {len(found)} {args.block_type} nearest."
    raise CommandError("no_path", sentence, found=len(found))


@commands.command("primitive moveTo", WalkArgs, world=True, example="!primitive moveTo 10 64 8")
async def walk_to(context: CommandContext, args: WalkArgs) -> MoveToResult:
    """Walk to a point."""
    assert args.standing is not None
    return await _walk(context, args.standing, args.range, args.deadline_s)


async def _walk(
    context: CommandContext, goal: Position, within: float, deadline_s: float | None = None
) -> MoveToResult:
    here = await walk(
        context.bot, context.job, goal, within, deadline_s=deadline_s, may_pillar=True
    )
    distance = round(here.distance_to(goal), 1)
    return MoveToResult(position=Point.of(here), target=Point.of(goal), distance=distance)


async def _nearest(
    context: CommandContext, word: str, max_distance: int
) -> tuple[BlockSighting, ...]:
    names = block_names(await context.bot.catalogue(), word)
    found = await context.bot.query(FindBlocks(names, max_distance, TRIED))
    if not found:
        sentence = f"There is no {word} within {in_blocks(max_distance)}."
        raise CommandError("not_found", sentence, maxDistance=max_distance)
    return found
