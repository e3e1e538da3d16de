"""`!info scanBlocks`: which blocks are around, nearest first, and what the search cost.

A position in a section of the world that holds nothing asked for counts as covered, but not as
a check.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from bots.bot.result import Facts, Number, Result
from bots.errors import InvalidArguments
from bots.registry.args import Args
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.skills.item_words import block_names
from bots.text.numbers import in_blocks
from bridge.catalogue import Catalogue
from bridge.scanning import Scan, ScanBlocks
from bridge.world import BlockSighting

RANGE, WIDEST_RANGE = 32, 128  # blocks
CHECKS = 25_000
UNLIMITED = 1_000_000_000
LISTED, MOST_LISTED = 1_000, 10_000
KINDS_SHOWN = 5
MOST_TYPES = 64
WHOLE_TURN = 360.0


class ScanArgs(Args):
    type: str | None = Field(None, max_length=200)
    """Only blocks of this name."""
    range: int = Field(RANGE, ge=1, le=WIDEST_RANGE)
    """Blocks around."""
    types: tuple[str, ...] = Field((), max_length=MOST_TYPES)
    """Only blocks of these names."""
    max_checks: int = Field(CHECKS, ge=-UNLIMITED, le=UNLIMITED)
    """Positions looked at, at most; 0 or less means no limit."""
    min_y_offset: int | None = Field(None, ge=-WIDEST_RANGE, le=WIDEST_RANGE)
    """The lowest layer, in blocks from the feet."""
    max_y_offset: int | None = Field(None, ge=-WIDEST_RANGE, le=WIDEST_RANGE)
    """The highest layer, in blocks from the feet."""
    yaw: float | None = Field(None, ge=-WHOLE_TURN, le=WHOLE_TURN, allow_inf_nan=False)
    """Degrees to the middle of the cone; where the bot looks unless given."""
    cone_angle: float | None = Field(None, gt=0, le=WHOLE_TURN, allow_inf_nan=False)
    """Degrees from side to side of the cone; all around unless given."""
    include_air: bool = False
    """Whether air is listed too."""
    max_results: int = Field(LISTED, ge=1, le=MOST_LISTED)
    """Blocks listed at most."""

    json_only = frozenset(
        {"types", "max_checks", "min_y_offset", "max_y_offset", "yaw", "cone_angle"}
        | {"include_air", "max_results"}
    )

    @field_validator("types", mode="before")
    @classmethod
    def _listed(cls, types: object) -> object:
        return tuple(types.split(",")) if isinstance(types, str) else types

    @property
    def words(self) -> list[str]:
        """The names asked for, as they were written."""
        one = self.type.split(",") if self.type is not None else []
        return [*one, *self.types]

    @property
    def heights(self) -> tuple[int, int]:
        """The lowest and the highest layer, in blocks from the feet."""
        low = -self.range if self.min_y_offset is None else self.min_y_offset
        high = self.range if self.max_y_offset is None else self.max_y_offset
        if high < low:
            sentence = f"maxYOffset {high} is below minYOffset {low}."
            raise InvalidArguments("invalid_format", sentence)
        return low, high


class FoundBlock(Facts):
    name: str
    position: Point
    relative_position: Point
    distance: Number
    """Blocks from the bot's."""


