"""A region as arrays: which kind each cell holds, how it is drawn, how bright it is, and how far
it is from anything drawn.

Light from the sky and from torches is spread from cell to cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bots.vision.colours import Look
from bots.vision.looks import is_seen, look_of
from bots.vision.tiles import Tiles, tiles_of
from bridge.looking import NOT_LOADED, BlockKind, Box, Region

BRIGHTEST = 15
_DIMMING = 0.87  # what a level less leaves
_LEAST = 0.3  # a picture shows a cave that is dark to the eye
_NIGHT = 0.34  # what the sky gives at midnight, of what it gives at noon
_TICKS = 24_000
Levels: TypeAlias = npt.NDArray[np.uint8]
Cells: TypeAlias = npt.NDArray[np.bool_]
Table: TypeAlias = npt.NDArray[Any]
_CURVE: Table = np.array(
    [0.0, *(_DIMMING ** (BRIGHTEST - level) for level in range(1, BRIGHTEST + 1))], np.float32
)
EMPTY, CUBE, BOXES, PLANT, WET, CLEAR, OUTSIDE = range(7)
"""How a cell is drawn: not at all, as a cube, as boxes, as two crossed tiles, as water, as glass.
Where the region ends is `OUTSIDE`."""
FARTHEST_STEP = 12  # cells that a ray may leap over at once
MOST_BOXES = 6
_WHOLE: Box = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
_FLAT: Box = (0.0, 0.0, 0.0, 1.0, 0.07, 1.0)
_POST: Box = (0.43, 0.0, 0.43, 0.57, 0.65, 0.57)
_BEYOND = BlockKind("", ())
_ROOF = BlockKind("stone", (_WHOLE,))
"""What is above the box where one cannot see the sky."""
_SUNKEN = frozenset(
    {
        *("lava", "flowing_lava", "powder_snow", "soul_sand", "mud", "farmland", "grass_path"),
        *("dirt_path", "honey_block", "nether_portal", "portal", "end_gateway"),
    }
)
_WATER_PLANTS = ("kelp", "seagrass")
_TOWARDS: dict[str, tuple[float, float]] = {
    "north": (0.0, 1.0), "south": (0.0, -1.0), "east": (-1.0, 0.0), "west": (1.0, 0.0),
}  # fmt: skip
"""Where the wall is to which something is fixed that faces there, along x and z."""
Array: TypeAlias = npt.NDArray[Any]


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


def _neighbours(cells: Cells) -> Cells:
    reached = np.zeros_like(cells)
    reached[1:] |= cells[:-1]
    reached[:-1] |= cells[1:]
    reached[:, 1:] |= cells[:, :-1]
    reached[:, :-1] |= cells[:, 1:]
    reached[:, :, 1:] |= cells[:, :, :-1]
    reached[:, :, :-1] |= cells[:, :, 1:]
    return reached


@dataclass(frozen=True, slots=True)
class Grid:
    """All arrays of cells are flat, with one cell more on each side: x slowest, then z, then y."""

    origin: tuple[int, int, int]
    """The world's x, y and z of the least cell, border included."""
    strides: tuple[int, int, int]
    """How far apart neighbours along x, y and z are in the arrays."""
    cells: Array
    leaps: Array
    """How many cells around are certainly empty, from 1; 0 = this one is not."""
    sky: Array
    lamps: Array
    forms: Array
    """By kind."""
    names: tuple[str, ...]
    looks: tuple[Look, ...]
    tiles: Array
    """By kind: sides, top, bottom."""
    boxes: Array
    """By kind: up to six of x0 y0 z0 x1 y1 z1."""
    wet: Array
    """By kind: whether there is water in it."""


