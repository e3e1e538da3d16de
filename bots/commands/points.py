"""Places as results show them: whole blocks."""

from __future__ import annotations

from dataclasses import dataclass

from bots.plain_numbers import blocks
from bridge.world import Position


@dataclass(frozen=True, slots=True)
class Point:
    """No model, since one result may hold hundreds: its parts are typed already."""

    x: int
    y: int
    z: int

    @classmethod
    def of(cls, position: Position) -> Point:
        return cls(blocks(position.x), blocks(position.y), blocks(position.z))

    def as_json(self) -> dict[str, int]:
        return {"x": self.x, "y": self.y, "z": self.z}

    def __str__(self) -> str:
        return f"{self.x} {self.y} {self.z}"
