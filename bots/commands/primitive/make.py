"""`!primitive placeBlock` and `craftItem`: place and craft in reach, without walking."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from bots.commands.skill.craft import CraftArgs, CraftResult
from bots.commands.skill.place import PlaceResult
from bots.errors import CommandError
from bots.registry.points import Coordinates, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.crafting import craft
from bots.skills.first_sight import require_carried, require_in_reach
from bots.skills.item_words import item_name
from bots.skills.placing import Placed
from bridge.actions import BlockAt, Place
from bridge.world import Position

TABLE_RADIUS = 4  # blocks: in reach, or a step away

_FACES = {
    "up": (0, 1, 0),
    "down": (0, -1, 0),
    "north": (0, 0, -1),
    "south": (0, 0, 1),
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
}
Face = Literal["up", "down", "north", "south", "east", "west"]


class PlaceBlockArgs(PointArgs):
    also: ClassVar = {"coords": "position", "item": "itemName", "name": "itemName"}
    is_needed: ClassVar = False
    json_only: ClassVar = frozenset({"position", "item_name", "reference", "face"})

    item_name: str | None = Field(None, min_length=1, max_length=64)
    """Unless given, what is held."""
    reference: Coordinates | None = None
    """Instead of a position: the block to build against …"""
    face: Face | Coordinates = "up"
    """… and the side of it, by name or as [x, y, z]."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.point is None) == (self.reference is None):
            raise ValueError("give either a position or a reference with a face")
        return self

    @property
    def where(self) -> Position:
        if self.block is not None:
            return self.block
        assert self.reference is not None
        face = Position(*_FACES[self.face]) if isinstance(self.face, str) else self.face
        at = self.reference.block
        return Position(at.x + face.x, at.y + face.y, at.z + face.z).block


@commands.command(
    "primitive placeBlock",
    PlaceBlockArgs,
    world=True,
    deadline_s=30.0,
    example='!primitive placeBlock {"reference": [10, 63, 8], "face": "up"}',
)
async def place_block(context: CommandContext, args: PlaceBlockArgs) -> PlaceResult:
    """Put a block down in reach: what is held, or the item named."""
    item = await _item(context, args.item_name)
    await require_carried(context.job, item)
    await require_in_reach(context.job, args.where)
    await context.job.act(Place(item, args.where))
    there = await context.bot.query(BlockAt(args.where))
    left = (await context.bot.snapshot()).count(item)
    return PlaceResult.of(item, Placed(args.where, there[0].name if there else item, left))


@commands.command(
    "primitive craftItem",
    CraftArgs,
    world=True,
    example='!primitive craftItem {"itemName": "stick", "count": 4}',
)
async def craft_item(context: CommandContext, args: CraftArgs) -> CraftResult:
    """Craft by hand or at a table in reach."""
    item = item_name(await context.bot.catalogue(), args.item_name)
    crafted = await craft(
        context.job, context.bot, item, args.count, radius=TABLE_RADIUS, may_place=False
    )
    return CraftResult.of(item, args.count, crafted)


async def _item(context: CommandContext, named: str | None) -> str:
    if named is not None:
        return item_name(await context.bot.catalogue(), named)
    held = (await context.bot.snapshot()).held
    if held is None:
        raise CommandError("missing_item", "Nothing is held; name an item to place.")
    return held.name