def grid_of(region: Region, tiles: Tiles = tiles_of) -> Grid:
    width, height, depth = region.size
    found = np.frombuffer(region.cells, "<u2").reshape(width, depth, height)
    kinds = (*region.kinds, _BEYOND, _ROOF)
    beyond, roof = len(kinds) - 2, len(kinds) - 1
    cells = np.full((width + 2, depth + 2, height + 2), beyond, np.int32)
    cells[1:-1, 1:-1, 1:-1] = np.where(found == NOT_LOADED, beyond, found)
    covered = np.frombuffer(region.covered, np.uint8).reshape(width, depth) > 0
    cells[1:-1, 1:-1, -1][covered] = roof
    looks = tuple(look_of(kind.name, is_cube=bool(kind.boxes)) for kind in kinds)
    forms = np.array([*map(_form, kinds, looks)], np.int8)
    forms[beyond] = OUTSIDE
    opaque = (forms == CUBE)[cells]
    lamps = np.array([look.glow for look in looks], np.uint8)[cells]
    sky = _sky(opaque, region.dimension)
    x, y, z = region.corner
    return Grid(
        origin=(x - 1, y - 1, z - 1),
        strides=((depth + 2) * (height + 2), 1, height + 2),
        cells=cells.ravel(),
        leaps=_leaps(forms[cells] != EMPTY).ravel(),
        sky=sky.ravel(),
        lamps=spread(lamps, opaque).ravel(),
        forms=forms,
        names=tuple(kind.name for kind in kinds),
        looks=looks,
        tiles=np.stack([tiles(k.name, look) for k, look in zip(kinds, looks, strict=True)]),
        boxes=np.stack([_boxes(kind, look) for kind, look in zip(kinds, looks, strict=True)]),
        wet=np.array([_is_wet(kind, look) for kind, look in zip(kinds, looks, strict=True)]),
    )


def _form(kind: BlockKind, look: Look) -> int:
    if not is_seen(kind.name):
        return EMPTY
    if look.form == "water":
        return WET
    if look.form == "glass" and kind.boxes in ((_WHOLE,), ()):
        return CLEAR
    if look.form == "plant" and not kind.boxes:
        return PLANT
    is_full = kind.boxes == (_WHOLE,) or kind.name in _SUNKEN or "leaves" in kind.name
    return CUBE if is_full else BOXES


def _is_wet(kind: BlockKind, look: Look) -> bool:
    return look.form == "water" or kind.is_wet or any(word in kind.name for word in _WATER_PLANTS)


def _boxes(kind: BlockKind, look: Look) -> Array:
    """As many as there is room for; the rest are empty."""
    if kind.boxes:
        boxes = [(*box[:4], min(box[4], 1.0), box[5]) for box in kind.boxes]
    elif look.form == "post":
        boxes = [_fixed(_POST, kind.facing)]
    else:
        boxes = [_FLAT]
    rows = np.full((MOST_BOXES, 6), np.nan, np.float32)
    rows[: len(boxes)] = boxes[:MOST_BOXES]
    return rows


def _fixed(box: Box, facing: str) -> Box:
    """A post that leans on the wall behind it."""
    aside = _TOWARDS.get(facing)
    if aside is None:
        return box
    x, z = (part * 0.4 for part in aside)
    x0, y0, z0, x1, y1, z1 = box
    return x0 + x, y0 + 0.2, z0 + z, x1 + x, y1 + 0.2, z1 + z


def _sky(opaque: Array, dimension: str) -> Array:
    """Where there is no sky, a dim light everywhere. None comes in from aside or below."""
    if dimension != "overworld":
        return np.where(opaque, 0, BRIGHTEST - 6).astype(np.uint8)
    closed = opaque.copy()
    closed[[0, -1]] = True
    closed[:, [0, -1]] = True
    closed[:, :, 0] = True
    return sky_levels(closed)


def _leaps(drawn: Array) -> Array:
    """The distance to the nearest cell that is drawn, along the axis on which it is farthest."""
    leaps = np.where(drawn, 0, 1).astype(np.float32)
    near = drawn
    for _ in range(FARTHEST_STEP - 1):
        near = _grown(near)
        leaps += ~near
    return leaps


def _grown(cells: Array) -> Array:
    """With all neighbours, those at edges and corners too."""
    for axis in range(3):
        grown = cells.copy()
        ahead: list[slice] = [slice(None)] * 3
        behind: list[slice] = [slice(None)] * 3
        ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
        grown[tuple(ahead)] |= cells[tuple(behind)]
        grown[tuple(behind)] |= cells[tuple(ahead)]
        cells = grown
    return cells
