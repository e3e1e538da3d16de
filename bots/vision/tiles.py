"""The faces of blocks as tiles of 16 by 16 pixels, painted from a look."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bots.vision.colours import RGB, Look

SIDE = 16
SIDES, TOP, BOTTOM = 0, 1, 2
_ROUGH: dict[str, float] = {"plain": 0.03, "glass": 0.0, "wool": 0.05, "leaves": 0.16}
_USUAL_ROUGHNESS = 0.08

Tile: TypeAlias = npt.NDArray[np.float32]
"""16 rows from the top, 16 columns, red green blue and opacity, 0 to 255."""
Tiles: TypeAlias = Callable[[str, Look], Tile]
"""Paints the sides, the top and the bottom of a block by its name and look."""


@lru_cache(maxsize=4096)
def tiles_of(name: str, look: Look) -> Tile:
    """The tiles of the sides, the top and the bottom."""
    dice = np.random.default_rng(zlib.crc32(name.encode()))
    if look.form == "plant":
        return np.stack([_plant(look, dice)] * 3)
    if look.form == "post":
        tile = _rough(look.side, "grain", dice)
        if look.accent is not None:  # its upper end burns
            tile[:9, :, :3] = look.accent
        return np.stack([tile] * 3)
    top = look.top or look.side
    side = _side(look, dice)
    above = _patterned(top, look, dice) if look.top is None else _rough(top, "grain", dice)
    if look.pattern == "bark" and look.top is not None:
        above = _rough(top, "grain", dice)
        away = np.maximum(*np.abs(np.indices((SIDE, SIDE)) - (SIDE - 1) / 2))
        above[away.astype(int) % 3 == 0, :3] *= 0.85
        above[away > SIDE / 2 - 1, :3] *= 0.6
    below = above if look.base is None else _rough(look.base, "grain", dice)
    return np.stack([side, above, below])


def _side(look: Look, dice: np.random.Generator) -> Tile:
    if look.pattern == "turf":
        tile = _rough(look.side, "grain", dice)
        green = _rough(look.top or look.side, "grain", dice)
        for column in range(SIDE):
            depth = int(dice.integers(3, 6))
            tile[:depth, column] = green[:depth, column]
        return tile
    return _patterned(look.side, look, dice)


def _patterned(rgb: RGB, look: Look, dice: np.random.Generator) -> Tile:
    tile = _rough(rgb, look.pattern, dice)
    accent = np.array(look.accent or _darker(rgb), np.float32)
    match look.pattern:
        case "planks":
            tile[3::4, :, :3] *= 0.72
            for row, column in ((0, 4), (4, 12), (8, 7), (12, 14)):
                tile[row : row + 4, column, :3] *= 0.78
        case "bark":
            tile[:, :, :3] *= dice.choice([0.72, 0.88, 1.0, 1.08], SIDE)[None, :, None]
        case "bricks":
            tile[3::4, :, :3] = accent
            tile[0:3, 3, :3] = tile[4:7, 11, :3] = tile[8:11, 3, :3] = tile[12:15, 11, :3] = accent
        case "ore":
            for _ in range(6):
                row, column = dice.integers(1, 13, 2)
                tile[row : row + 2, column : column + 3, :3] = accent
                tile[row + 2, column : column + 2, :3] = accent * 0.8
        case "leaves":
            tile[dice.random((SIDE, SIDE)) < 0.2, :3] *= 0.55
        case "wool":
            tile[::2, ::2, :3] *= 0.95
        case "glass":
            tile[1:-1, 1:-1, 3] = 60
            tile[2, 4:7, 3] = tile[3, 3:6, 3] = tile[4, 3, 3] = 255
            tile[2:5, 3:7, :3] = np.minimum(tile[2:5, 3:7, :3] * 1.1, 255)
        case "box":
            tile[[0, -1], :, :3] *= 0.6
            tile[:, [0, -1], :3] *= 0.6
            tile[5:12, 5:11, :3] = accent
    return tile


def _rough(rgb: RGB, pattern: str, dice: np.random.Generator) -> Tile:
    spread = _ROUGH.get(pattern, _USUAL_ROUGHNESS)
    tile = np.full((SIDE, SIDE, 4), 255.0, np.float32)
    shades = 1 + spread * dice.uniform(-1, 1, (SIDE, SIDE, 1))
    tile[:, :, :3] = np.clip(np.array(rgb, np.float32) * shades, 0, 255)
    return tile


def _plant(look: Look, dice: np.random.Generator) -> Tile:
    """Blades, and a blossom where there is an accent; nothing between them."""
    tile = _rough(look.side, "grain", dice)
    tile[:, :, 3] = 0
    for column in range(1, SIDE - 1) if look.accent is None else (6, 7, 9):
        height = int(dice.integers(6, 15)) if look.accent is None else 9
        if look.accent is not None or dice.random() < 0.6:
            tile[SIDE - height :, column, 3] = 255
    if look.accent is not None:
        tile[3:8, 5:11, 3] = 255
        tile[3:8, 5:11, :3] = look.accent
        tile[5, 7:9, :3] = _darker(look.accent)
        tile[12, 4:12, 3] = 255
    return tile


def _darker(rgb: RGB) -> RGB:
    r, g, b = (round(part * 0.6) for part in rgb)
    return r, g, b
