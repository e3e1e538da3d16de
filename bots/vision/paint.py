"""From a region and a lens to pixels: pure, without labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bots.vision.bodies import draw_beings
from bots.vision.colours import WATER
from bots.vision.grid import Grid, grid_of
from bots.vision.lens import Floats, Lens
from bots.vision.light import brightness, daylight
from bots.vision.march import NO_FACE, NOTHING, Hits, March, Y, pixel_of
from bots.vision.sky import haze, sky
from bots.vision.tiles import Tiles, tiles_of
from bridge.region import Being, Region

_SIDE_SHADES = np.array([0.66, 1.0, 0.82, 0.95], np.float32)  # across x, y, z; plants
_BELOW = 0.5
_HAND_LIGHT, _HAND_REACH = 0.4, 6.0  # so that one sees what is near in a dark cave
_FAR_TILES = 20.0  # blocks; farther away a tile is no more than its mean colour
_CLEAR_UP_TO = 0.55  # of how far the known world reaches
_WATER_COLOUR = np.array(WATER, np.float32)
_SOAKING, _AT_ONCE = 0.16, 0.42  # how water hides what is in it: by its depth, and at all

Array: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Painted:
    """A picture without words on it."""

    pixels: npt.NDArray[np.uint8]
    """Rows, columns, red green blue."""
    target: tuple[str, float] | None
    """The block in the middle, and how far away it is."""
    seen: Sequence[tuple[Being, int]]
    """Whoever and whatever moves and is not hidden, with the number of its pixels; nearest
    first."""


def paint(region: Region, lens: Lens, tiles: Tiles = tiles_of) -> Painted:
    """What there is to see from the eyes of the region."""
    rays = lens.rays()
    grid = grid_of(region, tiles)
    eyes = (region.eyes.x, region.eyes.y, region.eyes.z)
    x, y, z = (at - least for at, least in zip(eyes, grid.origin, strict=True))
    hits = March(grid, (x, y, z), rays).hits()
    colours = _shaded(grid, hits, rays, (x, y, z), region)
    distances = hits.distances.copy()
    day = daylight(region.time_of_day) if region.dimension == "overworld" else 0.6
    seen = draw_beings(region, grid, rays, colours, distances, day)
    _fade(colours, distances, rays, region)
    _through_water(colours, distances, hits, day)
    _through_panes(colours, distances, hits)
    pixels = np.clip(colours, 0, 255).astype(np.uint8).reshape(lens.height, lens.width, 3)
    return Painted(pixels, _target(grid, hits, lens), seen)


def _shaded(
    grid: Grid, hits: Hits, rays: Floats, eyes: tuple[float, float, float], region: Region
) -> Floats:
    colours = np.zeros((len(rays), 3), np.float32)
    met = np.flatnonzero(hits.kinds != NOTHING)
    if not len(met):
        return colours
    kinds, axis, far = hits.kinds[met], hits.faces[met], hits.distances[met]
    point = np.array(eyes, np.float32) + rays[met] * far[:, None]
    column, row = pixel_of(point - np.floor(point), axis)
    is_plant = axis == NO_FACE
    column = np.where(is_plant, hits.columns[met], column)
    row = np.where(is_plant, hits.rows[met], row)
    rising = rays[met, Y] > 0
    face = np.where(axis == Y, np.where(rising, 2, 1), 0)
    near = grid.tiles[kinds, face, row, column, :3]
    mean = _means(grid)[kinds, face]
    share = np.clip(far / _FAR_TILES - 0.5, 0, 0.85)[:, None] * ~is_plant[:, None]
    colour = near + (mean - near) * share
    shade = _SIDE_SHADES[axis] * np.where((axis == Y) & rising, _BELOW, 1.0)
    lit = _light(grid, hits.lit_by[met], far, region)
    glow = (np.array([look.glow for look in grid.looks], np.float32) / 15)[kinds]
    colours[met] = colour * np.maximum(shade * lit, glow)[:, None]
    return colours


def _means(grid: Grid) -> Floats:
    """The mean colour of each tile."""
    means: Floats = grid.tiles[..., :3].mean(axis=(2, 3), dtype=np.float32)
    return means


def _light(grid: Grid, cells: Array, far: Floats, region: Region) -> Floats:
    day = daylight(region.time_of_day) * (0.75 if region.is_raining else 1.0)
    day = day if region.dimension == "overworld" else 1.0
    lit: Floats = brightness(grid.sky[cells], grid.lamps[cells], day)
    lit += _HAND_LIGHT * np.exp(-far / _HAND_REACH) * (1 - lit)
    return lit


def _fade(colours: Floats, distances: Floats, rays: Floats, region: Region) -> None:
    """Far things fade into the haze, up to where the known world ends; then comes the sky."""
    reach = region.size[0] / 2
    weather = (region.time_of_day, region.dimension, region.is_raining)
    nothing = np.flatnonzero(~np.isfinite(distances))
    colours[nothing] = sky(rays[nothing], *weather)
    hazy = np.flatnonzero(np.isfinite(distances) & (distances > _CLEAR_UP_TO * reach))
    share = np.clip((distances[hazy] / reach - _CLEAR_UP_TO) / 0.5, 0, 1) ** 1.5
    colours[hazy] += (haze(*weather) - colours[hazy]) * share[:, None]


def _through_water(colours: Floats, distances: Floats, hits: Hits, day: float) -> None:
    wet = np.flatnonzero(hits.water_from < distances)
    if not len(wet):
        return
    deep = np.minimum(distances[wet], 60.0) - hits.water_from[wet]
    surface = np.where(hits.water_from[wet] > 0, _AT_ONCE, 0.2)
    share = 1 - (1 - surface) * np.exp(-_SOAKING * deep)
    blue = _WATER_COLOUR * (0.3 + 0.7 * day)
    colours[wet] += (blue - colours[wet]) * np.minimum(share, 0.88)[:, None]


def _through_panes(colours: Floats, distances: Floats, hits: Hits) -> None:
    behind = np.flatnonzero(hits.panes_from < distances)
    colours[behind] = colours[behind] * hits.panes[behind] + 14


def _target(grid: Grid, hits: Hits, lens: Lens) -> tuple[str, float] | None:
    middle = (lens.height // 2) * lens.width + lens.width // 2
    kind = int(hits.kinds[middle])
    return None if kind == NOTHING else (grid.names[kind], float(hits.distances[middle]))
