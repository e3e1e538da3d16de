"""Which pictures are on the sides, the top and the bottom of each block, by the game's own models
of a version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypedDict, cast

from bots.vision.texture_store import MODELS, STATES

_MOST_PARENTS = 12
_WIDTH, _LEAST = 16.0, 0.5  # of a block and its picture; of what counts as an overlap
_USUAL = {
    "axis=y": 1, "snowy=false": 1, "lit=false": 1, "powered=false": 1, "half=upper": 1,
    "age=3": 1, "age=7": 2,
}  # fmt: skip
"""Parts of the state that a picture shows, and what they weigh: as a block mostly stands, crops
ripe, and of a tall plant what blooms."""
_SIDES, _TOP, _BOTTOM = ("north", "west", "south", "east"), ("up",), ("down",)


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


class _Sprite(TypedDict):
    sprite: str


class _Side(TypedDict, total=False):
    texture: str
    uv: list[float]
    tintindex: int


_Element = TypedDict(
    "_Element", {"from": list[float], "to": list[float], "faces": dict[str, _Side]}, total=False
)


class _Model(TypedDict, total=False):
    parent: str
    textures: dict[str, str | _Sprite]
    elements: list[_Element]


class _Variant(TypedDict):
    model: str


_Variants: TypeAlias = _Variant | list[_Variant]


class _Part(TypedDict):
    apply: _Variants


class _State(TypedDict, total=False):
    variants: dict[str, _Variants]
    multipart: list[_Part]


def read_faces(folder: Path) -> Mapping[str, Faces]:
    """By the name of the block; those without pictures are left out. Raises OSError, ValueError."""
    states = cast(dict[str, _State | None], json.loads((folder / STATES).read_bytes()))
    models = cast(dict[str, _Model], json.loads((folder / MODELS).read_bytes()))
    found = {name: _faces(_model_of(state), models) for name, state in states.items() if state}
    return {name: faces for name, faces in found.items() if faces is not None}


def _model_of(state: _State) -> str:
    if "variants" in state:
        variants = state["variants"]
        chosen = variants[max(variants, key=_usualness)]
    else:
        chosen = state["multipart"][0]["apply"]
    first = chosen[0] if isinstance(chosen, list) else chosen
    return _bare(first["model"])


def _usualness(variant: str) -> int:
    return sum(_USUAL.get(part, 0) for part in variant.split(","))


def _faces(model: str, models: Mapping[str, _Model]) -> Faces | None:
    textures: dict[str, str | _Sprite] = {}
    elements: Sequence[_Element] = ()
    for ancestor in _with_ancestors(model, models):
        textures = {**ancestor.get("textures", {}), **textures}
        elements = elements or ancestor.get("elements", ())
    if elements and not _is_in_place(elements[0]):
        return None
    sides = _face(elements, _SIDES, textures)
    top = _face(elements, _TOP, textures) or sides
    return (sides or top, top, _face(elements, _BOTTOM, textures) or top) if top else None


def _is_in_place(element: _Element) -> bool:
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


def _with_ancestors(model: str, models: Mapping[str, _Model]) -> Iterator[_Model]:
    for _ in range(_MOST_PARENTS):
        found = models.get(model)
        if found is None:
            return
        yield found
        model = _bare(found.get("parent", ""))


def _face(
    elements: Sequence[_Element],
    directions: Sequence[str],
    textures: Mapping[str, str | _Sprite],
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


def _picture(texture: str, textures: Mapping[str, str | _Sprite]) -> str:
    """The name of a file; `#side` stands for another entry."""
    for _ in range(_MOST_PARENTS):
        if not texture.startswith("#"):
            break
        found = textures.get(texture[1:], "")
        texture = found if isinstance(found, str) else found["sprite"]
    return "" if texture.startswith("#") else texture.rpartition("/")[2].rpartition(":")[2]


def _bare(model: str) -> str:
    return model.removeprefix("minecraft:").removeprefix("block/")
