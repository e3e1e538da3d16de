"""Counting all blocks of a ball at once, by layers: what nobody changed is the same all over."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

from bridge.fake.terrain import AIR, Terrain, ground
from bridge.scanning import Scan, ScanBlocks
from bridge.world import BlockCount, Position


def is_tally(query: ScanBlocks) -> bool:
    """Whether only numbers are asked for, of the whole ball."""
    cells = (2 * query.radius + 1) ** 3
    return query.limit == 0 and query.cone >= 360 and query.max_checks >= cells


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
    for where, name in terrain.changes:
        in_layers = query.lowest <= where.y - centre.y <= query.highest
        if in_layers and where.y in heights and where.distance_to(centre) <= radius:
            counts[ground(where.y)] -= 1
            counts[name] += 1
    return _answer(centre, yaw, query, counts, read)


def _answer(
    centre: Position, yaw: float, query: ScanBlocks, counts: Counter[str], read: int
) -> Scan:
    wanted = {name: n for name, n in counts.items() if n and _is_wanted(name, query)}
    ranked = sorted(wanted.items(), key=lambda entry: (-entry[1], entry[0]))
    return Scan(
        centre=centre,
        yaw=yaw,
        blocks=(),
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
