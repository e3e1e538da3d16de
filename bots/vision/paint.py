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
from bots.vision.grid import BOXES, CLEAR, CUBE, OUTSIDE, PLANT, Grid, brightness, daylight, grid_of
from bots.vision.lens import Floats, Lens
from bots.vision.models import Part, model_of
from bots.vision.tiles import SIDE, Tiles, tiles_of
from bridge.looking import Being, Region

MOST_STEPS = 200
NOTHING = -1
X, Y, Z, NO_FACE = 0, 1, 2, 3
_ACROSS_X, _ACROSS_Y, _ACROSS_Z = np.int8(X), np.int8(Y), np.int8(Z)
_HALF_SEEN = 100  # opacity of a pixel that a ray ends at
_TOGETHER = 16_384  # rays; their arrays fit into the cache of a processor
_WORTH_SIFTING = 0.8  # so many rays still on their way are carried on with those that ended
_VEIL = 0.82  # what a pane leaves of the light


@dataclass(frozen=True, slots=True)
class Hits:
    """What each ray met."""

    kinds: Array
    """By number; `NOTHING` where the ray went out of the grid."""
    distances: Floats
    """Infinite where it met nothing."""
    faces: Array
    """The axis its face stands across; `NO_FACE` of plants."""
    cells: Array
    """The cell that was hit, in the arrays of the grid."""
    lit_by: Array
    """The cell whose light falls on the face."""
    rows: Array
    columns: Array
    """The pixel of the tile, of plants."""
    water_from: Floats
    """How far away the first water begins; infinite where there is none in front."""
    panes: Floats
    """What glass in front leaves of each colour."""
    panes_from: Floats


