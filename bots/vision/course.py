"""The course of something from above, as a film: ground, paths, who is where, and what is said."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from PIL import Image, ImageDraw

from bots.text.columns import wrapped
from bots.vision.drawing import font_of, png_of

LONGEST_SIDE = 480  # pixels
LEAST_BLOCKS = 32  # along either side of what is shown
MARGIN = 6  # blocks around all that is walked
BIGGEST_BLOCK = 12  # pixels
CAPTION_ROWS, ROW_HEIGHT = 3, 15
LETTER = 7  # pixels, about
LABEL_HEIGHT = 14
LABEL_ROWS = (-14, 15, -30, 31, -46, 47)  # pixels from a dot to its name, as there is room
GRID_EVERY = 8  # blocks, where the ground is not known
STEP_AT_MOST = 16.0  # blocks between two moments; what is farther was not walked
_GROUND, _GRID, _CAPTION, _WORDS, _INK = (
    *((206, 212, 198), (190, 197, 182)),
    *((24, 26, 30), (240, 240, 240), (0, 0, 0)),
)
_PEOPLE_RING = (255, 255, 255)
_COLOURS = (
    *((214, 60, 50), (40, 110, 210), (245, 170, 30), (150, 70, 190)),
    *((20, 150, 140), (230, 110, 170), (110, 80, 50), (90, 130, 30)),
)

Box: TypeAlias = tuple[float, float, float, float]
Standing: TypeAlias = tuple[float, float, str]
"""x, z and the dimension."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A picture with a pixel for each block, and where its north-west corner lies."""

    png: bytes
    west: int
    north: int
    world: str = "overworld"


@dataclass(frozen=True, slots=True)
class Moment:
    """Who stands where at one time, and what is told of it."""

    at_s: float
    standing: Mapping[str, Standing]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    moments: Sequence[Moment]
    people: Collection[str] = ()
    """Of those who stand there; the others are bots."""
    grounds: Sequence[Ground] = ()
    """Later ones cover earlier ones."""


def frames_of(course: Course, most: int) -> list[bytes]:
    """PNGs of one size, at most so many, evenly over time. Nothing where nobody stood anywhere."""
    shown = _evenly(course.moments, most)
    standing = (one for moment in course.moments for one in moment.standing.values())
    seen = Counter(world for _, _, world in standing)
    if not seen or not shown:
        return []
    board = _Board(course, seen.most_common(1)[0][0])  # what is in other worlds is left out
    return [board.frame(moment) for moment in shown]