class ScanSummary(Facts):
    total_blocks: int
    """All blocks found, listed or not."""
    unique_types: int
    type_counts: dict[str, int]
    checks_used: int
    max_checks: int
    eligible_positions: int
    """Positions that were read, or ruled out by the palette of their section."""
    estimated_positions: int
    """Positions inside the shape, loaded or not."""
    estimated_coverage_percent: Number
    farthest_distance: Number
    """Everything loaded within this distance was searched."""
    scan_range: int
    scan_center: Point
    min_y_offset: int
    max_y_offset: int
    yaw: Number
    cone_angle: Number | None
    limit_reached: bool
    """The checks ran out."""
    stopped_by_callback: bool = False
    listed_blocks: int
    sections: int
    sections_read: int
    duration_ms: Number

    @classmethod
    def of(cls, scan: Scan, args: ScanArgs) -> ScanSummary:
        low, high = args.heights
        return cls(
            total_blocks=sum(count.count for count in scan.counts),
            unique_types=len(scan.counts),
            type_counts={count.name: count.count for count in scan.counts},
            checks_used=scan.checks,
            max_checks=args.max_checks,
            eligible_positions=scan.visited,
            estimated_positions=scan.positions,
            estimated_coverage_percent=round(100 * scan.visited / max(1, scan.positions), 1),
            farthest_distance=scan.reached,
            scan_range=args.range,
            scan_center=Point.of(scan.centre),
            min_y_offset=low,
            max_y_offset=high,
            yaw=round(scan.yaw, 1),
            cone_angle=args.cone_angle,
            limit_reached=scan.is_cut,
            listed_blocks=len(scan.blocks),
            sections=scan.sections,
            sections_read=scan.sections_read,
            duration_ms=round(scan.took_ms, 1),
        )


class ScanData(Facts):
    blocks: tuple[FoundBlock, ...]
    summary: ScanSummary


class ScanResult(Result):
    type: Literal["scanBlocks"] = "scanBlocks"
    data: ScanData

    def lines(self) -> list[str]:
        return [_found(self.data), _cost(self.data.summary)]


@commands.command(
    "info scanBlocks", ScanArgs, allow_bots=True, example='!info scanBlocks {"type": "oak_log"}'
)
async def scan_blocks(context: CommandContext, args: ScanArgs) -> ScanResult:
    """List blocks around, nearest first, of one type, several or all."""
    lowest, highest = args.heights
    context.check_scan_range(max(args.range, -lowest, highest))
    query = ScanBlocks(
        names=_names(await context.bot.catalogue(), args) if args.words else (),
        radius=args.range,
        lowest=lowest,
        highest=highest,
        yaw=args.yaw,
        cone=args.cone_angle or WHOLE_TURN,
        include_air=args.include_air,
        max_checks=args.max_checks if args.max_checks > 0 else UNLIMITED,
        limit=args.max_results,
    )
    scan = await context.bot.query(query)
    rows = tuple(_row(scan, block) for block in scan.blocks)
    return ScanResult(data=ScanData(blocks=rows, summary=ScanSummary.of(scan, args)))


def _names(catalogue: Catalogue, args: ScanArgs) -> tuple[str, ...]:
    """The names of the blocks meant, each once. Raises CommandError unknown_block."""
    return tuple(dict.fromkeys(n for word in args.words for n in block_names(catalogue, word)))


def _row(scan: Scan, block: BlockSighting) -> FoundBlock:
    at, centre = Point.of(block.position), Point.of(scan.centre)
    return FoundBlock(
        name=block.name,
        position=at,
        relative_position=Point(x=at.x - centre.x, y=at.y - centre.y, z=at.z - centre.z),
        distance=round(block.position.distance_to(scan.centre), 2),
    )


def _found(data: ScanData) -> str:
    nearest: dict[str, FoundBlock] = {}
    for block in data.blocks:
        nearest.setdefault(block.name, block)
    counts = data.summary.type_counts
    shown = sorted(nearest.values(), key=lambda block: block.distance)[:KINDS_SHOWN]
    kinds = [f"{counts[b.name]} {b.name} (nearest {b.position}, {b.distance:.0f})" for b in shown]
    more = f" and {len(counts) - len(shown)} more kinds" if len(counts) > len(shown) else ""
    around = f"Within {in_blocks(data.summary.scan_range)}"
    return f"{around}: {', '.join(kinds) or 'nothing of that'}{more}."


def _cost(summary: ScanSummary) -> str:
    read = f"Read {summary.checks_used} of {summary.estimated_positions} positions"
    took = f"in {summary.duration_ms:.0f} ms"
    if summary.limit_reached:
        return f"{read} {took}, then stopped: what is within {summary.farthest_distance:g} is told."
    return f"{read} {took}; {summary.estimated_coverage_percent:g} % of them are known."
