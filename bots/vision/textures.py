"""The faces of blocks as tiles, from installed pictures of one version. Blocks without a picture
keep our colours. The game's own models say which pictures are on the sides, the top and the bottom.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import structlog
from PIL import Image

from bots.vision.colours import RGB, Look
from bots.vision.texture_store import BLOCKS, MODELS, STATES, nearest, versions_in
from bots.vision.tiles import SIDE, Tile, Tiles, tiles_of

_MOST_PARENTS = 12
_WIDTH, _LEAST = 16.0, 0.5  # of a block and its picture; of what counts as an overlap
_USUAL = {
    "axis=y": 1, "snowy=false": 1, "lit=false": 1, "powered=false": 1, "half=upper": 1,
    "age=3": 1, "age=7": 2,
}  # fmt: skip
"""Parts of the state that a picture shows, and what they weigh: as a block mostly stands, crops
ripe, and of a tall plant what blooms."""
_SIDES, _TOP, _BOTTOM = ("north", "west", "south", "east"), ("up",), ("down",)
_OTHER_NAMES = {"short_grass": "grass"}
"""Blocks that the nearest version has under an older name."""
_OURS = frozenset({"post", "water"})
"""Forms whose pictures do not fit how we draw them."""
_DENSE = 150  # opacity from which a pixel of glass is its frame
_PANE, _OPAQUE = 60.0, 255.0
_HOLE = 0.55  # how dark it is between leaves, of their colour
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Layer:
    picture: str
    """The name of its file, without an ending."""
    is_tinted: bool
    """It is grey, and gets the colour of the country."""


Face: TypeAlias = tuple[Layer, ...]
"""Layers that lie on each other, the lowest first."""


Faces: TypeAlias = tuple[Face, Face, Face]
"""Sides, top, bottom. The sides are all as the front, where a block has one."""


_Model: TypeAlias = Mapping[str, Any]
"""As the game has it: a parent, pictures by name, and elements with their faces."""


def read_faces(folder: Path) -> Mapping[str, Faces]:
    """By the name of the block; those without pictures are left out. Raises OSError, ValueError."""
    states: dict[str, Any] = json.loads((folder / STATES).read_bytes())
    models: dict[str, _Model] = json.loads((folder / MODELS).read_bytes())
    found = {name: _faces(_model_of(state), models) for name, state in states.items() if state}
    return {name: faces for name, faces in found.items() if faces is not None}


def _model_of(state: Mapping[str, Any]) -> str:
    if "variants" in state:
        variants = state["variants"]
        usual = {one: sum(_USUAL.get(part, 0) for part in one.split(",")) for one in variants}
        chosen = variants[max(variants, key=usual.__getitem__)]
    else:
        chosen = state["multipart"][0]["apply"]
    first = chosen[0] if isinstance(chosen, list) else chosen
    return _bare(first["model"])


def _faces(model: str, models: Mapping[str, _Model]) -> Faces | None:
    textures: dict[str, Any] = {}
    elements: Sequence[Mapping[str, Any]] = ()
    for _ in range(_MOST_PARENTS):
        if (found := models.get(model)) is None:
            break
        textures = {**found.get("textures", {}), **textures}
        elements = elements or found.get("elements", ())
        model = _bare(found.get("parent", ""))
    if elements and not _is_in_place(elements[0]):
        return None
    sides = _face(elements, _SIDES, textures)
    top = _face(elements, _TOP, textures) or sides
    return (sides or top, top, _face(elements, _BOTTOM, textures) or top) if top else None


def _is_in_place(element: Mapping[str, Any]) -> bool:
    """Whether its picture shows it where it is in the block. That of a lantern holds its parts
    side by side, elsewhere: drawn in place it would be nonsense."""
    sides = [(at, side) for at, side in element["faces"].items() if at in _SIDES]
    low, high = element["from"], element["to"]
    rows = _WIDTH - high[1], _WIDTH - low[1]
    for at, side in sides:
        along = 0 if at in ("north", "south") else 2
        columns = low[along], high[along]
        mirrored = _WIDTH - high[along], _WIDTH - low[along]
        if "uv" not in side or columns[1] - columns[0] >= _WIDTH:
            continue
        left, top, right, bottom = side["uv"]
        is_beside = any(_overlap((left, right), one) for one in (columns, mirrored))
        if not is_beside or not _overlap((top, bottom), rows):
            return False
    return True


def _overlap(seen: tuple[float, float], place: tuple[float, float]) -> bool:
    return min(seen) <= place[1] - _LEAST and max(seen) >= place[0] + _LEAST


def _face(
    elements: Sequence[Mapping[str, Any]], directions: Sequence[str], textures: Mapping[str, Any]
) -> Face:
    """What the first element has on this side, and those that lie exactly on it."""
    layers: list[Layer] = []
    place: object = None
    for element in elements:
        direction = next((one for one in directions if one in element["faces"]), None)
        if direction is None or (layers and (element["from"], element["to"]) != place):
            continue
        place = element["from"], element["to"]
        side = element["faces"][direction]
        picture = _picture(side.get("texture", ""), textures)
        layers += [Layer(picture, "tintindex" in side)] if picture else []
    return tuple(layers)


def _picture(texture: str, textures: Mapping[str, Any]) -> str:
    """The name of a file; `#side` stands for another entry."""
    for _ in range(_MOST_PARENTS):
        if not texture.startswith("#"):
            break
        found = textures.get(texture[1:], "")
        texture = found if isinstance(found, str) else found["sprite"]
    return "" if texture.startswith("#") else texture.rpartition("/")[2].rpartition(":")[2]


def _bare(model: str) -> str:
    return model.removeprefix("minecraft:").removeprefix("block/")


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
        # The first frame of a picture, 16 by 16 pixels.
        with Image.open(self._pictures / f"{layer.picture}.png") as picture:
            side = min(picture.size)
            frame = picture.convert("RGBA").crop((0, 0, side, side))
        if side != SIDE:
            frame = frame.resize((SIDE, SIDE), Image.Resampling.BOX)
        tile = np.array(frame, np.float32)
        if layer.is_tinted:  # grey becomes shades of a colour, which is their mean
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
