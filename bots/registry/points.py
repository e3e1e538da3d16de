"""Points of the world, as arguments and as results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from bots.registry.args import LenientArgs
from bots.text.numbers import blocks
from bridge.world import Position

WORLD_BORDER = 30_000_000  # blocks; source: minecraft.wiki/w/World_border
HIGHEST = 4_096  # blocks above or below 0; source: minecraft.wiki/w/Altitude (custom worlds)
_AXES = ("x", "y", "z")


def _by_axis(given: Any) -> Any:
    if isinstance(given, list | tuple):
        if len(given) != len(_AXES):
            raise ValueError("give three numbers, [x, y, z]")
        return dict(zip(_AXES, given, strict=True))
    return given


def inside_world(position: Position) -> Position:
    """The same position. Raises ValueError where no world is."""
    if not all(map(math.isfinite, (position.x, position.y, position.z))):
        raise ValueError("coordinates are finite numbers")
    if max(abs(position.x), abs(position.z)) > WORLD_BORDER or abs(position.y) > HIGHEST:
        raise ValueError("that lies outside the world")
    return position


Coordinates: TypeAlias = Annotated[
    Position, BeforeValidator(_by_axis), AfterValidator(inside_world)
]


class PointArgs(LenientArgs):
    """A point as three words, as keys x, y and z, or as `position`."""

    also: ClassVar = {"coords": "position"}
    json_only: ClassVar = frozenset({"position"})
    is_needed: ClassVar = True
    """Whether a point must be given; else `point` may be None."""

    x: float | None = Field(None, allow_inf_nan=False)
    """The point, east."""
    y: float | None = Field(None, allow_inf_nan=False)
    """The point, up."""
    z: float | None = Field(None, allow_inf_nan=False)
    """The point, south."""
    position: Coordinates | None = None
    """The point as [x, y, z]."""

    @model_validator(mode="after")
    def _one_point(self) -> Self:
        given = [axis is not None for axis in (self.x, self.y, self.z)]
        if any(given) and not all(given):
            raise ValueError("give x, y and z")
        if self.is_needed and self.point is None:
            raise ValueError("give a position: x y z")
        return self

    @property
    def point(self) -> Position | None:
        if self.x is None or self.y is None or self.z is None:
            return self.position
        return Position(self.x, self.y, self.z)

    @property
    def block(self) -> Position | None:
        """The block that the point lies in."""
        return self.point.block if self.point else None

    @property
    def standing(self) -> Position | None:
        """Where feet go: a whole number means the middle of the block."""
        if self.point is None:
            return None
        x, y, z = self.point.x, self.point.y, self.point.z
        return Position(_middle(x), y, _middle(z))


@dataclass(frozen=True, slots=True)
class Point:
    """A block's place. A plain dataclass, as one result may hold hundreds."""

    x: int
    y: int
    z: int

    @classmethod
    def of(cls, position: Position) -> Point:
        return cls(blocks(position.x), blocks(position.y), blocks(position.z))

    @property
    def position(self) -> Position:
        return Position(self.x, self.y, self.z)

    def as_json(self) -> dict[str, int]:
        return {"x": self.x, "y": self.y, "z": self.z}

    def __str__(self) -> str:
        return f"{self.x} {self.y} {self.z}"


def _middle(along: float) -> float:
    return along + 0.5 if along == math.floor(along) else along
