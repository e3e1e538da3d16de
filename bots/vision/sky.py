"""What is behind everything: the sky by day and by night, or the haze of other dimensions."""

from __future__ import annotations

import math

import numpy as np

from bots.vision.lens import Floats
from bots.vision.light import daylight

_ZENITH_DAY, _HORIZON_DAY = np.array([92, 148, 236.0]), np.array([188, 212, 242.0])
_ZENITH_NIGHT, _HORIZON_NIGHT = np.array([8, 10, 26.0]), np.array([24, 30, 54.0])
_DUSK = np.array([236, 140, 76.0])
_RAIN = np.array([112, 122, 136.0])
_ELSEWHERE = {"the_nether": np.array([72, 18, 14.0]), "the_end": np.array([28, 22, 34.0])}
_SUN, _MOON = np.array([255, 246, 190.0]), np.array([220, 226, 236.0])
_DISC = math.cos(math.radians(4.0))
_STARS = 0.0015  # of the pixels
_TICKS = 24_000


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
