"""Arguments that name a point: `10 64 8`, `"x": …` or `"position": [10, 64, 8]`."""

from __future__ import annotations

import math
from typing import ClassVar, Self

from pydantic import Field, model_validator

from bots.commands.coordinates import Coordinates
from bots.commands.lenient_args import LenientArgs
from bridge.world import Position


class PointArgs(LenientArgs):
    """With `point` None where no point was given and none `is_needed`."""

    also: ClassVar = {"coords": "position"}
    json_only: ClassVar = frozenset({"position"})
    is_needed: ClassVar = True

    x: float | None = Field(None, allow_inf_nan=False)
    y: float | None = Field(None, allow_inf_nan=False)
    z: float | None = Field(None, allow_inf_nan=False)
    position: Coordinates | None = None

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
        """The block the point lies in."""
        return self.point.block if self.point else None

    @property
    def standing(self) -> Position | None:
        """Where one stands there: whole numbers mean the middle of that block."""
        if self.point is None:
            return None
        x, y, z = self.point.x, self.point.y, self.point.z
        return Position(_middle(x), y, _middle(z))


def _middle(along: float) -> float:
    return along + 0.5 if along == math.floor(along) else along
