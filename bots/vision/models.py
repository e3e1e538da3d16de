"""What players, animals, monsters and items are made of: boxes in blocks, feet at 0 0 0, looking
along -z. Each of the mobs we draw is a body plan in its colours (models.toml)."""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from bots.vision.colours import DYES, RGB, UNKNOWN, rgb_of
from bots.vision.grid import look_of
from bridge.looking import Being

Corner: TypeAlias = tuple[float, float, float]
SKIN: RGB = (206, 152, 118)
HAIR: RGB = (74, 50, 30)
BLACK: RGB = (16, 16, 18)
_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_ITEM_COLOURS = {begins: rgb_of(colour) for begins, colour in _TOLD["items"].items()}


@dataclass(frozen=True, slots=True)
class Part:
    low: Corner
    high: Corner
    colour: RGB


def biped(
    head: RGB, body: RGB, legs: RGB, *, hair: RGB | None = None, arms: RGB | None = None
) -> Iterator[Part]:
    yield Part((-0.24, 0, -0.12), (-0.01, 0.7, 0.12), legs)
    yield Part((0.01, 0, -0.12), (0.24, 0.7, 0.12), legs)
    yield Part((-0.25, 0.7, -0.13), (0.25, 1.4, 0.13), body)
    yield Part((-0.48, 0.72, -0.12), (-0.26, 1.4, 0.12), arms or body)
    yield Part((0.26, 0.72, -0.12), (0.48, 1.4, 0.12), arms or body)
    yield Part((-0.24, 1.4, -0.24), (0.24, 1.86, 0.24), head)
    yield from eyes(1.6, -0.24, 0.12, 0.07)
    if hair is not None:
        yield Part((-0.26, 1.74, -0.26), (0.26, 1.9, 0.26), hair)


def eyes(y: float, z: float, aside: float, size: float, colour: RGB = BLACK) -> Iterator[Part]:
    for middle in (-aside, aside):
        low = (middle - size / 2, y, z - 0.02)
        yield Part(low, (middle + size / 2, y + size, z), colour)


def quadruped(
    body: RGB,
    head: RGB,
    legs: RGB,
    *,
    nose: RGB | None = None,
    neck: float = 0.0,
    patch: RGB | None = None,
) -> Iterator[Part]:
    """Four legs, a long body, a head in front; `neck` lifts the head."""
    for x in (-0.28, 0.12):
        for z in (-0.5, 0.34):
            yield Part((x, 0, z), (x + 0.18, 0.45, z + 0.18), legs)
    yield Part((-0.34, 0.4, -0.55), (0.34, 0.95, 0.58), body)
    if patch is not None:
        yield Part((-0.35, 0.55, -0.2), (0.35, 0.96, 0.2), patch)
    if neck:
        yield Part((-0.14, 0.8, -0.72), (0.14, 0.95 + neck, -0.42), head)
    low = 0.62 + neck
    yield Part((-0.25, low, -0.95), (0.25, low + 0.46, -0.52), head)
    yield from eyes(low + 0.26, -0.95, 0.16, 0.08)
    if nose is not None:
        yield Part((-0.13, low + 0.04, -1.02), (0.13, low + 0.2, -0.95), nose)


def bird(body: RGB, beak: RGB, comb: RGB) -> Iterator[Part]:
    for x in (-0.12, 0.06):
        yield Part((x, 0, -0.03), (x + 0.06, 0.25, 0.03), beak)
    yield Part((-0.2, 0.22, -0.2), (0.2, 0.58, 0.26), body)
    yield Part((-0.12, 0.5, -0.34), (0.12, 0.86, -0.14), body)
    yield Part((-0.1, 0.66, -0.46), (0.1, 0.74, -0.34), beak)
    yield Part((-0.05, 0.54, -0.42), (0.05, 0.66, -0.34), comb)
    yield from eyes(0.74, -0.34, 0.09, 0.05)


def spider(body: RGB) -> Iterator[Part]:
    yield Part((-0.4, 0.25, 0.0), (0.4, 0.8, 0.75), body)
    yield Part((-0.28, 0.3, -0.5), (0.28, 0.7, 0.0), body)
    yield from eyes(0.5, -0.5, 0.12, 0.08, (210, 30, 30))
    for z in (-0.35, -0.12, 0.1, 0.3):
        yield Part((-0.95, 0.1, z), (0.95, 0.22, z + 0.08), body)


def creeper() -> Iterator[Part]:
    green: RGB = (94, 180, 84)
    for x in (-0.24, 0.02):
        for z in (-0.26, 0.08):
            yield Part((x, 0, z), (x + 0.22, 0.36, z + 0.2), (60, 130, 56))
    yield Part((-0.22, 0.36, -0.12), (0.22, 1.1, 0.12), green)
    yield Part((-0.25, 1.1, -0.25), (0.25, 1.6, 0.25), green)
    yield from eyes(1.36, -0.25, 0.13, 0.12)
    yield Part((-0.07, 1.16, -0.27), (0.07, 1.36, -0.25), BLACK)


