"""The faces of blocks as tiles, from installed pictures of one version. Blocks without a picture
keep our colours."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import structlog
from PIL import Image

from bots.vision.block_models import Face, Layer, read_faces
from bots.vision.colours import RGB, Look
from bots.vision.texture_store import BLOCKS, nearest, versions_in
from bots.vision.tiles import SIDE, Tile, Tiles, tiles_of

_OTHER_NAMES = {"short_grass": "grass"}
"""Blocks that the nearest version has under an older name."""
_OURS = frozenset({"post", "water"})
"""Forms whose pictures do not fit how we draw them."""
_DENSE = 150  # opacity from which a pixel of glass is its frame
_PANE, _OPAQUE = 60.0, 255.0
_HOLE = 0.55  # how dark it is between leaves, of their colour

log = structlog.get_logger()


def tiles_for(root: Path, version: str) -> Tiles:
    """What paints the blocks of a version; in our colours where the pictures cannot be read."""
    held = versions_in(root)
    textures = _textures_in(root / nearest(version, held)) if held else None
    return textures.tiles_of if textures is not None else tiles_of


@lru_cache(maxsize=4)
def _textures_in(folder: Path) -> Textures | None:
    try:
        return Textures(folder)
    except (OSError, ValueError, LookupError) as error:
        log.warning("textures.not_read", folder=str(folder), why=str(error))
        return None


class Textures:
    """The pictures of a version; each is read once, when a block with it is first seen."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError, ValueError, LookupError."""
        self._pictures = folder / BLOCKS
        self._faces = read_faces(folder)
        self._made: dict[tuple[str, Look], Tile] = {}

    def tiles_of(self, name: str, look: Look) -> Tile:
        """The tiles of the sides, the top and the bottom."""
        made = self._made.get((name, look))
        if made is None:
            textured = None if look.form in _OURS else self._textured(name, look)
            made = tiles_of(name, look) if textured is None else textured
            self._made[name, look] = made
        return made

    def _textured(self, name: str, look: Look) -> Tile | None:
        faces = self._faces.get(name) or self._faces.get(_OTHER_NAMES.get(name, ""))
        if faces is None:
            return None
        try:
            tiles = [self._face(face, look.top or look.side) for face in faces]
        except OSError:
            return None
        return np.stack([_as_drawn(tile, look) for tile in tiles])

    def _face(self, face: Face, tint: RGB) -> Tile:
        lowest, *others = (self._layer(layer, tint) for layer in face)
        for tile in others:
            share = tile[:, :, 3:] / _OPAQUE
            lowest[:, :, :3] += (tile[:, :, :3] - lowest[:, :, :3]) * share
            lowest[:, :, 3] = np.maximum(lowest[:, :, 3], tile[:, :, 3])
        return lowest

    def _layer(self, layer: Layer, tint: RGB) -> Tile:
        tile = _read(self._pictures / f"{layer.picture}.png")
        return _tinted(tile, tint) if layer.is_tinted else tile


def _read(file: Path) -> Tile:
    """The first frame of a picture, 16 by 16 pixels. Raises OSError."""
    with Image.open(file) as picture:
        side = min(picture.size)
        frame = picture.convert("RGBA").crop((0, 0, side, side))
    if side != SIDE:
        frame = frame.resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.array(frame, np.float32)


def _tinted(tile: Tile, tint: RGB) -> Tile:
    """Grey becomes shades of a colour, which is their mean."""
    grey = tile[:, :, :3].mean(axis=2, keepdims=True)
    shades = grey / max(float(_mean(tile).mean()), 1.0)
    tile[:, :, :3] = np.clip(shades * np.array(tint, np.float32), 0, 255)
    return tile


def _mean(tile: Tile) -> Tile:
    """The colour of what is not clear."""
    weights = tile[:, :, 3:]
    mean: Tile = (tile[:, :, :3] * weights).sum(axis=(0, 1)) / max(float(weights.sum()), 1.0)
    return mean


def _as_drawn(tile: Tile, look: Look) -> Tile:
    """Plants have holes; one looks through glass, not through its frame; all else is closed."""
    if look.form == "plant":
        return tile
    if look.form == "glass":
        is_clear = tile[:, :, 3] < _DENSE
        tile[is_clear, :3] = look.side
        tile[:, :, 3] = np.where(is_clear, _PANE, _OPAQUE)
        return tile
    holes = tile[:, :, 3] == 0
    tile[holes, :3] = _mean(tile) * _HOLE
    tile[:, :, 3] = _OPAQUE
    return tile
