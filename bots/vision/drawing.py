"""Draws what a bot sees: from a region and a shot to a picture with words on it."""

from __future__ import annotations

from bots.vision.labels import labelled, png_of
from bots.vision.lens import Lens
from bots.vision.paint import paint
from bots.vision.picture import Picture, Shot
from bridge.region import Region


def draw(region: Region, shot: Shot, bot: str) -> Picture:
    lens = Lens(shot.yaw, shot.pitch, shot.width, shot.height, shot.is_panorama)
    picture = labelled(region, lens, paint(region, lens), bot)
    return Picture(png_of(picture), shot.width, shot.height)
