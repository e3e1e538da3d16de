"""Players, animals, monsters and items as a few boxes each, drawn among the blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bots.vision.bodyplans import Part
from bots.vision.grid import Grid
from bots.vision.lens import Floats
from bots.vision.light import brightness
from bots.vision.models import model_of
from bridge.region import Being, Region

_SHADES = np.array([0.66, 1.0, 0.84], np.float32)
LEAST_SEEN = 3  # pixels; less than that is no sight

Array: TypeAlias = npt.NDArray[Any]


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
