"""What players, animals, monsters and items are made of: boxes in blocks, feet at 0 0 0, looking
along -z."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache

from bots.vision.bodyplans import HAIR, SKIN, Part, biped, quadruped
from bots.vision.colours import DYES, RGB, UNKNOWN
from bots.vision.looks import look_of
from bots.vision.mobs import MOBS
from bridge.region import Being


def model_of(being: Being) -> tuple[Part, ...]:
    """Its boxes, as tall as it is."""
    if being.kind == "player":
        parts = [*biped(SKIN, _shirt(being.name), (58, 62, 150), hair=HAIR)]
    elif being.kind == "item":
        return tuple(_cube(0.14, 0.1, colour_of_item(being.name)))
    elif being.kind == "mob":
        parts = [*_mob(being.name, being.coat)]
    else:
        return tuple(_thing(being))
    height = max(part.high[1] for part in parts)
    size = being.height / height * (0.5 if being.young else 1.0)
    held = [*_in_hand(being.held)] if being.held else []
    return tuple(_scaled(part, size) for part in (*parts, *held))


def _shirt(name: str) -> RGB:
    """A colour of its own for each player."""
    r, g, b = (60 + part % 170 for part in zlib.crc32(name.encode()).to_bytes(4, "big")[:3])
    return r, g, b


@lru_cache(maxsize=2048)
def colour_of_item(name: str) -> RGB:
    """Of an item, by the material in its name."""
    for word, rgb in _TOOL_COLOURS.items():
        if name.startswith(word):
            return rgb
    look = look_of(name)
    return look.accent or look.side if look != UNKNOWN else (214, 190, 140)


_TOOL_COLOURS: dict[str, RGB] = {
    "wooden_": (150, 112, 62), "stone_": (132, 132, 132), "iron_": (222, 222, 222),
    "golden_": (250, 214, 70), "diamond_": (84, 226, 218), "netherite_": (74, 66, 70),
    "leather_": (150, 90, 54), "chainmail_": (150, 150, 156), "bow": (120, 84, 44),
    "fishing_rod": (120, 84, 44), "stick": (120, 88, 48), "bread": (180, 130, 60),
    "apple": (220, 40, 40), "egg": (226, 212, 170), "beef": (190, 50, 44),
    "porkchop": (240, 150, 150), "cooked_": (160, 100, 56), "string": (240, 240, 240),
    "feather": (246, 246, 246), "leather": (170, 96, 54), "rotten_flesh": (170, 84, 48),
    "bone": (230, 226, 210), "shears": (200, 200, 200), "shield": (130, 96, 56),
}  # fmt: skip


def _scaled(part: Part, size: float) -> Part:
    (x0, y0, z0), (x1, y1, z1) = part.low, part.high
    low, high = (x0 * size, y0 * size, z0 * size), (x1 * size, y1 * size, z1 * size)
    return Part(low, high, part.colour)


def _in_hand(item: str) -> Iterator[Part]:
    colour = colour_of_item(item)
    yield Part((0.34, 0.72, -0.75), (0.4, 0.8, -0.12), (120, 88, 48))
    yield Part((0.3, 0.62, -0.95), (0.44, 0.95, -0.7), colour)


def _cube(side: float, above: float, rgb: RGB) -> Iterator[Part]:
    yield Part((-side, above, -side), (side, above + 2 * side, side), rgb)


def _thing(being: Being) -> Iterator[Part]:
    """A boat, a cart, a painting: a plain box."""
    half = max(being.width, 0.2) / 2
    colour = (150, 112, 62) if "boat" in being.name else (140, 120, 110)
    height = min(max(being.height, 0.2), 3.0)
    yield Part((-half, 0, -half), (half, height, half), colour)


def _mob(name: str, coat: str | None) -> Iterator[Part]:
    if name == "sheep":
        wool = DYES.get(coat or "", (226, 190, 164))
        return quadruped(wool, (220, 186, 160), (220, 186, 160), patch=None)
    maker = MOBS.get(name)
    if maker is not None:
        return maker()
    return biped(*_by_name(name))


def _by_name(name: str) -> tuple[RGB, RGB, RGB]:
    """Colours of its own for a mob that nobody has drawn."""
    colour = _shirt(name)
    return colour, colour, _darker(colour)


def _darker(rgb: RGB) -> RGB:
    r, g, b = (part * 2 // 3 for part in rgb)
    return r, g, b
