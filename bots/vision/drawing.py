"""Draws what a bot sees: from a region and a shot to a picture with words on it: who
is who, where it is taken from, what is in the middle and in hand.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from bots.vision.lens import Lens
from bots.vision.models import colour_of_item
from bots.vision.paint import Painted, paint
from bots.vision.picture import QUARTERS, Picture, Shot, quarter
from bots.vision.textures import tiles_for
from bots.vision.tiles import tiles_of
from bridge.looking import Being, Region

_ORDINARY_NAME = re.compile(r"[A-Za-z0-9_]{1,16}")
_ABOVE = 0.3  # blocks from a head to its label
_WHITE, _INK, _HANDLE = (255, 255, 255), (0, 0, 0), (116, 86, 48)
_TOOLS = re.compile(r"_(pickaxe|axe|sword|shovel|hoe)$|^(bow|fishing_rod|stick|shears)$")


def labelled(region: Region, lens: Lens, painted: Painted, bot: str) -> Image.Image:
    picture = Image.fromarray(painted.pixels)
    pen = ImageDraw.Draw(picture)
    font = font_of(max(10, lens.height // 21))
    for being, _ in reversed(painted.seen):
        _name(pen, font, region, lens, being)
    if region.held is not None and not lens.is_panorama:
        _hand(pen, lens, region.held)
    _headline(pen, font, region, lens, painted, bot)
    if lens.is_panorama:
        for number, word in enumerate(QUARTERS):
            yaw = math.radians(number * 45)
            at = lens.place(-math.sin(yaw), 0, -math.cos(yaw))
            if at is not None:
                _tag(pen, font, (at[0], lens.height - 5), word, lens)
    else:
        x, y = lens.width // 2, lens.height // 2
        for ends in ((x - 5, y, x + 5, y), (x, y - 5, x, y + 5)):
            pen.line(ends, fill=_WHITE)
    return picture


def png_of(picture: Image.Image) -> bytes:
    kept = io.BytesIO()
    picture.save(kept, "PNG", compress_level=4)
    return kept.getvalue()


def name_of(being: Being) -> str:
    """As it may be shown: a name that is made of words is not."""
    if being.kind != "player":
        return being.name
    return being.name if _ORDINARY_NAME.fullmatch(being.name) else "a player"


def _name(
    pen: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont, region: Region, lens: Lens, being: Being
) -> None:
    feet, eyes = being.position, region.eyes
    way = (feet.x - eyes.x, feet.y + being.height + _ABOVE - eyes.y, feet.z - eyes.z)
    at = lens.place(*way)
    if at is None:
        return
    held = f" with {being.held}" if being.held else ""
    _tag(pen, font, at, f"{name_of(being)}{held} {math.dist(way, (0, 0, 0)):.0f} m", lens)


def _tag(
    pen: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont,
    at: tuple[float, float],
    text: str,
    lens: Lens,
) -> None:
    """Text in the middle above a point, moved so that all of it is on the picture."""
    left, top, right, bottom = pen.textbbox(at, text, font=font, anchor="ms")
    x = at[0] + max(0.0, 3 - left) - max(0.0, right + 3 - lens.width)
    y = at[1] + max(0.0, lens.height // 14 - top) - max(0.0, bottom + 3 - lens.height)
    left, top, right, bottom = pen.textbbox((x, y), text, font=font, anchor="ms")
    pen.rectangle((left - 2, top - 2, right + 2, bottom + 2), fill=_INK)
    pen.text((x, y), text, font=font, fill=_WHITE, anchor="ms")


def _headline(
    pen: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont,
    region: Region,
    lens: Lens,
    painted: Painted,
    bot: str,
) -> None:
    at = region.eyes
    place = f"{math.floor(at.x)} {math.floor(at.y - 1)} {math.floor(at.z)}"
    parts = [bot, place, "all around" if lens.is_panorama else quarter(lens.yaw)]
    parts.append(clock(region.time_of_day))
    if painted.target is not None and not lens.is_panorama:
        parts.append(f"{painted.target[0]} {painted.target[1]:.0f} m")
    if region.held is not None:
        parts.append(f"in hand: {region.held}")
    text = "   ".join(parts)
    _, _, right, bottom = pen.textbbox((4, 2), text, font=font)
    pen.rectangle((0, 0, right + 4, bottom + 2), fill=_INK)
    pen.text((4, 2), text, font=font, fill=_WHITE)


def clock(time_of_day: int) -> str:
    """A day begins at six."""
    minutes = (time_of_day * 60 // 1000 + 6 * 60) % (24 * 60)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _hand(pen: ImageDraw.ImageDraw, lens: Lens, item: str) -> None:
    """What is in hand, at the lower right: a tool with its handle, or a cube."""
    size, colour = lens.height / 5, colour_of_item(item)
    x, y = lens.width - size * 1.1, lens.height - size * 1.1
    if _TOOLS.search(item):
        _shape(pen, [(0.55, 1.2), (0.25, 0.3), (0.38, 0.25), (0.75, 1.2)], _HANDLE, x, y, size)
        _shape(
            pen, [(0, 0.35), (0.1, 0.1), (0.6, 0.1), (0.75, 0.3), (0.35, 0.3)], colour, x, y, size
        )
        return
    dark: tuple[int, int, int] = (colour[0] * 3 // 4, colour[1] * 3 // 4, colour[2] * 3 // 4)
    _shape(pen, [(0.1, 0.4), (0.5, 0.25), (0.9, 0.4), (0.5, 0.55)], colour, x, y, size)
    _shape(pen, [(0.1, 0.4), (0.5, 0.55), (0.5, 1.1), (0.1, 0.95)], dark, x, y, size)
    _shape(pen, [(0.9, 0.4), (0.5, 0.55), (0.5, 1.1), (0.9, 0.95)], colour, x, y, size)


def _shape(
    pen: ImageDraw.ImageDraw,
    corners: Sequence[tuple[float, float]],
    colour: tuple[int, int, int],
    x: float,
    y: float,
    size: float,
) -> None:
    points = [(x + across * size, y + down * size) for across, down in corners]
    pen.polygon(points, fill=colour, outline=(30, 30, 30))


@lru_cache(maxsize=8)
def font_of(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow comes with FreeType"
    return font


def draw(region: Region, shot: Shot, bot: str, textures: Path | None = None) -> Picture:
    """`textures` holds pictures of blocks; without it they have our colours."""
    lens = Lens(shot.yaw, shot.pitch, shot.width, shot.height, shot.is_panorama)
    tiles = tiles_of if textures is None else tiles_for(textures, region.version)
    picture = labelled(region, lens, paint(region, lens, tiles), bot)
    return Picture(png_of(picture), shot.width, shot.height)
