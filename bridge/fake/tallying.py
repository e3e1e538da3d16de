"""Counting all blocks of a ball at once, by layers: what nobody changed is the same all over.

The nearest few of each name are found likewise: a layer nobody changed has them in its middle."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product

from bridge.fake.terrain import AIR, PASSABLE, Terrain, ground
from bridge.scanning import Scan, ScanBlocks
from bridge.world import BlockCount, BlockSighting, Position

DRY = PASSABLE - {"water"}
REACH, EYES = 4.5, 1.62  # blocks: from the eyes to the middle of a block, and above the feet
STANDS = tuple(
    (dx, dy, dz)
    for dx, dz in product(range(-4, 5), repeat=2)
    for dy in range(-1, 4)
    if math.hypot(dx, dy + EYES - 0.5, dz) <= REACH
)
"""Where the feet may be of who digs a block, counted from it; as in host/sensing/shore.cjs."""


def is_tally(query: ScanBlocks) -> bool:
    """Whether only numbers are asked for, of the whole ball, or besides the nearest few."""
    cells = (2 * query.radius + 1) ** 3
    is_few = query.limit == 0 or (query.each is not None and query.limit >= cells)
    return is_few and query.cone >= 360 and query.max_checks >= cells and not query.include_air


def tally(
    terrain: Terrain, centre: Position, yaw: float, query: ScanBlocks, heights: range, sight: int
) -> Scan:
    """The answer of a scan; `heights` are those of the world."""
    radius = min(query.radius, sight)
    counts: Counter[str] = Counter()
    for dy in range(max(-radius, query.lowest), min(radius, query.highest) + 1):
        if int(centre.y) + dy in heights:
            counts[ground(centre.y + dy)] += _disc(radius * radius - dy * dy)
    read = counts.total()
    changed: dict[Position, str] = {}
    for where, name in terrain.changes:
        in_layers = query.lowest <= where.y - centre.y <= query.highest
        if in_layers and where.y in heights and where.distance_to(centre) <= radius:
            counts[ground(where.y)] -= 1
            counts[name] += 1
            changed[where] = name
    near = [] if query.limit == 0 else _nearest(centre, radius, query, changed, heights)
    covered = under_water(near, terrain.block)
    return replace(
        _answer(centre, yaw, query, counts, read, near),
        under_water=covered,
        shores=shores(covered, centre, terrain.block),
    )


def under_water(
    blocks: Iterable[BlockSighting], block: Callable[[Position], str]
) -> frozenset[Position]:
    """Where blocks are that have water on top; `block` tells the name at a position."""
    places = (one.position for one in blocks)
    return frozenset(at for at in places if block(_above(at)) == "water")


def shores(
    covered: Iterable[Position], here: Position, block: Callable[[Position], str]
) -> dict[Position, Position]:
    """Dry ground, as near as can be, from where blocks under water can be dug."""
    found = {at: _shore(at, here, block) for at in covered}
    return {at: shore for at, shore in found.items() if shore is not None}


def _shore(at: Position, here: Position, block: Callable[[Position], str]) -> Position | None:
    places = [Position(at.x + dx, at.y + dy, at.z + dz) for dx, dy, dz in STANDS]
    dry = (feet for feet in places if _is_dry_ground(feet, block))
    return min(dry, key=here.distance_to, default=None)


def _is_dry_ground(feet: Position, block: Callable[[Position], str]) -> bool:
    below = block(Position(feet.x, feet.y - 1, feet.z))
    return below not in PASSABLE and block(feet) in DRY and block(_above(feet)) in DRY


def _above(at: Position) -> Position:
    return Position(at.x, at.y + 1, at.z)


def _nearest(
    centre: Position,
    radius: int,
    query: ScanBlocks,
    changed: Mapping[Position, str],
    heights: range,
) -> list[BlockSighting]:
    """Of each name the nearest, as many as are asked for."""
    each = query.each or 0
    found = [BlockSighting(name, where) for where, name in changed.items()]
    for dy in range(max(-radius, query.lowest), min(radius, query.highest) + 1):
        if int(centre.y) + dy in heights and ground(centre.y + dy) != AIR:
            found += _middle(centre, dy, radius, each, changed)
    found = [one for one in found if _is_wanted(one.name, query)]
    found.sort(key=lambda one: one.position.distance_to(centre))
    listed: Counter[str] = Counter()
    kept: list[BlockSighting] = []
    for one in found:
        if listed[one.name] < each:
            listed[one.name] += 1
            kept.append(one)
    return kept


def _middle(
    centre: Position, dy: int, radius: int, each: int, changed: Mapping[Position, str]
) -> Iterator[BlockSighting]:
    """The nearest few unchanged cells of a layer."""
    square, left = radius * radius - dy * dy, each
    for dx, dz in _spiral(radius):
        where = Position(centre.x + dx, centre.y + dy, centre.z + dz)
        if not left or dx * dx + dz * dz > square:
            return
        if where not in changed:
            left -= 1
            yield BlockSighting(ground(where.y), where)


@lru_cache(4)
def _spiral(radius: int) -> tuple[tuple[int, int], ...]:
    """The offsets of all cells of a layer within a radius, nearest first."""
    steps = range(-radius, radius + 1)
    cells = ((dx, dz) for dx in steps for dz in steps)
    return tuple(sorted(cells, key=lambda cell: cell[0] ** 2 + cell[1] ** 2))


def _answer(
    centre: Position,
    yaw: float,
    query: ScanBlocks,
    counts: Counter[str],
    read: int,
    near: Iterable[BlockSighting],
) -> Scan:
    wanted = {name: n for name, n in counts.items() if n and _is_wanted(name, query)}
    ranked = sorted(wanted.items(), key=lambda entry: (-entry[1], entry[0]))
    return Scan(
        centre=centre,
        yaw=yaw,
        blocks=tuple(near),
        under_water=frozenset(),
        shores={},
        counts=tuple(BlockCount(name, count) for name, count in ranked),
        checks=read,
        visited=read,
        positions=read,
        reached=float(query.radius),
        is_cut=False,
        sections=0,
        sections_read=0,
        took_ms=0.0,
    )


def _is_wanted(name: str, query: ScanBlocks) -> bool:
    return name in query.names if query.names else query.include_air or name != AIR


@lru_cache(256)
def _disc(square: int) -> int:
    """Cells of a layer whose distance from its middle, squared, is at most this."""
    radius = math.isqrt(square)
    return sum(2 * math.isqrt(square - dx * dx) + 1 for dx in range(-radius, radius + 1))
