"""A map from above: what lies on top, lit from the north-west, with lines of equal height."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from bots.vision.colours import WATER
from bots.vision.drawing import font_of, name_of, png_of
from bots.vision.grid import EMPTY, OUTSIDE, PLANT, WET, Grid, grid_of
from bots.vision.models import model_of
from bots.vision.picture import Picture
from bridge.looking import Being, Region

_CONTOUR_EVERY = 4  # blocks of height
_SLOPE = 0.09  # how much a block up or down brightens or darkens
_LINE = 0.8
_UNKNOWN = (58, 58, 64)
_ROCK = 0.35  # how dark the walls of a cave are beside its floor
_DEEP = 10  # blocks below the land, for a map of a cave in its place
_SAME_FLOOR = 8  # blocks up or down, of those whom a map of a cave shows
_WHITE, _INK, _RED = (255, 255, 255), (0, 0, 0), (220, 30, 30)
_FAINT_PLANT = 0.35

Array: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Ground:
    """What one sees from above, by x and z."""

    colours: Array
    heights: Array
    """World heights of the topmost block; NaN where nothing is known."""


def draw_map(region: Region, bot: str, scale: int) -> Picture:
    """North is up; each block has `scale` pixels along either side."""
    picture = _terrain(ground_of(region, is_cave=is_below_a_roof(region)))
    size = (picture.width * scale, picture.height * scale)
    picture = picture.resize(size, Image.Resampling.NEAREST)
    _Marks(picture, region, scale).draw(bot)
    return Picture(png_of(picture), picture.width, picture.height)


def draw_terrain(region: Region) -> Picture:
    """The ground alone, a pixel for each block. A bot in a hole of its own sees the land above; one
    deep below sees its cave."""
    ground = ground_of(region, is_cave=False)
    if float(np.nanmedian(ground.heights)) - region.eyes.y > _DEEP:
        ground = ground_of(region, is_cave=True)
    picture = _terrain(ground)
    return Picture(png_of(picture), picture.width, picture.height)


def _terrain(ground: Ground) -> Image.Image:
    # Slopes to the north-west are bright; a dark line runs where a step of height is passed.
    heights = np.nan_to_num(ground.heights, nan=0.0)
    rise = np.zeros_like(heights)
    rise[1:, 1:] = heights[1:, 1:] - heights[:-1, :-1]
    factor = 1 + np.clip(rise, -3, 3) * _SLOPE
    steps = np.floor(heights / _CONTOUR_EVERY)
    line = np.zeros(heights.shape, bool)
    line[:-1] |= steps[:-1] != steps[1:]
    line[:, :-1] |= steps[:, :-1] != steps[:, 1:]
    shaded: Array = ground.colours * (factor * np.where(line, _LINE, 1.0))[:, :, None]
    shaded = np.clip(shaded, 0, 255).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(shaded.transpose(1, 0, 2)))


def ground_of(region: Region, *, is_cave: bool) -> Ground:
    """The topmost blocks; in a cave, those below its roof."""
    grid = grid_of(region)
    width, height, depth = region.size
    cells = grid.cells.reshape(width + 2, depth + 2, height + 2)[1:-1, 1:-1, 1:-1]
    forms = grid.forms[cells]
    eyes = math.floor(region.eyes.y) - region.corner[1]
    if is_cave:
        forms[:, :, eyes + 1 :] = EMPTY
    rows, columns = np.indices((width, depth))
    is_ground = (forms != EMPTY) & (forms != PLANT)
    top = height - 1 - is_ground[:, :, ::-1].argmax(axis=2)
    known = is_ground.any(axis=2) & (forms[rows, columns, top] != OUTSIDE)
    colours = _top_colours(grid, cells[rows, columns, top])
    _let_plants_show(colours, grid, cells, forms, top)
    _let_beds_show(colours, grid, cells, forms, top)
    colours[~known] = _UNKNOWN
    if is_cave:
        colours[top == eyes] *= _ROCK
    return Ground(colours, np.where(known, top + region.corner[1], np.nan))


def is_below_a_roof(region: Region) -> bool:
    """Whether something solid is above the head, leaves apart."""
    x, y, z = (math.floor(a) for a in (region.eyes.x, region.eyes.y, region.eyes.z))
    left, bottom, front = region.corner
    width, height, depth = region.size
    cells = np.frombuffer(region.cells, "<u2").reshape(width, depth, height)
    solid = np.array([bool(kind.boxes) and "leaves" not in kind.name for kind in region.kinds])
    above = cells[x - left, z - front, max(0, y + 1 - bottom) :]
    is_covered = region.covered[(x - left) * depth + z - front] > 0
    return is_covered or bool(solid[above[above < len(solid)]].any())


def _top_colours(grid: Grid, kinds: Array) -> Array:
    means = grid.tiles[:, 1, :, :, :3].mean(axis=(1, 2))
    colours: Array = means[kinds]
    return colours


def _let_plants_show(colours: Array, grid: Grid, cells: Array, forms: Array, top: Array) -> None:
    """Grass and flowers tint what they grow on."""
    rows, columns = np.indices(top.shape)
    above = np.minimum(top + 1, cells.shape[2] - 1)
    grows = forms[rows, columns, above] == PLANT
    looks = np.array([look.accent or look.side for look in grid.looks], np.float32)
    kinds = cells[rows, columns, above][grows]
    colours[grows] += (looks[kinds] - colours[grows]) * _FAINT_PLANT


def _let_beds_show(colours: Array, grid: Grid, cells: Array, forms: Array, top: Array) -> None:
    """Shallow water lets its bed show through."""
    rows, columns = np.nonzero(np.take_along_axis(forms, top[:, :, None], 2)[:, :, 0] == WET)
    if not len(rows):
        return
    below = forms[rows, columns] == WET
    depths = below.sum(axis=1)
    beds = np.maximum(top[rows, columns] - depths, 0)
    bed = _top_colours(grid, cells[rows, columns, beds])
    share = np.clip(0.5 + depths / 12, 0, 0.95)[:, None]
    colours[rows, columns] = bed + (np.array(WATER, np.float32) - bed) * share


class _Marks:
    """Who is where, on a map."""

    def __init__(self, picture: Image.Image, region: Region, scale: int) -> None:
        self._picture, self._region, self._scale = picture, region, scale
        self._pen = ImageDraw.Draw(picture)
        self._font = font_of(13)

    def draw(self, bot: str) -> None:
        eyes = self._region.eyes
        reach = _SAME_FLOOR if is_below_a_roof(self._region) else math.inf
        for being in reversed(self._region.beings):
            if being.kind in ("player", "mob") and abs(being.position.y - eyes.y) < reach:
                self._being(being)
        self._arrow(*self._pixel(eyes.x, eyes.z), self._region.yaw)
        self._name(*self._pixel(eyes.x, eyes.z), bot)
        # Where north is, and how long ten blocks are.
        length, base = 10 * self._scale, self._picture.height - 8
        self._pen.rectangle((4, base - 16, 12 + length + 62, base + 5), fill=_INK)
        self._pen.line((8, base - 4, 8 + length, base - 4), fill=_WHITE, width=3)
        text = "10 blocks"
        self._pen.text((12 + length, base - 6), text, font=self._font, fill=_WHITE, anchor="lm")
        right = self._picture.width - 14
        self._pen.polygon([(right, 4), (right - 6, 18), (right + 6, 18)], fill=_WHITE, outline=_INK)
        self._pen.text((right, 20), "N", font=self._font, fill=_INK, anchor="mt")

    def _pixel(self, x: float, z: float) -> tuple[float, float]:
        left, _, front = self._region.corner
        return (x - left) * self._scale, (z - front) * self._scale

    def _being(self, being: Being) -> None:
        x, y = self._pixel(being.position.x, being.position.z)
        if not (0 <= x < self._picture.width and 0 <= y < self._picture.height):
            return
        size = 5 if being.kind == "player" else 3
        colour = model_of(being)[2].colour
        self._pen.ellipse((x - size, y - size, x + size, y + size), fill=colour, outline=_INK)
        self._name(x, y, name_of(being))

    def _arrow(self, x: float, y: float, yaw: float) -> None:
        """Points where the bot looks."""
        turn = math.radians(yaw)
        corners = [(0.0, 9.0), (2.5, 6.0), (-2.5, 6.0)]
        points = []
        for aside, far in corners:
            angle = turn + aside
            points.append((x - math.sin(angle) * far, y - math.cos(angle) * far))
        self._pen.polygon(points, fill=_RED, outline=_WHITE)

    def _name(self, x: float, y: float, text: str) -> None:
        box = self._pen.textbbox((x, y - 9), text, font=self._font, anchor="ms")
        aside = max(0.0, 2 - box[0]) - max(0.0, box[2] + 2 - self._picture.width)
        down = max(0.0, 2 - box[1])
        at = (x + aside, y - 9 + down)
        left, top, right, bottom = self._pen.textbbox(at, text, font=self._font, anchor="ms")
        self._pen.rectangle((left - 2, top - 1, right + 2, bottom + 1), fill=_INK)
        self._pen.text(at, text, font=self._font, fill=_WHITE, anchor="ms")
