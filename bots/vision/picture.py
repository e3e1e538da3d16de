"""A picture that was drawn, and what was to be drawn: plain values, without numpy."""

from __future__ import annotations

import base64
from dataclasses import dataclass

PNG = "image/png"
WIDTH, HEIGHT = 480, 270
PANORAMA_WIDTH, PANORAMA_HEIGHT = 1080, 240


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
