"""Where the rays of a picture go, and where in the picture a direction lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[Any]

FIELD_DOWN = 70.0  # degrees from the top to the bottom of a picture
NEAREST_AHEAD = 0.05  # of a direction's length; less than that is beside the lens, or behind it


@dataclass(frozen=True)  # without slots: its axes are found once and kept
class Lens:
    """Degrees: yaw 0 = north, counter-clockwise; pitch positive = up.

    A panorama goes all the way around and looks level, with `yaw` in its middle."""

    yaw: float
    pitch: float
    width: int
    height: int
    is_panorama: bool = False

    def rays(self) -> Floats:
        """The direction of each pixel, row by row: unit vectors x, y, z."""
        share = (np.arange(self.width) + 0.5) / self.width * 2 - 1
        wide = math.pi if self.is_panorama else self._tall * self.width / self.height
        rows = (1 - (np.arange(self.height) + 0.5) / self.height * 2) * self._tall
        across, down = np.meshgrid((share * wide).astype(np.float32), rows.astype(np.float32))
        if self.is_panorama:
            turned = math.radians(self.yaw) - across
            rays = np.stack([-np.sin(turned), down, -np.cos(turned)], axis=-1)
        else:
            ahead, right, up = self._axes
            rays = ahead + across[..., None] * right + down[..., None] * up
        rays /= np.sqrt(np.einsum("...i,...i", rays, rays))[..., None]
        return rays.reshape(-1, 3).astype(np.float32, copy=False)

    def place(self, x: float, y: float, z: float) -> tuple[float, float] | None:
        """The pixel of a point counted from the eyes; None where it is not ahead."""
        if self.is_panorama:
            level = math.hypot(x, z)
            if level < 1e-6:
                return None
            aside = math.radians(self.yaw) - math.atan2(-x, -z)
            aside = (aside + math.pi) % (2 * math.pi) - math.pi
            return (aside / math.pi + 1) / 2 * self.width, self._row(y / level)
        ahead, right, up = (float(np.dot(axis, (x, y, z))) for axis in self._axes)
        if ahead <= NEAREST_AHEAD * math.hypot(x, y, z):
            return None
        wide = self._tall * self.width / self.height
        return (right / ahead / wide + 1) / 2 * self.width, self._row(up / ahead)

    def _row(self, slope: float) -> float:
        return (1 - slope / self._tall) / 2 * self.height

    @property
    def _tall(self) -> float:
        return math.tan(math.radians(FIELD_DOWN / 2))

    @cached_property
    def _axes(self) -> tuple[Floats, Floats, Floats]:
        """Ahead, right and up."""
        yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
        level, rise = math.cos(pitch), math.sin(pitch)
        ahead = np.array([-math.sin(yaw) * level, rise, -math.cos(yaw) * level], np.float32)
        right = np.array([math.cos(yaw), 0.0, -math.sin(yaw)], np.float32)
        return ahead, right, np.cross(right, ahead)
