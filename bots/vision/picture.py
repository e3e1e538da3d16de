"""A picture that was drawn, what was to be drawn, and directions in words: plain values, without
numpy. Pictures one after another make one that moves: a GIF, which every browser and chat shows.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bots.private_files import refuse_other
from bridge.world import Position

PNG = "image/png"
WIDTH, HEIGHT = 480, 270
PANORAMA_WIDTH, PANORAMA_HEIGHT = 1080, 240
QUARTERS = (
    *("north", "north-west", "west", "south-west"),
    *("south", "south-east", "east", "north-east"),
)
_STEEP = 60.0  # degrees; what is steeper is above or below
COLOURS = 128
FILM = b"GIF8"
"""What a GIF begins with."""


@dataclass(frozen=True, slots=True)
class Shot:
    """What to draw from the eyes of a bot. Degrees; yaw 0 = north, counter-clockwise; pitch
    positive = up."""

    yaw: float
    pitch: float
    width: int = WIDTH
    height: int = HEIGHT
    is_panorama: bool = False
    """All the way around and level, with `yaw` in its middle."""


@dataclass(frozen=True, slots=True)
class Picture:
    data: bytes
    width: int
    height: int
    media_type: str = PNG

    @property
    def base64(self) -> str:
        return base64.b64encode(self.data).decode("ascii")


def quarter(yaw: float) -> str:
    """Of degrees, 0 = north, counter-clockwise."""
    return QUARTERS[round(yaw % 360 / 45) % 8]


def direction_of(eyes: Position, point: Position) -> str:
    """Where a point lies for somebody with their eyes there."""
    x, y, z = point.x - eyes.x, point.y - eyes.y, point.z - eyes.z
    level = math.hypot(x, z)
    if abs(math.degrees(math.atan2(y, level))) > _STEEP:
        return "above" if y > 0 else "below"
    return quarter(math.degrees(math.atan2(-x, -z)))


def write_film(frames: Sequence[bytes], file: Path, seconds_each: float) -> None:
    """Raises OSError, also where something else than a film lies. The frames are PNGs of one
    size."""
    from PIL import Image

    refuse_other(file, FILM)
    pictures = [Image.open(io.BytesIO(frame)).convert("RGB").quantize(COLOURS) for frame in frames]
    pictures[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=round(seconds_each * 1000),
        loop=0,
    )
