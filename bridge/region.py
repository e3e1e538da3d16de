"""All blocks of a box around a bot, and whatever moves in it: what a picture is drawn from."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from bridge.actions import Query
from bridge.world import Position, world_name

NOT_LOADED = 65_535
"""The number of a cell that the bot does not know."""

Box: TypeAlias = tuple[float, float, float, float, float, float]
"""From and to, as x y z, in parts of a block."""

BeingKind: TypeAlias = Literal["player", "mob", "item", "thing"]


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
