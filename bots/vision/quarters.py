"""Directions in words."""

from __future__ import annotations

import math

from bridge.world import Position

QUARTERS = (
    *("north", "north-west", "west", "south-west"),
    *("south", "south-east", "east", "north-east"),
)
_STEEP = 60.0  # degrees; what is steeper is above or below


def quarter(yaw: float) -> str:
    """Of degrees, 0 = north, counter-clockwise."""
    return QUARTERS[round(yaw % 360 / 45) % 8]


def direction_of(eyes: Position, point: Position) -> str:
    """Where a point lies for somebody with their eyes there."""
    x, y, z = point.x - eyes.x, point.y - eyes.y, point.z - eyes.z
    level = math.hypot(x, z)
    if abs(math.degrees(math.atan2(y, level))) > _STEEP:
        return "above" if y > 0 else "below"
    return quarter(math.degrees(math.atan2(-x, -z)))