class March:
    """One fan of rays on its way."""

    def __init__(self, grid: Grid, eyes: tuple[float, float, float], rays: Floats) -> None:
        """`eyes` in the coordinates of the grid."""
        count = len(rays)
        self._grid = grid
        self._eyes = np.array(eyes, np.float32)
        self._rays = np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays).astype(np.float32)
        self._kinds = np.full(count, NOTHING, np.int32)
        self._distances = np.full(count, np.inf, np.float32)
        self._faces = np.full(count, NO_FACE, np.int8)
        self._cells = np.zeros(count, np.int64)
        self._lit_by = np.zeros(count, np.int64)
        self._rows = np.zeros(count, np.int16)
        self._columns = np.zeros(count, np.int16)
        self._water = np.full(count, np.inf, np.float32)
        self._panes = np.ones((count, 3), np.float32)
        self._panes_from = np.full(count, np.inf, np.float32)

    def hits(self) -> Hits:
        count = len(self._rays)
        for first in range(0, count, _TOGETHER):
            self._follow(np.arange(first, min(first + _TOGETHER, count)))
        return Hits(
            self._kinds,
            self._distances,
            self._faces,
            self._cells,
            self._lit_by,
            self._rows,
            self._columns,
            self._water,
            self._panes,
            self._panes_from,
        )

    def _follow(self, who: Array) -> None:
        """`who` are the rays on their way, in the cells `at`, which they entered `far` away."""
        # A picture takes some three hundred rounds of this loop: what each of them makes counts.
        grid, count = self._grid, len(who)
        along_x, _, along_z = grid.strides
        eyes = self._eyes[:, None]
        ray: Array = np.ascontiguousarray(self._rays[who].T)
        inverse: Array = 1 / ray
        sign: Array = np.sign(ray)
        back: Array = (ray < 0).astype(np.float32)
        at: Array = np.repeat(np.floor(eyes), count, axis=1)
        far: Array = np.zeros(count, np.float32)
        axis = np.full(count, Y, np.int8)
        before: Array = np.full(count, NOTHING, np.intp)
        is_on = np.ones(count, bool)
        for _ in range(MOST_STEPS):
            place = (at[X] * along_x + at[Z] * along_z + at[Y]).astype(np.intp)
            leap: Array = grid.leaps.take(place, mode="clip")
            met = np.flatnonzero((leap == 0) & is_on)
            if len(met):
                self._meet(_Step(who, place, far, axis, at, before), met, is_on)
            np.maximum(leap, np.float32(1), out=leap)
            before = place
            left = np.count_nonzero(is_on)
            if left == 0:
                return
            if left < _WORTH_SIFTING * len(who):
                keep = np.flatnonzero(is_on)
                at, ray, inverse, sign, back = (
                    part.take(keep, axis=1) for part in (at, ray, inverse, sign, back)
                )
                who, far, leap, before = (part.take(keep) for part in (who, far, leap, before))
                is_on = np.ones(left, bool)
            border = at + np.float32(0.5) + sign * (leap - np.float32(0.5))
            reached = (border - eyes) * inverse
            nearest = np.minimum(np.minimum(reached[X], reached[Y]), reached[Z])
            crossed = reached == nearest
            axis = np.where(crossed[Y], _ACROSS_Y, np.where(crossed[X], _ACROSS_X, _ACROSS_Z))
            far = np.maximum(nearest, far)
            leap -= 1
            inside = ray * far
            inside += eyes
            np.floor(inside, out=inside)
            np.maximum(inside, at - leap, out=inside)
            np.minimum(inside, at + leap, out=inside)
            border -= back
            at = np.where(crossed, border, inside)

    def _meet(self, step: _Step, met: Array, is_on: Array) -> None:
        """Deal with the rays that are in a cell which is not empty."""
        kind = self._kinds_at(step.place[met])
        form = self._grid.forms.take(kind)
        is_on[met[form == OUTSIDE]] = False
        cubes = met[(form == CUBE) & (step.far[met] > 0)]  # a head inside a block sees out of it
        if len(cubes):
            self._end(step, cubes, step.far[cubes], step.axis[cubes], aside=True)
            is_on[cubes] = False
        those = met[self._grid.wet.take(kind)]
        who = step.who[those]
        self._water[who] = np.minimum(self._water[who], step.far[those])
        panes = met[form == CLEAR]
        if len(panes):
            is_on[self._through_pane(step, panes)] = False
        boxes = met[form == BOXES]
        if len(boxes):
            is_on[self._into_boxes(step, boxes)] = False
        plants = met[form == PLANT]
        if len(plants):
            is_on[self._into_plant(step, plants)] = False

    def _kinds_at(self, places: Array) -> Array:
        return self._grid.cells.take(places, mode="clip")

    def _end(self, step: _Step, those: Array, far: Array, axis: Array, *, aside: bool) -> None:
        """Rays end on a face; `aside`: the cell they came from lights it."""
        who, place = step.who[those], step.place[those]
        self._kinds[who] = self._kinds_at(place)
        self._distances[who] = far
        self._faces[who] = axis
        self._cells[who] = place
        if aside:
            strides = np.array([*self._grid.strides, 0], np.int64)
            signs = np.sign(self._rays[who, np.minimum(axis, Z)]).astype(np.int64)
            place = place - strides[axis] * signs
        self._lit_by[who] = place

    def _through_pane(self, step: _Step, those: Array) -> Array:
        """Those that end on the frame of a pane; the others lose some light where they enter."""
        is_within = step.before[those] != NOTHING
        entered = self._kinds_at(step.before[those]) != self._kinds_at(step.place[those])
        fresh = those[entered | ~is_within]
        point = self._eyes + self._rays[step.who[fresh]] * step.far[fresh, None]
        column, row = pixel_of(point - np.floor(point), step.axis[fresh])
        opacity = self._grid.tiles[self._kinds_at(step.place[fresh]), 0, row, column, 3]
        framed: Array = fresh[opacity > _HALF_SEEN]
        self._end(step, framed, step.far[framed], step.axis[framed], aside=True)
        dimmed = fresh[opacity <= _HALF_SEEN]
        who, kinds = step.who[dimmed], self._kinds_at(step.place[dimmed])
        colour = self._grid.tiles[kinds, 0, SIDE // 2, SIDE // 2, :3] / 255
        self._panes[who] *= _VEIL * colour**0.6 + (1 - _VEIL)
        self._panes_from[who] = np.minimum(self._panes_from[who], step.far[dimmed])
        return framed

    def _into_boxes(self, step: _Step, those: Array) -> Array:
        """Those that end on a box of their cell."""
        who = step.who[those]
        start = self._eyes - step.at[:, those].T
        inverse = 1 / self._rays[who]
        nearest = np.full(len(those), np.inf, np.float32)
        axis = np.full(len(those), Y, np.int8)
        for boxes in self._grid.boxes[self._kinds_at(step.place[those])].transpose(1, 0, 2):
            if np.isnan(boxes[:, 0]).all():
                break
            low, high = (boxes[:, :3] - start) * inverse, (boxes[:, 3:] - start) * inverse
            enters = np.minimum(low, high)
            across = enters.argmax(axis=1)
            enter, leave = enters.max(axis=1), np.maximum(low, high).min(axis=1)
            hit = (enter <= leave) & (leave > 0) & (enter < nearest) & (enter > 0)
            nearest[hit], axis[hit] = enter[hit], across[hit]
        ended = np.flatnonzero(np.isfinite(nearest))
        self._end(step, those[ended], nearest[ended], axis[ended], aside=False)
        return those[ended]

    def _into_plant(self, step: _Step, those: Array) -> Array:
        """Those that end on one of two tiles which stand crosswise in their cell."""
        who = step.who[those]
        ray = self._rays[who]
        start = self._eyes - step.at[:, those].T
        nearest = np.full(len(those), np.inf, np.float32)
        row, column = np.zeros((2, len(those)), np.int16)
        tiles, kinds = self._grid.tiles, self._kinds_at(step.place[those])
        for slope in (1, -1):
            lean = 0.0 if slope == 1 else 1.0
            away = (lean + slope * start[:, X] - start[:, Z]) / (ray[:, Z] - slope * ray[:, X])
            point = start + ray * away[:, None]
            inside = ((point >= 0) & (point < 1)).all(axis=1) & (away > 0.05) & (away < nearest)
            x, y = (np.clip(point[:, part] * SIDE, 0, SIDE - 1).astype(np.int16) for part in (X, Y))
            y = SIDE - 1 - y
            hit = inside & (tiles[kinds, 0, y, x, 3] > _HALF_SEEN)
            nearest[hit], row[hit], column[hit] = away[hit], y[hit], x[hit]
        ended = np.flatnonzero(np.isfinite(nearest))
        no_face = np.full(len(ended), NO_FACE, np.int8)
        self._end(step, those[ended], nearest[ended], no_face, aside=False)
        self._rows[who[ended]], self._columns[who[ended]] = row[ended], column[ended]
        return those[ended]


@dataclass(frozen=True, slots=True)
class _Step:
    """The rays on their way, before a step."""

    who: Array
    place: Array
    far: Array
    axis: Array
    at: Array
    before: Array
    """The place of the step before; `NOTHING` at the first."""


def pixel_of(part: Floats, axis: Array) -> tuple[Array, Array]:
    """Column and row of a tile, for a point in parts of its cell on a face across an axis."""
    x, y, z = part[:, X], part[:, Y], part[:, Z]
    across = np.where(axis == X, z, x)
    down = np.where(axis == Y, z, 1 - y)
    column, row = (np.clip(p * SIDE, 0, SIDE - 1).astype(np.int16) for p in (across, down))
    return column, row


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
    # Far things fade into the haze, up to where the known world ends; then comes the sky.
    reach = region.size[0] / 2
    weather = (region.time_of_day, region.dimension, region.is_raining)
    nothing = np.flatnonzero(~np.isfinite(distances))
    colours[nothing] = sky(rays[nothing], *weather)
    hazy = np.flatnonzero(np.isfinite(distances) & (distances > _CLEAR_UP_TO * reach))
    share = np.clip((distances[hazy] / reach - _CLEAR_UP_TO) / 0.5, 0, 1) ** 1.5
    colours[hazy] += (haze(*weather) - colours[hazy]) * share[:, None]
    _through_water(colours, distances, hits, day)
    behind = np.flatnonzero(hits.panes_from < distances)
    colours[behind] = colours[behind] * hits.panes[behind] + 14
    pixels = np.clip(colours, 0, 255).astype(np.uint8).reshape(lens.height, lens.width, 3)
    middle = (lens.height // 2) * lens.width + lens.width // 2
    kind = int(hits.kinds[middle])
    target = None if kind == NOTHING else (grid.names[kind], float(hits.distances[middle]))
    return Painted(pixels, target, seen)


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
    mean = grid.tiles[..., :3].mean(axis=(2, 3), dtype=np.float32)[kinds, face]
    share = np.clip(far / _FAR_TILES - 0.5, 0, 0.85)[:, None] * ~is_plant[:, None]
    colour = near + (mean - near) * share
    shade = _SIDE_SHADES[axis] * np.where((axis == Y) & rising, _BELOW, 1.0)
    lit = _light(grid, hits.lit_by[met], far, region)
    glow = (np.array([look.glow for look in grid.looks], np.float32) / 15)[kinds]
    colours[met] = colour * np.maximum(shade * lit, glow)[:, None]
    return colours


def _light(grid: Grid, cells: Array, far: Floats, region: Region) -> Floats:
    day = daylight(region.time_of_day) * (0.75 if region.is_raining else 1.0)
    day = day if region.dimension == "overworld" else 1.0
    lit: Floats = brightness(grid.sky[cells], grid.lamps[cells], day)
    lit += _HAND_LIGHT * np.exp(-far / _HAND_REACH) * (1 - lit)
    return lit


def _through_water(colours: Floats, distances: Floats, hits: Hits, day: float) -> None:
    wet = np.flatnonzero(hits.water_from < distances)
    if not len(wet):
        return
    deep = np.minimum(distances[wet], 60.0) - hits.water_from[wet]
    surface = np.where(hits.water_from[wet] > 0, _AT_ONCE, 0.2)
    share = 1 - (1 - surface) * np.exp(-_SOAKING * deep)
    blue = _WATER_COLOUR * (0.3 + 0.7 * day)
    colours[wet] += (blue - colours[wet]) * np.minimum(share, 0.88)[:, None]
