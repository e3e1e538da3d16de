"""Follows the rays of a picture through a grid, all at once, to what each of them meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bots.vision.grid import BOXES, CLEAR, CUBE, OUTSIDE, PLANT, Grid
from bots.vision.lens import Floats
from bots.vision.tiles import SIDE

MOST_STEPS = 200
NOTHING = -1
X, Y, Z, NO_FACE = 0, 1, 2, 3
_ACROSS_X, _ACROSS_Y, _ACROSS_Z = np.int8(X), np.int8(Y), np.int8(Z)
_HALF_SEEN = 100  # opacity of a pixel that a ray ends at
_TOGETHER = 16_384  # rays; their arrays fit into the cache of a processor
_WORTH_SIFTING = 0.8  # so many rays still on their way are carried on with those that ended
_VEIL = 0.82  # what a pane leaves of the light

Array: TypeAlias = npt.NDArray[Any]


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
        self._wade(step, met[self._grid.wet.take(kind)])
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

    def _wade(self, step: _Step, those: Array) -> None:
        who = step.who[those]
        self._water[who] = np.minimum(self._water[who], step.far[those])

    def _through_pane(self, step: _Step, those: Array) -> Array:
        """Those that end on the frame of a pane; the others lose some light where they enter."""
        is_within = step.before[those] != NOTHING
        entered = self._kinds_at(step.before[those]) != self._kinds_at(step.place[those])
        fresh = those[entered | ~is_within]
        column, row = self._pixel(step, fresh)
        opacity = self._grid.tiles[self._kinds_at(step.place[fresh]), 0, row, column, 3]
        framed: Array = fresh[opacity > _HALF_SEEN]
        self._end(step, framed, step.far[framed], step.axis[framed], aside=True)
        self._dim(step, fresh[opacity <= _HALF_SEEN])
        return framed

    def _dim(self, step: _Step, those: Array) -> None:
        """Rays lose some light to a pane."""
        who = step.who[those]
        kinds = self._kinds_at(step.place[those])
        colour = self._grid.tiles[kinds, 0, SIDE // 2, SIDE // 2, :3] / 255
        self._panes[who] *= _VEIL * colour**0.6 + (1 - _VEIL)
        self._panes_from[who] = np.minimum(self._panes_from[who], step.far[those])

    def _pixel(self, step: _Step, those: Array) -> tuple[Array, Array]:
        point = self._eyes + self._rays[step.who[those]] * step.far[those, None]
        return pixel_of(point - np.floor(point), step.axis[those])

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
