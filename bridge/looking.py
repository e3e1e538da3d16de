"""Questions a bot's eyes answer: where it stands, what it sees, which blocks are around it."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from bridge.actions import Query
from bridge.world import (
    BlockCount,
    BlockSighting,
    MobSighting,
    PlayerName,
    PlayerSighting,
    Position,
    player_name,
    world_name,
)

RAYS_ACROSS, RAYS_DOWN = 48, 27  # a fan of 16:9
FIELD_ACROSS, FIELD_DOWN = 100.0, 70.0  # degrees; about what a player's window shows

NOT_LOADED = 65_535
"""The number of a cell that the bot does not know."""

Box: TypeAlias = tuple[float, float, float, float, float, float]
"""From and to, as x y z, in parts of a block."""

BeingKind: TypeAlias = Literal["player", "mob", "item", "thing"]


@dataclass(frozen=True, slots=True)
class Seen:
    """Somebody in view."""

    name: PlayerName
    position: Position


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A bot on the map."""

    position: Position
    yaw: float
    """Degrees, 0 = north, counter-clockwise."""
    dimension: str
    health: float
    """Half-hearts, 0 to 20."""
    food: float
    """0 to 20."""
    held: str | None
    """The name of the item in its hand."""
    time_of_day: int
    """Ticks since sunrise, 0 to 23,999."""
    players: tuple[Seen, ...]
    """Everybody else in view, but for whom the question leaves out."""


@dataclass(frozen=True, slots=True)
class AskWhereabouts(Query[Whereabouts]):
    """Ask where a bot is. Fifty bots see each other 2,450 times: who asks them all leaves them
    out."""

    kind: ClassVar = "whereabouts"
    leave_out: tuple[str, ...] = ()


def parse_whereabouts(wire: Mapping[str, Any]) -> Whereabouts:
    """Read what `host/queries/whereabouts.cjs` sends. Raises KeyError, TypeError, ValueError."""
    return Whereabouts(
        position=Position(*wire["position"]),
        yaw=float(wire["yaw"]),
        dimension=world_name(str(wire["dimension"])),
        health=float(wire["health"]),
        food=float(wire["food"]),
        held=wire["held"],
        time_of_day=int(wire["time_of_day"]),
        players=tuple(Seen(player_name(name), Position(*at)) for name, at in wire["players"]),
    )


@dataclass(frozen=True, slots=True)
class Scan:
    """What was found, and how far the search came."""

    centre: Position
    """The block of the bot's feet; distances are measured from it."""
    yaw: float
    """The middle of the cone, degrees."""
    blocks: tuple[BlockSighting, ...]
    """Nearest first; of one distance in no order. No more than `limit`."""
    counts: tuple[BlockCount, ...]
    """All blocks found, listed or not, most common first."""
    under_water: frozenset[Position]
    """Where those of `blocks` are that have water on top; empty without `each`."""
    shores: Mapping[Position, Position]
    """Of those under water that can be dug from dry ground, where to stand for it."""
    checks: int
    """Positions read one by one."""
    visited: int
    """Positions answered, by reading them or by the palette of their section."""
    positions: int
    """Positions the asked-for shape has, loaded or not."""
    reached: float
    """Blocks; everything loaded within this distance was searched."""
    is_cut: bool
    """It ended because `max_checks` were used up."""
    sections: int
    """Sections of 16 x 16 x 16 blocks it touched."""
    sections_read: int
    """Those of them whose palette could hold something wanted."""
    took_ms: float


@dataclass(frozen=True, slots=True)
class ScanBlocks(Query[Scan]):
    """Search a ball around the feet in shells from near to far."""

    kind: ClassVar = "scan_blocks"
    names: tuple[str, ...] = ()
    """Empty = every block."""
    radius: int = 32
    lowest: int = -32
    """Least height looked at, in blocks from the feet."""
    highest: int = 32
    yaw: float | None = None
    """The middle of the cone, degrees; None = where the bot looks."""
    cone: float = 360.0
    """Degrees around `yaw`, level, that are looked at."""
    include_air: bool = False
    max_checks: int = 25_000
    limit: int = 1_000
    each: int | None = None
    """Of one name, the most that are listed; all are counted."""


def parse_scan(wire: Mapping[str, Any]) -> Scan:
    """The answer of host/queries/scan_blocks.cjs; `blocks` are [number of its name, x, y, z]."""
    names = [name for name, _ in wire["counts"]]
    blocks = tuple(
        BlockSighting(names[number], Position(x, y, z)) for number, x, y, z in wire["blocks"]
    )
    return Scan(
        centre=Position(*wire["centre"]),
        yaw=wire["yaw"],
        blocks=blocks,
        counts=tuple(BlockCount(name, count) for name, count in wire["counts"]),
        under_water=frozenset(blocks[index].position for index in wire["under_water"]),
        shores={blocks[index].position: Position(*at) for index, *at in wire["shores"]},
        checks=wire["checks"],
        visited=wire["visited"],
        positions=wire["positions"],
        reached=wire["reached"],
        is_cut=wire["is_cut"],
        sections=wire["sections"],
        sections_read=wire["sections_read"],
        took_ms=wire["took_ms"],
    )


@dataclass(frozen=True, slots=True)
class InView:
    """One kind of block that some rays met."""

    name: str
    nearest: Position
    distance: float
    """Blocks from the eyes to the nearest."""
    share: float
    """Of all rays, 0 to 1. A ray goes on through glass, water and plants, so the shares of
    all kinds may come to more than 1."""


