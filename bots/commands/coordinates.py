"""Points as arguments: `[x, y, z]` or `{"x": …, "y": …, "z": …}`."""

from __future__ import annotations

import math
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator

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


def _inside(position: Position) -> Position:
    if not all(map(math.isfinite, (position.x, position.y, position.z))):
        raise ValueError("coordinates are finite numbers")
    if max(abs(position.x), abs(position.z)) > WORLD_BORDER or abs(position.y) > HIGHEST:
        raise ValueError("that lies outside the world")
    return position


Coordinates: TypeAlias = Annotated[Position, BeforeValidator(_by_axis), AfterValidator(_inside)]
