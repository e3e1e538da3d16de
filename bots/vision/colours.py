"""Our own colours and patterns, by words in the names of blocks; grid.py finds them. They stand in
colours.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

RGB: TypeAlias = tuple[int, int, int]
Pattern: TypeAlias = Literal[
    "plain", "grain", "planks", "bark", "bricks", "ore", "leaves", "wool", "glass", "turf", "box"
]
Form: TypeAlias = Literal["solid", "plant", "flat", "post", "water", "glass"]
"""How a block is drawn that the version does not know as solid boxes, or that one looks through."""


@dataclass(frozen=True, slots=True)
class Look:
    side: RGB
    top: RGB | None = None
    """None = as the sides; the bottom is as `base`."""
    base: RGB | None = None
    pattern: Pattern = "grain"
    accent: RGB | None = None
    """Of the spots in an ore, the blossom of a flower, the seams between bricks."""
    form: Form = "solid"
    glow: int = 0
    """Light it gives, 0 to 15."""


def rgb_of(colour: str) -> RGB:
    """Of hexadecimal digits."""
    red, green, blue = bytes.fromhex(colour)
    return red, green, blue


_COLOURS = frozenset({"side", "top", "base", "accent"})


_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _colours_of(table: str) -> dict[str, RGB]:
    return {name: rgb_of(told) for name, told in _TOLD[table].items()}


def _looks_of(table: str) -> dict[str, Look]:
    looks = dict[str, Look]()
    for name, row in _TOLD[table].items():
        colours = {one: rgb_of(row[one]) for one in _COLOURS & row.keys()}
        looks[name] = Look(**{**row, **colours})
    return looks


DYES, PLANKS, BARK, LEAVES, MINERALS, FLOWERS = map(
    _colours_of, ("dyes", "planks", "bark", "leaves", "minerals", "flowers")
)
MATERIALS, EXACT = map(_looks_of, ("materials", "exact"))

UNKNOWN = Look((150, 118, 140))
WATER: RGB = (52, 104, 214)
CLAY: RGB = (152, 94, 67)
STONE: RGB = (126, 126, 126)
DEEPSLATE: RGB = (77, 77, 82)
GREEN: RGB = (92, 150, 54)
