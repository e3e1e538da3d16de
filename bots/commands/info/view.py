"""`!info scanBlocks` and `!info vision`: which blocks are around, and what is in the bot's view.

A position in a section of the world that holds nothing asked for counts as covered, but not as
a check.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from bots.access.origin import Operator
from bots.bot.result import Facts, Number, Result
from bots.catalogue.names import block_names
from bots.errors import InvalidArguments
from bots.registry.args import Args, Point
from bots.registry.registry import CommandContext, commands
from bots.text.numbers import blocks, in_blocks
from bots.vision.picture import Picture, direction_of, quarter
from bots.vision.studio import Wanted, map_of, picture_of
from bridge.catalogue import Catalogue
from bridge.looking import RAYS_ACROSS, RAYS_DOWN, Behold, Scan, ScanBlocks, View
from bridge.world import BotName, Position
from llm.model import Image

RANGE, WIDEST_RANGE = 32, 128  # blocks
CHECKS = 25_000
UNLIMITED = 1_000_000_000
LISTED, MOST_LISTED = 1_000, 10_000
KINDS_SCANNED = 5
MOST_TYPES = 64
WHOLE_TURN = 360.0
RENDER_WAIT_MS, LONGEST_RENDER_WAIT_MS = 10_000, 60_000
KINDS_SHOWN = 8
ALL_AROUND, ALL_RAYS_ACROSS = 360.0, 160


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
        nearest: dict[str, FoundBlock] = {}
        for block in self.data.blocks:
            nearest.setdefault(block.name, block)
        counts = self.data.summary.type_counts
        shown = sorted(nearest.values(), key=lambda block: block.distance)[:KINDS_SCANNED]
        kinds = [
            f"{counts[b.name]} {b.name} (nearest {b.position}, {b.distance:.0f})" for b in shown
        ]
        more = f" and {len(counts) - len(shown)} more kinds" if len(counts) > len(shown) else ""
        around = f"Within {in_blocks(self.data.summary.scan_range)}"
        found = f"{around}: {', '.join(kinds) or 'nothing of that'}{more}."
        summary = self.data.summary
        cost = f"Read {summary.checks_used} of {summary.estimated_positions} positions"
        cost += f" in {summary.duration_ms:.0f} ms"
        if summary.limit_reached:
            told = f"what is within {summary.farthest_distance:g} is told"
            return [found, f"{cost}, then stopped: {told}."]
        return [found, f"{cost}; {summary.estimated_coverage_percent:g} % of them are known."]


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
    rows, centre = [], Point.of(scan.centre)
    for block in scan.blocks:
        at = Point.of(block.position)
        row = FoundBlock(
            name=block.name,
            position=at,
            relative_position=Point(x=at.x - centre.x, y=at.y - centre.y, z=at.z - centre.z),
            distance=round(block.position.distance_to(scan.centre), 2),
        )
        rows.append(row)
    return ScanResult(data=ScanData(blocks=tuple(rows), summary=ScanSummary.of(scan, args)))


def _names(catalogue: Catalogue, args: ScanArgs) -> tuple[str, ...]:
    """The names of the blocks meant, each once. Raises CommandError unknown_block."""
    return tuple(dict.fromkeys(n for word in args.words for n in block_names(catalogue, word)))


class VisionArgs(Args):
    json_only: ClassVar = frozenset({"panorama", "map", "picture"})

    yaw: float | None = Field(None, ge=-360, le=360, allow_inf_nan=False)
    """Degrees, 0 = north, counter-clockwise; where the bot looks unless given."""
    pitch: float | None = Field(None, ge=-90, le=90, allow_inf_nan=False)
    """Degrees, positive = up; where the bot looks unless given."""
    render_wait: int = Field(RENDER_WAIT_MS, ge=0, le=LONGEST_RENDER_WAIT_MS)
    """Milliseconds that rendering a picture may take; it takes less than a second."""
    panorama: bool = False
    """Look all around."""
    map: bool = False
    """Draw the country around from above instead."""
    picture: bool | None = None
    """Whether to draw one; unless told, for those who can look at it: operators and models."""


class SeenBlock(Facts):
    name: str
    position: Point
    """The nearest of its kind."""
    distance: Number
    direction: str
    share: Number
    """Percent of the view. Blocks behind glass, water or plants count too: shares may overlap."""


class SeenPlayer(Facts):
    username: str
    position: Point
    distance: int
    direction: str


class SeenMob(Facts):
    name: str
    position: Point
    distance: int
    direction: str
    hostile: bool


class VisionMetadata(Facts):
    bot_id: str
    position: Point
    yaw: Number
    pitch: Number
    timestamp: int
    """Milliseconds since 1970."""
    rays: int
    duration_ms: Number
    width: int | None
    """Of the picture, in pixels."""
    height: int | None


class VisionData(Facts):
    text: str
    blocks: tuple[SeenBlock, ...]
    """Largest share first."""
    players: tuple[SeenPlayer, ...]
    """In view and not hidden, nearest first."""
    mobs: tuple[SeenMob, ...]
    """Animals and monsters likewise."""
    sky: Number
    """Percent of the view without anything solid."""
    image: str | None
    """A PNG as base64; null where none was drawn."""
    metadata: VisionMetadata


class VisionResult(Result):
    type: Literal["vision"] = "vision"
    data: VisionData

    @property
    def seen(self) -> Image | None:
        """The picture, for a model to look at."""
        size = self.data.metadata
        if self.data.image is None or size.width is None or size.height is None:
            return None
        return Image(self.data.image, size.width, size.height)

    def as_shown(self) -> dict[str, Any]:
        return {"seen": self.data.text}

    def as_traced(self) -> dict[str, Any]:
        shown = self.as_json()
        return {**shown, "data": {**shown["data"], "image": None}}

    def lines(self) -> list[str]:
        return self.data.text.splitlines()


@commands.command(
    "info vision",
    VisionArgs,
    aliases=("creative vis capture", "creative vision capture"),
    allow_bots=True,
    example='!info vision {"yaw": 90, "pitch": 0}',
)
async def vision(context: CommandContext, args: VisionArgs) -> VisionResult:
    """Tell what is in view, and draw it, without turning the head."""
    look = Behold(args.yaw, args.pitch)
    if args.panorama:
        look = Behold(args.yaw, 0.0, across=ALL_RAYS_ACROSS, field_across=ALL_AROUND)
    view = await context.bot.query(look)
    picture = None
    # A picture is no use in a whisper.
    is_of_use = context.view is not None or isinstance(context.origin, Operator)
    if is_of_use if args.picture is None else args.picture:
        wanted = Wanted(args.yaw, args.pitch, args.panorama)
        picture = await (map_of(context.bot) if args.map else picture_of(context.bot, wanted))
    taken_ms = int(context.bot.times.clock().timestamp() * 1000)
    return VisionResult(data=_data(context.bot.name, view, taken_ms, picture))


def _data(bot: BotName, view: View, taken_ms: int, picture: Picture | None) -> VisionData:
    blocks_seen = tuple(
        SeenBlock(
            name=block.name,
            position=Point.of(block.nearest),
            distance=round(block.distance, 1),
            direction=direction_of(view.eyes, block.nearest),
            share=_percent(block.share),
        )
        for block in view.blocks
    )

    def where(at: Position) -> dict[str, Any]:
        distance, direction = blocks(view.eyes.distance_to(at)), direction_of(view.eyes, at)
        return {"position": Point.of(at), "distance": distance, "direction": direction}

    players = tuple(
        SeenPlayer(username=player.name, **where(player.position))
        for player in view.players
        if player.position is not None
    )
    mobs = tuple(
        SeenMob(name=mob.name, hostile=mob.hostile, **where(mob.position)) for mob in view.mobs
    )
    metadata = VisionMetadata(
        bot_id=bot,
        position=Point.of(view.eyes),
        yaw=round(view.yaw, 1),
        pitch=round(view.pitch, 1),
        timestamp=taken_ms,
        rays=view.rays,
        duration_ms=round(view.took_ms, 1),
        width=picture.width if picture else None,
        height=picture.height if picture else None,
    )
    return VisionData(
        text=_text(view, blocks_seen, players, mobs),
        blocks=blocks_seen,
        players=players,
        mobs=mobs,
        sky=_percent(view.sky),
        image=picture.base64 if picture else None,
        metadata=metadata,
    )


def _text(
    view: View,
    seen: tuple[SeenBlock, ...],
    players: tuple[SeenPlayer, ...],
    mobs: tuple[SeenMob, ...],
) -> str:
    kinds = [
        f"{b.name} {b.share:g} % ({b.distance:.0f} away, {b.direction})" for b in seen[:KINDS_SHOWN]
    ]
    more = [f"{len(seen) - len(kinds)} more kinds"] if len(seen) > len(kinds) else []
    sky = [f"sky {_percent(view.sky):g} %"] if view.sky > 0 else []
    tilt = " and up" if view.pitch > 30 else " and down" if view.pitch < -30 else ""
    is_whole = view.rays > RAYS_ACROSS * RAYS_DOWN
    around = "all around" if is_whole else f"{quarter(view.yaw)}{tilt}"
    people = [f"{p.username} ({p.distance} away, {p.direction})" for p in players]
    animals = [f"{m.name} ({m.distance} away, {m.direction})" for m in mobs[:KINDS_SHOWN]]
    return "\n".join(
        [
            f"Looking {around}: {', '.join([*kinds, *more, *sky])}.",
            f"Players in view: {', '.join(people) or 'nobody'}.",
            *([f"Animals and monsters in view: {', '.join(animals)}."] if animals else []),
        ]
    )


def _percent(share: float) -> float:
    return round(100 * share, 1)
