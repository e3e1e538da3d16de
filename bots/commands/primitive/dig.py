"""`!primitive digBlock`, `equipBestToolForBlock`, `findBestTool`: a block and the tool for it."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from bots.bot.episode import Episode
from bots.bot.jobs import Job
from bots.bot.result import Result
from bots.errors import CommandError
from bots.registry.points import Point, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.first_sight import require_in_reach
from bots.skills.item_words import block_names
from bots.skills.tools import best_tool, hold_best_tool, hold_fastest_tool
from bridge.actions import BlockAt, Dig
from bridge.catalogue import BlockFacts
from bridge.world import Position, WorldSnapshot

DIGGING_S = 300.0  # obsidian by hand takes 250 s


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
    warning = await _ready(context.job, before, block)
    ready = await context.bot.snapshot()
    await context.job.act(Dig(args.block, in_vain=True), deadline_s=DIGGING_S)
    return DigResult(
        block=block.name,
        position=Point.of(args.block),
        tool=ready.held.name if ready.held else None,
        gained=_gained(before, await context.bot.snapshot()),
        warning=warning,
    )


async def _ready(job: Job, world: WorldSnapshot, block: BlockFacts) -> str | None:
    """Hold what is best for a block; why it drops nothing, if so. Raises CommandError."""
    try:
        await hold_best_tool(job, world, block)
    except CommandError as refusal:
        if refusal.reason != "no_tool":
            raise
        await hold_fastest_tool(job, world, block)
        return refusal.message
    return None


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


def _gained(before: WorldSnapshot, after: WorldSnapshot) -> dict[str, int]:
    names = dict.fromkeys(stack.name for stack in after.items)
    more = {name: after.count(name) - before.count(name) for name in names}
    return {name: count for name, count in more.items() if count > 0}
