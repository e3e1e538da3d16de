"""Parts of the world that a bot may touch, or leaves alone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from bridge.world import Position


@dataclass(frozen=True, slots=True)
class Zone:
    """The blocks of a box, both corners included, and what is level with it and so near."""

    low: Position
    high: Position
    within: float = 0.0
    """Blocks around the box, none above nor below it."""
    may_touch: bool = False

    def has(self, point: Position) -> bool:
        return self.low.y <= point.block.y <= self.high.y and self.away(point) <= 0

    def away(self, point: Position) -> float:
        """Blocks, level with it, from a point to the nearest of it; 0 or less within."""
        at = point.block
        away_x = max(self.low.x - at.x, 0, at.x - self.high.x)
        away_z = max(self.low.z - at.z, 0, at.z - self.high.z)
        return math.hypot(away_x, away_z) - self.within


def is_spared(zones: Iterable[Zone], point: Position) -> bool:
    """Whether a point is left alone: the first zone that has it decides."""
    return any(not zone.may_touch for zone in first_of(zones, point))


def first_of(zones: Iterable[Zone], point: Position) -> tuple[Zone, ...]:
    """The zone that decides about a point; none where none has it."""
    return next(((zone,) for zone in zones if zone.has(point)), ())
