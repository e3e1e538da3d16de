"""`!primitive findBlock` and `findBlocks`: where blocks of some names are, nearest first."""

from __future__ import annotations

from typing import ClassVar, Self, TypeAlias

from pydantic import Field, model_validator

from bots.bot.result import Facts, Number, Result
from bots.errors import CommandError
from bots.registry.args import LenientArgs
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.skills.item_words import block_names, unknown
from bots.text.numbers import in_blocks
from bots.text.spelling import plain
from bridge.actions import FindBlocks
from bridge.catalogue import Catalogue
from bridge.world import BlockSighting, Position

MOST_NAMES = 64
Word: TypeAlias = str


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
    if not isinstance(match, NamePattern):
        return _exactly(catalogue, match)
    whole = () if match.equals is None else _exactly(catalogue, match.equals)
    partly = () if match.includes is None else _including(catalogue, match.includes)
    return tuple(dict.fromkeys((*whole, *partly)))


def _including(catalogue: Catalogue, words: Word | list[Word]) -> tuple[str, ...]:
    parts = [plain(part) for part in _listed(words)]
    names = tuple(name for name in catalogue.blocks if any(part in name for part in parts))
    if not all(parts) or not names:
        raise unknown("block", " ".join(parts), catalogue.blocks)
    return names


def _exactly(catalogue: Catalogue, words: Word | list[Word]) -> tuple[str, ...]:
    named = [name for word in _listed(words) for name in block_names(catalogue, word)]
    if not named:
        raise unknown("block", "", catalogue.blocks)
    return tuple(dict.fromkeys(named))


def _listed(words: Word | list[Word]) -> list[Word]:
    return [words] if isinstance(words, str) else words[:MOST_NAMES]
