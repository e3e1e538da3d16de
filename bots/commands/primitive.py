"""`!primitive …`: single actions in reach, without a plan."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from bots.bot.episode import Episode
from bots.bot.result import Facts, Number, Result
from bots.catalogue.names import block_names, item_name, unknown
from bots.commands.skill.making import CraftArgs, CraftResult, PlaceResult
from bots.errors import CommandError
from bots.registry.args import Coordinates, LenientArgs, Point, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.belongings import require_carried, require_in_reach
from bots.skills.making import craft
from bots.skills.placing import Placed
from bots.skills.tools import best_tool, hold_best_tool, hold_fastest_tool
from bots.text.numbers import in_blocks
from bots.text.spelling import plain
from bridge.actions import BlockAt, Dig, FindBlocks, Place
from bridge.catalogue import BlockFacts, Catalogue
from bridge.world import BlockSighting, Position

DIGGING_S = 300.0  # obsidian by hand takes 250 s
MOST_NAMES = 64
Word: TypeAlias = str
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


class DigArgs(PointArgs):
    pass


class DigResult(Result):
    block: str
    position: Point
    tool: str | None
    """What was held; null for the bare hand."""
    gained: dict[str, int]
    """What came into the inventory."""
    warning: str | None
    """Why nothing came of it, where the tool is to blame."""

    def lines(self) -> list[str]:
        gained = ", ".join(f"{count} {name}" for name, count in self.gained.items())
        dug = f"Dug {self.block} at {self.position}; got {gained or 'nothing'}."
        return [dug, self.warning] if self.warning else [dug]

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("dug", self.block, at=self.position.position),)


class BlockToolArgs(PointArgs):
    is_needed: ClassVar = False
    also: ClassVar = {"coords": "position", "block": "blockName", "blockType": "blockName"}
    json_only: ClassVar = frozenset({"x", "y", "z", "position"})

    block_name: str | None = Field(None, min_length=1, max_length=64)
    """A kind of block, instead of a point."""

    @model_validator(mode="after")
    def _one_block(self) -> Self:
        if (self.point is None) == (self.block_name is None):
            raise ValueError("give either a blockName or a position")
        return self


class BlockToolResult(Result):
    block: str
    tool: str | None
    """The best that is carried; null when what is held is as good."""
    drops: tuple[str, ...]

    def lines(self) -> list[str]:
        return [f"For {self.block}: {self.tool or 'whatever is in hand'}."]


@commands.command("primitive digBlock", DigArgs, world=True, example="!primitive digBlock 10 64 8")
async def dig_block(context: CommandContext, args: DigArgs) -> DigResult:
    """Break one block in reach with the best tool carried, even if nothing drops."""
    assert args.block is not None
    before = await context.bot.snapshot()
    block = await _block_at(context, args.block)
    await require_in_reach(context.job, args.block)
    warning = None
    try:
        await hold_best_tool(context.job, before, block)
    except CommandError as refusal:
        if refusal.reason != "no_tool":
            raise
        await hold_fastest_tool(context.job, before, block)
        warning = refusal.message
    ready = await context.bot.snapshot()
    await context.job.act(Dig(args.block, in_vain=True), deadline_s=DIGGING_S)
    after = await context.bot.snapshot()
    return DigResult(
        block=block.name,
        position=Point.of(args.block),
        tool=ready.held.name if ready.held else None,
        gained=dict(after.counts() - before.counts()),
        warning=warning,
    )


@commands.command(
    "primitive equipBestToolForBlock",
    BlockToolArgs,
    world=True,
    deadline_s=30.0,
    example="!primitive equipBestToolForBlock stone",
)
async def equip_best_tool(context: CommandContext, args: BlockToolArgs) -> BlockToolResult:
    """Take the best tool carried for a block in hand."""
    block = await _block_of(context, args)
    tool = await hold_best_tool(context.job, await context.bot.snapshot(), block)
    return BlockToolResult(block=block.name, tool=tool, drops=block.drops)


@commands.command(
    "primitive findBestTool",
    BlockToolArgs,
    allow_bots=True,
    example="!primitive findBestTool iron_ore",
)
async def find_best_tool(context: CommandContext, args: BlockToolArgs) -> BlockToolResult:
    """Tell which of the carried tools is best for a block."""
    block = await _block_of(context, args)
    tool = best_tool(await context.bot.snapshot(), block)
    return BlockToolResult(block=block.name, tool=tool, drops=block.drops)


async def _block_of(context: CommandContext, args: BlockToolArgs) -> BlockFacts:
    if args.block is not None:
        return await _block_at(context, args.block)
    assert args.block_name is not None
    catalogue = await context.bot.catalogue()
    return catalogue.blocks[block_names(catalogue, args.block_name)[0]]


async def _block_at(context: CommandContext, where: Position) -> BlockFacts:
    """Raises CommandError not_loaded, not_found (air)."""
    seen = await context.bot.query(BlockAt(where))
    if not seen:
        raise CommandError("not_loaded", "The bot does not know the land there.")
    name = seen[0].name
    if name.endswith("air"):
        raise CommandError("not_found", f"At {Point.of(where)} is only air.")
    blocks = (await context.bot.catalogue()).blocks
    plain_block = BlockFacts(name, hardness=1.0, needs=None, speeds={}, drops=(name,))
    return blocks.get(name, plain_block)


class NamePattern(LenientArgs):
    """Matches whole names, parts of names, or either."""

    equals: Word | list[Word] | None = None
    includes: Word | list[Word] | None = None

    @model_validator(mode="after")
    def _some_way(self) -> Self:
        if self.equals is None and self.includes is None:
            raise ValueError("give equals or includes")
        return self


class FindBlockArgs(LenientArgs):
    also: ClassVar = dict.fromkeys(("block", "blockType", "blockName", "name"), "match")
    json_only: ClassVar = frozenset({"max_distance", "use_cube"})

    match: Word | list[Word] | NamePattern
    """A name or category, several, or `{"includes": …}`."""
    max_distance: int = Field(32, ge=1, le=128)
    """How far to look, in blocks."""
    use_cube: bool = False
    """Whether maxDistance reaches so far along each axis, in a cube."""


class FindBlocksArgs(FindBlockArgs):
    count: int = Field(1, ge=1, le=256)
    """How many to tell of, at most."""


class FoundBlock(Facts):
    name: str
    position: Point
    distance: Number
    """Blocks from the bot's feet to the middle of the block."""

    @classmethod
    def of(cls, sighting: BlockSighting, here: Position) -> FoundBlock:
        at = sighting.position
        middle = Position(at.x + 0.5, at.y + 0.5, at.z + 0.5)
        distance = round(here.distance_to(middle), 1)
        return cls(name=sighting.name, position=Point.of(at), distance=distance)

    def __str__(self) -> str:
        return f"{self.name} at {self.position}, {in_blocks(self.distance)} away"


