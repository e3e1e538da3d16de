"""Draws what a bot sees: from a region and a shot to a picture with words on it."""

from __future__ import annotations

from pathlib import Path

from bots.vision.labels import labelled, png_of
from bots.vision.lens import Lens
from bots.vision.paint import paint
from bots.vision.picture import Picture, Shot
from bots.vision.textures import tiles_for
from bots.vision.tiles import tiles_of
from bridge.region import Region


def draw(region: Region, shot: Shot, bot: str, textures: Path | None = None) -> Picture:
    """`textures` holds pictures of blocks; without it they have our colours."""
    lens = Lens(shot.yaw, shot.pitch, shot.width, shot.height, shot.is_panorama)
    tiles = tiles_of if textures is None else tiles_for(textures, region.version)
    picture = labelled(region, lens, paint(region, lens, tiles), bot)
    return Picture(png_of(picture), shot.width, shot.height)
