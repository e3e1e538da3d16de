"""A small package of block textures, drawn here: models of a few blocks, and their pictures."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from PIL import Image

RGBA: TypeAlias = tuple[int, int, int, int]

PURPLE, ORANGE = (160, 40, 200, 255), (240, 140, 20, 255)
BROWN, GREY, CLEAR = (120, 80, 50, 255), (150, 150, 150, 255), (0, 0, 0, 0)
WHITE, PALE_RED = (250, 250, 250, 255), (200, 40, 40, 102)

STATES = {
    "air": None,
    "stone": {"variants": {"": [{"model": "minecraft:block/stone"}]}},
    "oak_log": {"variants": {"axis=x": {"model": "log_aside"}, "axis=y": {"model": "log"}}},
    "grass_block": {
        "variants": {"snowy=true": {"model": "stone"}, "snowy=false": {"model": "turf"}}
    },
    "oak_leaves": {"variants": {"": {"model": "leaves"}}},
    "glass": {"variants": {"": {"model": "glass"}}},
    "poppy": {"variants": {"": {"model": "poppy"}}},
    "grass": {"variants": {"": {"model": "poppy"}}},
    "wheat": {"variants": {"age=0": {"model": "stone"}, "age=7": {"model": "poppy"}}},
    "oak_fence": {"multipart": [{"apply": {"model": "stone"}}, {"apply": {"model": "log"}}]},
    "torch": {"variants": {"": {"model": "stone"}}},
    "chest": {"variants": {"": {"model": "chest"}}},
    "lantern": {"variants": {"": {"model": "lantern"}}},
    "oak_trapdoor": {"variants": {"": {"model": "trapdoor"}}},
    "bricks": {"variants": {"": {"model": "bricks"}}},
    "sand": {"variants": {"": {"model": "sand"}}},
    "magma_block": {"variants": {"": {"model": "magma"}}},
}
_WHOLE = {"from": [0, 0, 0], "to": [16, 16, 16]}
_SIDES = ("north", "south", "east", "west")


def _cube(side: str, up: str, down: str, **more: int) -> dict[str, object]:
    textures = {**dict.fromkeys(_SIDES, side), "up": up, "down": down}
    return {**_WHOLE, "faces": {at: {"texture": name, **more} for at, name in textures.items()}}


def _plain(picture: str) -> dict[str, object]:
    return {"parent": "minecraft:block/cube_all", "textures": {"all": picture}}


MODELS = {
    "cube_all": {"parent": "block/block", "elements": [_cube("#all", "#all", "#all")]},
    "column": {"elements": [_cube("#side", "#end", "#end")]},
    "stone": _plain("minecraft:block/stone"),
    "log": {"parent": "block/column", "textures": {"side": "blocks/log", "end": "blocks/log_end"}},
    "log_aside": _plain("blocks/log_end"),
    "turf": {
        "textures": {"overlay": "block/turf_overlay"},
        "elements": [
            {
                **_WHOLE,
                "faces": {
                    **{side: {"texture": "block/earth"} for side in _SIDES},
                    "up": {"texture": "block/turf", "tintindex": 0},
                    "down": {"texture": "block/earth"},
                },
            },
            {**_WHOLE, "faces": {"north": {"texture": "#overlay", "tintindex": 0}}},
        ],
    },
    "leaves": {"elements": [_cube("block/leaves", "block/leaves", "block/leaves", tintindex=0)]},
    "glass": _plain("block/glass"),
    "poppy": {
        "elements": [
            {"from": [0, 0, 8], "to": [16, 16, 8], "faces": {"north": {"texture": "block/poppy"}}}
        ]
    },
    "chest": {"textures": {"particle": "block/stone"}},
    "lantern": {
        "elements": [
            {
                "from": [5, 0, 5],
                "to": [11, 7, 11],
                "faces": {"north": {"texture": "block/stone", "uv": [0, 2, 6, 9]}},
            }
        ]
    },
    "trapdoor": {
        "elements": [
            {
                "from": [0, 0, 0],
                "to": [16, 3, 16],
                "faces": {"north": {"texture": "block/stone", "uv": [0, 0, 16, 3]}},
            }
        ]
    },
    "bricks": _plain("block/never_drawn"),
    "sand": _plain("block/large"),
    "magma": {"parent": "cube_all", "textures": {"all": {"sprite": "minecraft:block/film"}}},
}


def draw_package(root: Path, *versions: str) -> Path:
    """The same for each of the versions."""
    for version in versions:
        folder = root / version
        (folder / "blocks").mkdir(parents=True)
        (folder / "blocks_states.json").write_text(json.dumps(STATES))
        (folder / "blocks_models.json").write_text(json.dumps(MODELS))
        _draw_all(folder / "blocks")
    return root


def _draw_all(folder: Path) -> None:
    _draw(folder / "stone.png", lambda x, y: PURPLE)
    _draw(folder / "log.png", lambda x, y: PURPLE)
    _draw(folder / "log_end.png", lambda x, y: ORANGE)
    _draw(folder / "earth.png", lambda x, y: BROWN)
    _draw(folder / "turf.png", lambda x, y: GREY)
    _draw(folder / "turf_overlay.png", lambda x, y: GREY if y < 4 else CLEAR)
    _draw(folder / "leaves.png", lambda x, y: GREY if x < 12 else CLEAR)
    _draw(folder / "glass.png", lambda x, y: WHITE if 0 in (x, y) else PALE_RED)
    _draw(folder / "poppy.png", lambda x, y: ORANGE if 4 <= x < 12 else CLEAR)
    _draw(folder / "large.png", lambda x, y: PURPLE if y < 16 else ORANGE, (32, 32))
    _draw(folder / "film.png", lambda x, y: PURPLE if y < 16 else ORANGE, (16, 48))


def _draw(file: Path, colour: Callable[[int, int], RGBA], size: tuple[int, int] = (16, 16)) -> None:
    picture = Image.new("RGBA", size)
    for x in range(size[0]):
        for y in range(size[1]):
            picture.putpixel((x, y), colour(x, y))
    picture.save(file)