@dataclass(frozen=True, slots=True)
class View:
    eyes: Position
    yaw: float
    pitch: float
    blocks: tuple[InView, ...]
    """Largest share first."""
    sky: float
    """Share of rays that met nothing solid as far as the world is loaded."""
    players: tuple[PlayerSighting, ...]
    """In the fan and not hidden behind blocks, nearest first."""
    mobs: tuple[MobSighting, ...]
    """Animals and monsters likewise: at most 32 monsters, and 32 others."""
    rays: int
    checks: int
    """Blocks read on the way."""
    took_ms: float


@dataclass(frozen=True, slots=True)
class Behold(Query[View]):
    """Look along a fan of rays without turning the head; None = where it looks now."""

    kind: ClassVar = "behold"
    yaw: float | None = None
    pitch: float | None = None
    reach: float = 64.0
    across: int = RAYS_ACROSS
    down: int = RAYS_DOWN
    field_across: float = FIELD_ACROSS
    field_down: float = FIELD_DOWN


def parse_view(wire: Mapping[str, Any]) -> View:
    """The answer of host/queries/behold.cjs."""
    return View(
        eyes=Position(*wire["eyes"]),
        yaw=wire["yaw"],
        pitch=wire["pitch"],
        blocks=tuple(
            InView(name, Position(*where), distance, share)
            for name, where, distance, share in wire["blocks"]
        ),
        sky=wire["sky"],
        players=tuple(
            PlayerSighting(player_name(name), Position(*where)) for name, where in wire["players"]
        ),
        mobs=tuple(
            MobSighting(name, Position(*where), hostile) for name, where, hostile in wire["mobs"]
        ),
        rays=wire["rays"],
        checks=wire["checks"],
        took_ms=wire["took_ms"],
    )


@dataclass(frozen=True, slots=True)
class BlockKind:
    """A block in one of its states."""

    name: str
    boxes: tuple[Box, ...]
    """What is solid of it: slabs, stairs, fences; nothing of flowers and water."""
    facing: str = ""
    is_wet: bool = False
    """It stands in water."""


@dataclass(frozen=True, slots=True)
class Being:
    """A player, an animal, a monster, an item on the ground, or a thing such as a boat."""

    kind: BeingKind
    name: str
    position: Position
    yaw: float
    """Degrees, 0 = north, counter-clockwise."""
    width: float
    height: float
    held: str | None = None
    young: bool = False
    coat: str | None = None
    """The colour of a sheep that has its wool."""


@dataclass(frozen=True, slots=True)
class Region:
    version: str
    corner: tuple[int, int, int]
    """The cell with the least x, y and z."""
    size: tuple[int, int, int]
    """Along x, y and z."""
    kinds: tuple[BlockKind, ...]
    """By their numbers in `cells`; 0 is air."""
    cells: bytes
    """Numbers of 16 bits, little-endian; x slowest, then z, y fastest."""
    covered: bytes
    """For each column, x slower: 1 where something solid is above the box, else 0."""
    eyes: Position
    yaw: float
    """Degrees, 0 = north, counter-clockwise."""
    pitch: float
    """Degrees, positive = up."""
    beings: tuple[Being, ...]
    """Nearest first, at most 128; the bot itself is left out."""
    held: str | None
    """What the bot has in hand."""
    time_of_day: int
    is_raining: bool
    dimension: str


@dataclass(frozen=True, slots=True)
class ReadRegion(Query[Region]):
    """Read everything up to `reach` blocks to all sides, and so far up and down."""

    kind: ClassVar = "read_region"
    reach: int = 40
    up: int = 24
    down: int = 24


def parse_region(wire: Mapping[str, Any]) -> Region:
    """The answer of host/queries/read_region.cjs."""
    width, height, depth = wire["size"]
    cells, covered = _inflated(wire["cells"]), _inflated(wire["covered"])
    if len(cells) != 2 * width * height * depth or len(covered) != width * depth:
        raise ValueError("the box has another size than it says")
    x, y, z = wire["corner"]
    return Region(
        version=wire["version"],
        corner=(x, y, z),
        size=(width, height, depth),
        kinds=tuple(_kind(*row) for row in wire["kinds"]),
        cells=cells,
        covered=covered,
        eyes=Position(*wire["eyes"]),
        yaw=wire["yaw"],
        pitch=wire["pitch"],
        beings=tuple(_being(*row) for row in wire["beings"]),
        held=wire["held"],
        time_of_day=wire["time_of_day"],
        is_raining=wire["is_raining"],
        dimension=world_name(wire["dimension"]),
    )


def _inflated(wire: str) -> bytes:
    try:
        return zlib.decompress(base64.b64decode(wire))
    except zlib.error as error:
        raise ValueError("the blocks of a region are broken") from error


def _kind(name: str, boxes: list[list[float]], facing: str, is_wet: bool) -> BlockKind:
    return BlockKind(name, tuple(map(_box, boxes)), facing, is_wet)


def _box(wire: list[float]) -> Box:
    x0, y0, z0, x1, y1, z1 = wire
    return x0, y0, z0, x1, y1, z1


def _being(
    kind: BeingKind,
    name: str,
    where: list[float],
    yaw: float,
    size: list[float],
    held: str | None,
    young: bool,
    coat: str | None,
) -> Being:
    width, height = size
    return Being(kind, name, Position(*where), yaw, width, height, held, young, coat)
