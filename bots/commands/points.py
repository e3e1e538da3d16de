"""Places and distances as results show them: whole blocks."""

from __future__ import annotations

import math

from bots.commands.result import Facts
from bridge.world import Position


class Point(Facts):
    x: int
    y: int
    z: int

    @classmethod
    def of(cls, position: Position) -> Point:
        block = position.block
        return cls(x=int(block.x), y=int(block.y), z=int(block.z))

    def __str__(self) -> str:
        return f"{self.x} {self.y} {self.z}"


def blocks(distance: float) -> int:
    """A distance as it is shown: floored."""
    return math.floor(distance)