class FindBlockResult(Result):
    block: FoundBlock

    def lines(self) -> list[str]:
        return [f"{self.block}."]


class FindBlocksResult(Result):
    """May be empty."""

    blocks: tuple[FoundBlock, ...]
    count: int

    def lines(self) -> list[str]:
        return [f"{block}." for block in self.blocks[:6]] or ["There is none."]


@commands.command(
    "primitive findBlock",
    FindBlockArgs,
    allow_bots=True,
    example='!primitive findBlock {"match": "oak_log", "maxDistance": 64}',
)
async def find_block(context: CommandContext, args: FindBlockArgs) -> FindBlockResult:
    """Tell where the nearest block of a name or category is."""
    found = await _find(context, args, 1)
    if not found:
        ways = " along each axis" if args.use_cube else ""
        sentence = f"There is none within {args.max_distance} blocks{ways}."
        raise CommandError("not_found", sentence, maxDistance=args.max_distance)
    return FindBlockResult(block=found[0])


@commands.command(
    "primitive findBlocks",
    FindBlocksArgs,
    allow_bots=True,
    example='!primitive findBlocks {"match": ["oak_log", "birch_log"], "count": 5}',
)
async def find_blocks(context: CommandContext, args: FindBlocksArgs) -> FindBlocksResult:
    """Tell where the nearest blocks of some names or categories are."""
    found = await _find(context, args, args.count)
    return FindBlocksResult(blocks=found, count=len(found))


async def _find(context: CommandContext, args: FindBlockArgs, count: int) -> tuple[FoundBlock, ...]:
    context.check_scan_range(args.max_distance)
    names = matching(await context.bot.catalogue(), args.match)
    found = await context.bot.query(FindBlocks(names, args.max_distance, count, args.use_cube))
    here = (await context.bot.snapshot()).position
    blocks = (FoundBlock.of(sighting, here) for sighting in found)
    return tuple(b for b in blocks if args.use_cube or b.distance <= args.max_distance)


def matching(catalogue: Catalogue, match: Word | list[Word] | NamePattern) -> tuple[str, ...]:
    """The block names meant. Raises CommandError unknown_block."""
    pattern = match if isinstance(match, NamePattern) else NamePattern(equals=match)
    found: list[str] = []
    if pattern.equals is not None:
        found += [name for word in _listed(pattern.equals) for name in block_names(catalogue, word)]
        if not found:
            raise unknown("block", "", catalogue.blocks)
    if pattern.includes is not None:
        parts = [plain(part) for part in _listed(pattern.includes)]
        names = [name for name in catalogue.blocks if any(part in name for part in parts)]
        if not all(parts) or not names:
            raise unknown("block", " ".join(parts), catalogue.blocks)
        found += names
    return tuple(dict.fromkeys(found))


def _listed(words: Word | list[Word]) -> list[Word]:
    return [words] if isinstance(words, str) else words[:MOST_NAMES]


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
    if args.item_name is not None:
        item = item_name(await context.bot.catalogue(), args.item_name)
    elif (held := (await context.bot.snapshot()).held) is not None:
        item = held.name
    else:
        raise CommandError("missing_item", "Nothing is held; name an item to place.")
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