def villager(robe: RGB) -> Iterator[Part]:
    yield Part((-0.26, 0, -0.18), (0.26, 1.4, 0.18), robe)
    yield Part((-0.38, 0.85, -0.34), (0.38, 1.1, 0.1), robe)
    yield Part((-0.24, 1.4, -0.24), (0.24, 1.95, 0.24), (190, 140, 108))
    yield Part((-0.07, 1.42, -0.36), (0.07, 1.66, -0.24), (160, 108, 82))
    yield from eyes(1.68, -0.24, 0.12, 0.07)


def blob(rgb: RGB, *, flies: float = 0.0, side: float = 0.4) -> Iterator[Part]:
    yield Part((-side, flies, -side), (side, flies + 2 * side, side), rgb)
    yield from eyes(flies + side * 1.1, -side, side * 0.5, side * 0.35)


def fish(rgb: RGB) -> Iterator[Part]:
    yield Part((-0.09, 0, -0.35), (0.09, 0.3, 0.25), rgb)
    yield Part((-0.03, 0.02, 0.25), (0.03, 0.28, 0.42), rgb)


def winged(body: RGB, wing: RGB) -> Iterator[Part]:
    yield Part((-0.2, 0.1, -0.3), (0.2, 0.5, 0.3), body)
    yield Part((-0.7, 0.4, -0.15), (0.7, 0.46, 0.2), wing)
    yield from eyes(0.32, -0.3, 0.12, 0.07)


def model_of(being: Being) -> tuple[Part, ...]:
    """Its boxes, as tall as it is."""
    if being.kind == "player":
        parts = [*biped(SKIN, _shirt(being.name), (58, 62, 150), hair=HAIR)]
    elif being.kind == "item":
        return (Part((-0.14, 0.1, -0.14), (0.14, 0.38, 0.14), colour_of_item(being.name)),)
    elif being.kind == "mob":
        parts = [*_mob(being.name, being.coat)]
    else:  # a boat, a cart, a painting: a plain box
        half, tall = max(being.width, 0.2) / 2, min(max(being.height, 0.2), 3.0)
        colour = (150, 112, 62) if "boat" in being.name else (140, 120, 110)
        return (Part((-half, 0, -half), (half, tall, half), colour),)
    height = max(part.high[1] for part in parts)
    size = being.height / height * (0.5 if being.young else 1.0)
    held = []
    if being.held:
        end = Part((0.3, 0.62, -0.95), (0.44, 0.95, -0.7), colour_of_item(being.held))
        held = [Part((0.34, 0.72, -0.75), (0.4, 0.8, -0.12), (120, 88, 48)), end]
    return tuple(_scaled(part, size) for part in (*parts, *held))


def _shirt(name: str) -> RGB:
    """A colour of its own for each player."""
    r, g, b = (60 + part % 170 for part in zlib.crc32(name.encode()).to_bytes(4, "big")[:3])
    return r, g, b


@lru_cache(maxsize=2048)
def colour_of_item(name: str) -> RGB:
    """Of an item, by the material in its name."""
    for word, rgb in _ITEM_COLOURS.items():
        if name.startswith(word):
            return rgb
    look = look_of(name)
    return look.accent or look.side if look != UNKNOWN else (214, 190, 140)


def _scaled(part: Part, size: float) -> Part:
    (x0, y0, z0), (x1, y1, z1) = part.low, part.high
    low, high = (x0 * size, y0 * size, z0 * size), (x1 * size, y1 * size, z1 * size)
    return Part(low, high, part.colour)


def _mob(name: str, coat: str | None) -> Iterator[Part]:
    if name == "sheep":
        wool = DYES.get(coat or "", (226, 190, 164))
        return quadruped(wool, (220, 186, 160), (220, 186, 160), patch=None)
    if name in MOBS:
        return iter(MOBS[name])
    red, green, blue = _shirt(name)  # a mob that nobody has drawn has colours of its own
    shirt, legs = (red, green, blue), (red * 2 // 3, green * 2 // 3, blue * 2 // 3)
    return biped(shirt, shirt, legs)


_PLANS: Mapping[str, Callable[..., Iterator[Part]]] = {
    plan.__name__: plan
    for plan in (biped, quadruped, bird, spider, creeper, villager, blob, fish, winged)
}


def _drawn(plan: str, colours: str = "", **more: str | float) -> tuple[Part, ...]:
    """A creature as models.toml tells it."""
    others = {name: rgb_of(told) if isinstance(told, str) else told for name, told in more.items()}
    return tuple(_PLANS[plan](*map(rgb_of, colours.split()), **others))


MOBS: Mapping[str, tuple[Part, ...]] = {name: _drawn(**row) for name, row in _TOLD["mobs"].items()}
