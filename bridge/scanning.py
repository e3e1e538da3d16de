"""A search through the blocks around, nearest first, that says what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bridge.actions import Query
from bridge.world import BlockCount, BlockSighting, Position


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
