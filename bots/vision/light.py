"""How bright each cell of a region is: light from the sky and from torches, spread from cell to
cell."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

BRIGHTEST = 15
_DIMMING = 0.87  # what a level less leaves
_LEAST = 0.3  # a picture shows a cave that is dark to the eye
_NIGHT = 0.34  # what the sky gives at midnight, of what it gives at noon
_TICKS = 24_000

Levels: TypeAlias = npt.NDArray[np.uint8]
Cells: TypeAlias = npt.NDArray[np.bool_]


def daylight(time_of_day: int) -> float:
    """How much light the sky gives, 0 at midnight to 1 at noon; short dusk and dawn."""
    height = math.sin(2 * math.pi * time_of_day / _TICKS)
    return min(1.0, max(0.0, height * 3 + 0.6))


def sky_levels(opaque: Cells) -> Levels:
    """Light from above, 0 to 15: all of it below the open sky, less from cell to cell aside."""
    open_above = ~np.logical_or.accumulate(opaque[:, :, ::-1], axis=2)[:, :, ::-1]
    levels = np.where(open_above, BRIGHTEST, 0).astype(np.uint8)
    return spread(levels, opaque)


def spread(levels: Levels, opaque: Cells) -> Levels:
    """The same light after it has reached all cells that it can reach."""
    levels, clear = levels.copy(), ~opaque
    for level in range(BRIGHTEST, 1, -1):
        source = levels == level
        if not source.any():
            continue
        reached = _neighbours(source)
        reached &= clear
        reached &= levels < level - 1
        levels[reached] = level - 1
    return levels


def brightness(sky: npt.NDArray[np.uint8], lamps: npt.NDArray[np.uint8], day: float) -> Table:
    """Of cells with these levels, as a factor of their colours."""
    from_sky = _CURVE[sky] * (_NIGHT + (1 - _NIGHT) * day)
    lit: Table = np.maximum(np.maximum(from_sky, _CURVE[lamps]), np.float32(_LEAST))
    return lit


Table: TypeAlias = npt.NDArray[Any]
_CURVE: Table = np.array(
    [0.0, *(_DIMMING ** (BRIGHTEST - level) for level in range(1, BRIGHTEST + 1))], np.float32
)


def _neighbours(cells: Cells) -> Cells:
    reached = np.zeros_like(cells)
    reached[1:] |= cells[:-1]
    reached[:-1] |= cells[1:]
    reached[:, 1:] |= cells[:, :-1]
    reached[:, :-1] |= cells[:, 1:]
    reached[:, :, 1:] |= cells[:, :, :-1]
    reached[:, :, :-1] |= cells[:, :, 1:]
    return reached
