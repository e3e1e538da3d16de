"""From a region and a lens to pixels: pure, without labels.

Behind everything is the sky by day and by night, or the haze of other dimensions. Players, animals,
monsters and items are a few boxes each, drawn among the blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bots.vision.colours import WATER
from bots.vision.grid import Grid, brightness, daylight, grid_of
from bots.vision.lens import Floats, Lens
from bots.vision.march import NO_FACE, NOTHING, Hits, March, Y, pixel_of
from bots.vision.models import Part, model_of
from bots.vision.tiles import Tiles, tiles_of
from bridge.looking import Being, Region

_ZENITH_DAY, _HORIZON_DAY = np.array([92, 148, 236.0]), np.array([188, 212, 242.0])
_ZENITH_NIGHT, _HORIZON_NIGHT = np.array([8, 10, 26.0]), np.array([24, 30, 54.0])
_DUSK = np.array([236, 140, 76.0])
_RAIN = np.array([112, 122, 136.0])
_ELSEWHERE = {"the_nether": np.array([72, 18, 14.0]), "the_end": np.array([28, 22, 34.0])}
_SUN, _MOON = np.array([255, 246, 190.0]), np.array([220, 226, 236.0])
_DISC = math.cos(math.radians(4.0))
_STARS = 0.0015  # of the pixels
_TICKS = 24_000
_SHADES = np.array([0.66, 1.0, 0.84], np.float32)
LEAST_SEEN = 3  # pixels; less than that is no sight
Array: TypeAlias = npt.NDArray[Any]
_SIDE_SHADES = np.array([0.66, 1.0, 0.82, 0.95], np.float32)  # across x, y, z; plants
_BELOW = 0.5
_HAND_LIGHT, _HAND_REACH = 0.4, 6.0  # so that one sees what is near in a dark cave
_FAR_TILES = 20.0  # blocks; farther away a tile is no more than its mean colour
_CLEAR_UP_TO = 0.55  # of how far the known world reaches
_WATER_COLOUR = np.array(WATER, np.float32)
_SOAKING, _AT_ONCE = 0.16, 0.42  # how water hides what is in it: by its depth, and at all


def haze(time_of_day: int, dimension: str, is_raining: bool) -> Floats:
    """The colour in which far things are lost."""
    if dimension in _ELSEWHERE:
        return _ELSEWHERE[dimension].astype(np.float32)
    day = daylight(time_of_day)
    colour = _HORIZON_NIGHT + (_HORIZON_DAY - _HORIZON_NIGHT) * day
    dulled: Floats = colour + (_RAIN * day - colour) * 0.6 * is_raining
    return dulled


def sky(rays: Floats, time_of_day: int, dimension: str, is_raining: bool) -> Floats:
    """The colour of each ray that meets nothing."""
    far = haze(time_of_day, dimension, is_raining)
    colours = np.broadcast_to(far, rays.shape).copy()
    if dimension in _ELSEWHERE:
        return colours
    day = daylight(time_of_day)
    zenith = _ZENITH_NIGHT + (_ZENITH_DAY - _ZENITH_NIGHT) * day
    up = np.clip(rays[:, 1:2] * 1.6, 0, 1)
    colours += (zenith - far) * up * (1 - 0.7 * is_raining)
    if not is_raining:
        _add_lights(colours, rays, time_of_day, day)
    return colours.astype(np.float32)


def _add_lights(colours: Floats, rays: Floats, time_of_day: int, day: float) -> None:
    angle = 2 * math.pi * time_of_day / _TICKS
    sun = np.array([math.cos(angle), math.sin(angle), 0.0], np.float32)  # rises in the east
    towards = rays @ sun
    twilight = max(0.0, 1 - abs(math.sin(angle)) * 3.5)
    colours += (_DUSK - colours) * (twilight * np.clip(towards, 0, 1) ** 3 * 0.8)[:, None]
    if day < 0.5:
        seeds = (rays * 190).astype(np.int32) @ np.array([7919, 104_729, 1_299_709], np.int32)
        stars = ((seeds.astype(np.uint32) * np.uint32(2_654_435_761)) >> 8) / 2**24 < _STARS * 4
        colours[stars & (rays[:, 1] > 0.05)] += 150 * (1 - day)
    colours[towards > _DISC] = _SUN
    colours[towards < -_DISC] = _MOON


def draw_beings(
    region: Region, grid: Grid, rays: Floats, colours: Floats, distances: Floats, day: float
) -> list[tuple[Being, int]]:
    """Draw into `colours` and `distances`; those that nothing hides, nearest first."""
    owner = np.full(len(rays), -1, np.int32)
    for number, being in enumerate(region.beings):
        _Drawing(region, grid, being, day).into(rays, colours, distances, owner, number)
    pixels = np.bincount(owner[owner >= 0], minlength=len(region.beings))
    counted = zip(region.beings, pixels.tolist(), strict=True)
    return [(being, count) for being, count in counted if count >= LEAST_SEEN]


class _Drawing:
    """One being, seen in its own frame: feet at 0 0 0, and looking along -z."""

    def __init__(self, region: Region, grid: Grid, being: Being, day: float) -> None:
        feet, eyes = being.position, region.eyes
        self._being = being
        self._way = np.array([feet.x - eyes.x, feet.y - eyes.y, feet.z - eyes.z], np.float32)
        yaw = math.radians(being.yaw)
        cos, sin = math.cos(yaw), math.sin(yaw)
        self._turn = np.array([[cos, 0, -sin], [0, 1, 0], [sin, 0, cos]], np.float32)
        self._light = self._lit(region, grid, day)

    def into(
        self, rays: Floats, colours: Floats, distances: Floats, owner: Array, number: int
    ) -> None:
        parts = model_of(self._being)
        near = self._candidates(rays, parts)
        if not len(near):
            return
        start = self._turn @ -self._way
        ahead = rays[near] @ self._turn.T
        ahead[np.abs(ahead) < 1e-6] = 1e-6
        for part in parts:
            enter, axis = _entered(part, start, ahead)
            hit = enter < distances[near]
            those = near[hit]
            distances[those], owner[those] = enter[hit], number
            shade = _SHADES[axis[hit]] * self._light
            colours[those] = np.array(part.colour, np.float32) * shade[:, None]

    def _candidates(self, rays: Floats, parts: Iterable[Part]) -> Array:
        """The rays that pass near enough to hit it."""
        high = max(part.high[1] for part in parts)
        wide = max(max(abs(part.low[0]), abs(part.low[2]), abs(part.high[2])) for part in parts)
        middle = self._way + np.array([0, high / 2, 0], np.float32)
        distance = float(np.linalg.norm(middle))
        radius = math.hypot(high / 2, wide * 1.5)
        if distance <= radius:
            return np.arange(len(rays))
        least = math.cos(math.asin(radius / distance))
        return np.flatnonzero(rays @ (middle / distance) >= least)

    def _lit(self, region: Region, grid: Grid, day: float) -> float:
        """How bright it is where its chest is."""
        at = self._being.position
        cell = (math.floor(at.x), math.floor(at.y + self._being.height / 2), math.floor(at.z))
        x, y, z = (int(a - least) for a, least in zip(cell, grid.origin, strict=True))
        along_x, _, along_z = grid.strides
        inside = all(0 <= a < s + 2 for a, s in zip((x, y, z), region.size, strict=True))
        if not inside:
            return 1.0
        place = np.array([x * along_x + y + z * along_z])
        lit = brightness(grid.sky[place], grid.lamps[place], day)
        return max(float(lit[0]), 0.4)


def _entered(part: Part, start: Floats, ahead: Floats) -> tuple[Floats, Array]:
    """How far along each ray it enters a box (infinite: not at all), and the axis of the face."""
    low, high = (np.array(corner, np.float32) for corner in (part.low, part.high))
    one, other = (low - start) / ahead, (high - start) / ahead
    near = np.minimum(one, other)
    enter, leave = near.max(axis=1), np.maximum(one, other).min(axis=1)
    hit = (enter <= leave) & (enter > 0.05)
    return np.where(hit, enter, np.inf).astype(np.float32), near.argmax(axis=1)


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