class _Board:
    """What all frames have in common; each frame adds to the paths."""

    def __init__(self, course: Course, world: str) -> None:
        self._course, self._world = course, world
        stood = (one for moment in course.moments for one in moment.standing.values())
        places = [(x, z) for x, z, where in stood if where == world]
        self._west, self._width = _span([x for x, _ in places])
        self._north, self._depth = _span([z for _, z in places])
        self._scale = max(1, min(BIGGEST_BLOCK, LONGEST_SIDE // max(self._width, self._depth)))
        names = sorted({name for moment in course.moments for name in moment.standing})
        self._colours = {name: _COLOURS[n % len(_COLOURS)] for n, name in enumerate(names)}
        self._font = font_of(12)
        self._grounds = [one for one in course.grounds if one.world == world]
        size = (self._width, self._depth)
        land = Image.new("RGB", size, _GROUND)
        for ground in self._grounds:
            with Image.open(io.BytesIO(ground.png)) as found:
                at = (ground.west - self._west, ground.north - self._north)
                land.paste(found.convert("RGB"), at)
        picture = land.resize(
            (self._width * self._scale, self._depth * self._scale), Image.Resampling.NEAREST
        )
        if not self._grounds:
            self._grid(ImageDraw.Draw(picture))
        self._picture = picture
        self._last: dict[str, tuple[float, float]] = {}
        self._walked_until_s = -math.inf

    def frame(self, moment: Moment) -> bytes:
        self._walk_until(moment.at_s)
        picture = self._picture.copy()
        pen = ImageDraw.Draw(picture)
        here = {
            name: self._pixel(x, z)
            for name, (x, z, world) in sorted(moment.standing.items())
            if world == self._world
        }
        for name, (x, y) in here.items():
            ring = _PEOPLE_RING if name in self._course.people else _INK
            box = (x - 5, y - 5, x + 5, y + 5)
            pen.ellipse(box, fill=self._colours[name], outline=ring, width=2)
        taken: list[Box] = []
        for name, at in here.items():
            taken.append(self._label(pen, name, at, taken))
        length, base = 10 * self._scale, self._depth * self._scale - 7
        pen.rectangle((3, base - 10, 12 + length + 56, base + 5), fill=_INK)
        pen.line((7, base - 2, 7 + length, base - 2), fill=_WORDS, width=3)
        pen.text((11 + length, base - 3), "10 blocks", font=self._font, fill=_WORDS, anchor="lm")
        return png_of(self._captioned(picture, moment))

    def _walk_until(self, at_s: float) -> None:
        """Draw the paths of all moments up to this one, those that are not shown too."""
        pen = ImageDraw.Draw(self._picture)
        for moment in self._course.moments:
            if self._walked_until_s < moment.at_s <= at_s:
                for name, (x, z, world) in moment.standing.items():
                    before = self._last.pop(name, None)
                    if world == self._world:
                        self._last[name] = (x, z)
                        if before is not None and math.dist(before, (x, z)) <= STEP_AT_MOST:
                            line = [self._pixel(*before), self._pixel(x, z)]
                            pen.line(line, fill=self._colours[name], width=2)
        self._walked_until_s = at_s

    def _grid(self, pen: ImageDraw.ImageDraw) -> None:
        width, depth = self._width * self._scale, self._depth * self._scale
        for x in range(-self._west % GRID_EVERY, self._width, GRID_EVERY):
            pen.line((x * self._scale, 0, x * self._scale, depth), fill=_GRID)
        for z in range(-self._north % GRID_EVERY, self._depth, GRID_EVERY):
            pen.line((0, z * self._scale, width, z * self._scale), fill=_GRID)

    def _pixel(self, x: float, z: float) -> tuple[float, float]:
        return (x - self._west) * self._scale, (z - self._north) * self._scale

    def _label(
        self,
        pen: ImageDraw.ImageDraw,
        name: str,
        at: tuple[float, float],
        taken: Collection[Box],
    ) -> Box:
        """A name above its dot, or where no other name stands; the room it takes."""
        half = pen.textlength(name, font=self._font) / 2 + 2
        x = min(max(at[0], half), self._width * self._scale - half)
        boxes = [
            (x - half, y - LABEL_HEIGHT / 2, x + half, y + LABEL_HEIGHT / 2)
            for y in (at[1] + down for down in LABEL_ROWS)
            if y > LABEL_HEIGHT / 2
        ]
        box = next((one for one in boxes if not any(_overlap(one, o) for o in taken)), boxes[0])
        pen.rectangle(box, fill=_INK)
        middle = (x, (box[1] + box[3]) / 2)
        pen.text(middle, name, font=self._font, fill=_WORDS, anchor="mm")
        return box

    def _captioned(self, picture: Image.Image, moment: Moment) -> Image.Image:
        """Below the picture: the time, and what is told."""
        height = CAPTION_ROWS * ROW_HEIGHT + 6
        whole = Image.new("RGB", (picture.width, picture.height + height), _CAPTION)
        whole.paste(picture, (0, 0))
        minutes, seconds = divmod(round(moment.at_s), 60)
        words = f"{minutes}:{seconds:02}  {moment.caption}"
        pen = ImageDraw.Draw(whole)
        for number, row in enumerate(wrapped(words, picture.width // LETTER)[:CAPTION_ROWS]):
            at = (6, picture.height + 3 + number * ROW_HEIGHT)
            pen.text(at, row, font=self._font, fill=_WORDS)
        return whole


def _overlap(one: Box, other: Box) -> bool:
    is_aside = one[2] < other[0] or other[2] < one[0]
    return not (is_aside or one[3] < other[1] or other[3] < one[1])


def _evenly(moments: Sequence[Moment], most: int) -> list[Moment]:
    """At most so many, the first and the last among them, each as it was at its time."""
    if len(moments) <= most:
        return list(moments)
    begun_s, ended_s = moments[0].at_s, moments[-1].at_s
    shown, at = [], 0
    for number in range(most):
        due_s = begun_s + (ended_s - begun_s) * number / (most - 1)
        while at + 1 < len(moments) and moments[at + 1].at_s <= due_s:
            at += 1
        shown.append(moments[at])
    return shown


def _span(along: Sequence[float]) -> tuple[int, int]:
    """Where it begins and how many blocks it has, with a margin, and not too few."""
    low, high = math.floor(min(along)) - MARGIN, math.ceil(max(along)) + MARGIN
    missing = max(0, LEAST_BLOCKS - (high - low))
    return low - missing // 2, high - low + missing
