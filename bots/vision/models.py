"""What players, animals, monsters and items are made of: boxes in blocks, feet at 0 0 0, looking
along -z. Each of the mobs we draw is a body plan in its colours.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from bots.vision.colours import DYES, RGB, UNKNOWN
from bots.vision.grid import look_of
from bridge.looking import Being

Corner: TypeAlias = tuple[float, float, float]
SKIN: RGB = (206, 152, 118)
HAIR: RGB = (74, 50, 30)
WHITE: RGB = (246, 246, 246)
BLACK: RGB = (16, 16, 18)
BROWN: RGB = (104, 74, 48)
_GREEN_SKIN: RGB = (92, 140, 76)
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
    else:
        return tuple(_thing(being))
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
    for word, rgb in _TOOL_COLOURS.items():
        if name.startswith(word):
            return rgb
    look = look_of(name)
    return look.accent or look.side if look != UNKNOWN else (214, 190, 140)


def _scaled(part: Part, size: float) -> Part:
    (x0, y0, z0), (x1, y1, z1) = part.low, part.high
    low, high = (x0 * size, y0 * size, z0 * size), (x1 * size, y1 * size, z1 * size)
    return Part(low, high, part.colour)


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
    red, green, blue = _shirt(name)  # a mob that nobody has drawn has colours of its own
    shirt, legs = (red, green, blue), (red * 2 // 3, green * 2 // 3, blue * 2 // 3)
    return biped(shirt, shirt, legs)


MOBS: dict[str, Callable[[], Iterator[Part]]] = {
    "pig": lambda: quadruped(
        (240, 165, 165), (242, 170, 170), (226, 146, 148), nose=(206, 116, 120)
    ),
    "cow": lambda: quadruped(
        (76, 54, 40), (82, 58, 44), (70, 50, 38), nose=(200, 180, 176), patch=WHITE
    ),
    "mooshroom": lambda: quadruped((164, 24, 24), (164, 24, 24), (140, 20, 20), patch=WHITE),
    "chicken": lambda: bird(WHITE, (230, 160, 50), (206, 30, 30)),
    "parrot": lambda: bird((220, 40, 36), (60, 60, 60), (40, 120, 220)),
    "wolf": lambda: quadruped((206, 202, 200), (216, 212, 210), (200, 196, 192), nose=BLACK),
    "fox": lambda: quadruped((224, 124, 44), (224, 124, 44), (60, 44, 36), nose=WHITE),
    "cat": lambda: quadruped((220, 170, 100), (222, 174, 106), (230, 220, 200)),
    "ocelot": lambda: quadruped((236, 200, 110), (236, 200, 110), (220, 180, 96)),
    "horse": lambda: quadruped((136, 90, 52), (130, 86, 48), (90, 60, 36), neck=0.5),
    "skeleton_horse": lambda: quadruped(
        (206, 204, 194), (206, 204, 194), (190, 188, 178), neck=0.5
    ),
    "zombie_horse": lambda: quadruped((80, 120, 66), (80, 120, 66), (60, 96, 52), neck=0.5),
    "donkey": lambda: quadruped((128, 112, 98), (120, 106, 92), (96, 84, 74), neck=0.4),
    "mule": lambda: quadruped((92, 66, 46), (92, 66, 46), (70, 50, 36), neck=0.4),
    "llama": lambda: quadruped((222, 206, 176), (222, 206, 176), (200, 184, 156), neck=0.6),
    "camel": lambda: quadruped((222, 164, 84), (222, 164, 84), (200, 146, 74), neck=0.6),
    "goat": lambda: quadruped(
        (224, 220, 210), (220, 214, 202), (190, 182, 168), nose=(120, 100, 86)
    ),
    "rabbit": lambda: quadruped((176, 140, 100), (180, 146, 108), (166, 130, 92)),
    "polar_bear": lambda: quadruped(
        (240, 240, 236), (240, 240, 236), (230, 230, 226), nose=BLACK
    ),
    "panda": lambda: quadruped(WHITE, WHITE, BLACK, nose=BLACK, patch=BLACK),
    "turtle": lambda: quadruped((72, 130, 64), (120, 170, 96), (110, 160, 90)),
    "hoglin": lambda: quadruped((196, 120, 96), (190, 112, 90), (160, 90, 72)),
    "ravager": lambda: quadruped((92, 96, 96), (100, 104, 104), (76, 80, 80), neck=0.2),
    "zombie": lambda: biped(_GREEN_SKIN, (32, 150, 150), (66, 60, 150), arms=_GREEN_SKIN),
    "husk": lambda: biped((176, 158, 112), (120, 104, 72), (110, 96, 66), arms=(176, 158, 112)),
    "drowned": lambda: biped((88, 150, 140), (60, 110, 110), (48, 90, 92), arms=(88, 150, 140)),
    "zombie_villager": lambda: villager((88, 116, 70)),
    "skeleton": lambda: biped((214, 214, 208), (180, 180, 174), (206, 206, 200)),
    "stray": lambda: biped((200, 212, 214), (116, 136, 140), (190, 200, 202)),
    "wither_skeleton": lambda: biped((50, 52, 52), (44, 46, 46), (40, 42, 42)),
    "creeper": creeper,
    "spider": lambda: spider((58, 48, 44)),
    "cave_spider": lambda: spider((22, 62, 74)),
    "enderman": lambda: biped(BLACK, BLACK, BLACK),
    "witch": lambda: villager((78, 50, 96)),
    "villager": lambda: villager((118, 82, 56)),
    "wandering_trader": lambda: villager((60, 90, 150)),
    "pillager": lambda: villager((72, 66, 74)),
    "vindicator": lambda: villager((60, 64, 70)),
    "evoker": lambda: villager((46, 42, 46)),
    "iron_golem": lambda: biped((216, 208, 200), (208, 200, 192), (196, 190, 182)),
    "snow_golem": lambda: biped((214, 126, 30), WHITE, WHITE, arms=BROWN),
    "piglin": lambda: biped((232, 170, 130), (150, 106, 66), (110, 76, 48), arms=(232, 170, 130)),
    "zombified_piglin": lambda: biped((226, 150, 140), (120, 150, 84), (130, 96, 66)),
    "blaze": lambda: biped((250, 190, 50), (236, 150, 30), (220, 120, 20)),
    "slime": lambda: blob((110, 190, 90)),
    "magma_cube": lambda: blob((90, 26, 10)),
    "ghast": lambda: blob((240, 240, 240), side=1.0),
    "shulker": lambda: blob((150, 104, 150)),
    "squid": lambda: blob((60, 82, 110)),
    "glow_squid": lambda: blob((50, 190, 170)),
    "guardian": lambda: blob((90, 140, 124)),
    "bee": lambda: winged((244, 190, 50), (220, 230, 240)),
    "bat": lambda: winged((70, 56, 44), (50, 40, 32)),
    "phantom": lambda: winged((70, 92, 160), (60, 80, 150)),
    "vex": lambda: winged((150, 170, 190), (200, 210, 220)),
    "allay": lambda: winged((90, 200, 240), (160, 225, 250)),
    "axolotl": lambda: fish((244, 170, 200)),
    "cod": lambda: fish((190, 160, 120)),
    "salmon": lambda: fish((190, 76, 62)),
    "tropical_fish": lambda: fish((240, 120, 40)),
    "pufferfish": lambda: fish((240, 200, 60)),
    "dolphin": lambda: fish((140, 160, 186)),
    "tadpole": lambda: fish((80, 60, 46)),
    "frog": lambda: blob((200, 120, 70)),
    "silverfish": lambda: fish((130, 134, 140)),
    "endermite": lambda: fish((80, 60, 96)),
    "strider": lambda: blob((160, 60, 58)),
    "armadillo": lambda: quadruped((178, 110, 100), (190, 130, 116), (160, 100, 90)),
    "sniffer": lambda: quadruped((170, 60, 44), (90, 150, 110), (150, 60, 44)),
    "warden": lambda: biped((20, 60, 70), (16, 52, 62), (14, 44, 52)),
}  # fmt: skip
