"""`!skill place <itemName> [x y z]`, also as `!creative placeBlock`: put a block down."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.bot.episode import Episode
from bots.bot.result import Result
from bots.errors import CommandError
from bots.registry.args import ITEM_SPELLINGS
from bots.registry.points import Point, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.item_words import item_name
from bots.skills.placing import Placed, place
from bots.skills.reach import REACH
from bridge.world import Position


class PlaceArgs(PointArgs):
    also: ClassVar = {**ITEM_SPELLINGS, "coords": "position"}
    is_needed: ClassVar = False
    json_only: ClassVar = frozenset({"position", "allow_self_position", "reach"})

    item_name: str = Field(min_length=1, max_length=64)
    """The block to place."""
    allow_self_position: bool = False
    """Whether it may be put where the bot itself stands: torches, carpets."""
    reach: float = Field(REACH, ge=2, le=REACH, allow_inf_nan=False)
    """How near to come, in blocks."""

    @classmethod
    def word_fields(cls) -> list[str]:
        return ["item_name", "x", "y", "z"]


class PlaceResult(Result):
    item_name: str
    position: Point
    block: str
    """What stands there now."""
    left: int
    message: str

    def lines(self) -> list[str]:
        return [self.message]

    @classmethod
    def of(cls, item: str, placed: Placed) -> PlaceResult:
        where = Point.of(placed.position)
        return cls(
            item_name=item,
            position=where,
            block=placed.block,
            left=placed.left,
            message=f"Placed {placed.block} at {where}; {placed.left} left.",
        )

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("placed", self.item_name, at=self.position.position),)


@commands.command(
    "skill place",
    PlaceArgs,
    world=True,
    aliases=("skill place_block", "creative placeBlock"),
    example='!skill place {"itemName": "crafting_table", "position": [10, 64, 8]}',
)
async def skill_place(context: CommandContext, args: PlaceArgs) -> PlaceResult:
    """Put a carried block down, where it is wanted or somewhere near."""
    item = item_name(await context.bot.catalogue(), args.item_name)
    if args.block is not None and not args.allow_self_position:
        await _require_elsewhere(context, args.block)
    placed = await place(context.job, context.bot, item, args.block, args.reach)
    return PlaceResult.of(item, placed)


async def _require_elsewhere(context: CommandContext, where: Position) -> None:
    feet = (await context.bot.snapshot()).position.block
    if where in (feet, Position(feet.x, feet.y + 1, feet.z)):
        raise CommandError(
            "blocked", "The bot itself stands there.", position=Point.of(where).as_json()
        )
