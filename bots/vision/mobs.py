"""The animals and monsters we draw: each a body plan in its colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bots.vision.bodyplans import (
    BLACK,
    BROWN,
    WHITE,
    Part,
    biped,
    bird,
    blob,
    creeper,
    fish,
    quadruped,
    spider,
    villager,
    winged,
)
from bots.vision.colours import RGB

_GREEN_SKIN: RGB = (92, 140, 76)
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
