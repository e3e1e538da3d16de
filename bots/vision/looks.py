"""What each block looks like, found by its name.

Names follow rules (a colour, a wood, a stone, then a shape), so far more blocks are known than the
tables of colours.py name, those of versions to come among them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from bots.vision.colours import (
    BARK,
    CLAY,
    DEEPSLATE,
    DYES,
    EXACT,
    FLOWERS,
    GREEN,
    LEAVES,
    MATERIALS,
    MINERALS,
    PLANKS,
    RGB,
    STONE,
    UNKNOWN,
    Look,
)

_PLANTS = re.compile(
    r"sapling|grass$|fern|bush|wheat|carrots|potatoes|beetroots|stem$|sugar_cane|reeds|bamboo|"
    r"plant$|crop$|kelp|vine|flower|roots|sprouts|fungus|mushroom|double_plant|lichen|"
    r"seagrass|pickle|web|hanging|dripleaf|blossom|propagule|petals|tulip|litter|sweet_berry|"
    r"nether_wart|fire|bud$|cluster|dripstone|coral(_fan|_wall_fan)?$|hay_sprout|firefly"
)
_FLAT = re.compile(
    r"rail|redstone_wire|pressure_plate|carpet|lily_pad|waterlily|repeater|comparator|"
    r"frogspawn|portal$|turtle_egg|tripwire|leaf_litter"
)
_POSTS = re.compile(
    r"torch|lever|rod$|chain|candle|sign|banner|button|hook|bell|bars$|pane$|head|skull"
)
_SHAPES = re.compile(
    r"_(stairs|slab2?|wall|fence_gate|fence|door|trapdoor|button|pressure_plate|hanging_sign|"
    r"sign|bars|chain|pane|block|bricks?|tiles?|pillar|grate|bulb|double_slab|shelf|planks|"
    r"chest|golem_statue|lightning_rod|lantern|wall_hanging_sign|wall_sign|standing_sign|"
    r"wall_skull|skull|wall_head|head)$"
)
_PREFIXES = re.compile(
    r"^(polished|smooth|cut|chiseled|cracked|mossy|infested|waxed|petrified|potted|double|"
    r"stone_slab|coarse|rooted|packed|blue|frosted|gilded|budding|crying|wet|dead|powder|trapped|"
    r"carved|lit|unlit|attached|monster|suspicious|heavy|light|medium|stripped|wall|unpowered|"
    r"powered|daylight|tall|short|small|large|big)_"
)

_UNSEEN = frozenset(
    {"air", "cave_air", "void_air", "barrier", "light", "structure_void", "moving_piston"}
)


def is_seen(name: str) -> bool:
    """Whether there is anything to draw."""
    return name not in _UNSEEN


@lru_cache(maxsize=4096)
def look_of(name: str, *, is_cube: bool = True) -> Look:
    """How a block looks; `is_cube` tells `grass` the block (up to 1.12) from grass the plant."""
    if name == "grass" and is_cube:
        return EXACT["grass_block"]
    known = EXACT.get(name) or _by_words(name)
    if known is None:
        return UNKNOWN
    return known if known.form != "solid" or is_cube else _without_boxes(name, known)


def _without_boxes(name: str, look: Look) -> Look:
    """What is not solid is a plant, lies flat, or stands like a post."""
    if _FLAT.search(name):
        return replace(look, form="flat")
    return replace(look, form="post" if _POSTS.search(name) else "plant")


def _by_words(name: str) -> Look | None:
    """The look of a name by its parts: from the surest rule to the vaguest."""
    rules = (_ore, _dyed, _tree, _flower, _plant, _material)
    return next(filter(None, (rule(name) for rule in rules)), None)


def _ore(name: str) -> Look | None:
    if not name.endswith("_ore"):
        return None
    rock = DEEPSLATE if "deepslate" in name else (102, 40, 40) if "nether" in name else STONE
    mineral = next((rgb for word, rgb in MINERALS.items() if word in name), (220, 220, 220))
    return Look(rock, pattern="ore", accent=mineral, glow=4 if name.startswith("lit_") else 0)


def _dyed(name: str) -> Look | None:
    words = sorted(DYES, key=len, reverse=True)
    dye = next((word for word in words if name.startswith(f"{word}_")), None)
    if dye is None:
        return None
    rgb, rest = DYES[dye], name.removeprefix(f"{dye}_")
    match rest:
        case "wool" | "carpet" | "bed":
            return Look(rgb, pattern="wool")
        case "stained_glass" | "stained_glass_pane":
            return Look(rgb, pattern="glass", form="glass")
        case "terracotta" | "stained_hardened_clay":
            return Look(_mixed(rgb, CLAY, 0.5), pattern="plain")
        case "glazed_terracotta":
            return Look(rgb, pattern="box", accent=(240, 240, 240))
        case "candle":
            return Look(rgb, form="post", accent=(255, 220, 120))
        case "concrete" | "shulker_box" | "candle_cake":
            return Look(rgb, pattern="plain")
        case "concrete_powder" | "wall_banner" | "banner":
            return Look(rgb, pattern="grain")
    return None


def _tree(name: str) -> Look | None:
    bare = name.removeprefix("stripped_").removeprefix("potted_").removeprefix("waxed_")
    if bare in ("leaves", "leaves2"):
        return Look(LEAVES["oak"], pattern="leaves")
    if bare in ("log", "log2"):
        bare = "oak_log"
    if bare in ("planks", "wooden_slab", "double_wooden_slab", "fence", "wooden_door", "trapdoor"):
        bare = "oak_planks"
    if bare.endswith("_leaves"):
        return Look(LEAVES.get(bare.removesuffix("_leaves"), LEAVES["oak"]), pattern="leaves")
    wood = next(
        (w for w in sorted(PLANKS, key=len, reverse=True) if bare.startswith(f"{w}_")), None
    )
    if bare.startswith(("wooden_", "standing_sign", "wall_sign", "sign")):
        wood = "oak"
    if wood is None:
        return None
    rest = bare.removeprefix(f"{wood}_")
    if rest in ("log", "wood", "stem", "hyphae", "block", "roots"):
        bark = PLANKS[wood] if "stripped" in name else BARK[wood]
        return Look(bark, top=PLANKS[wood], base=PLANKS[wood], pattern="bark")
    if rest in ("sapling", "propagule", "fungus", "shoot"):
        return None
    if wood in ("crimson", "warped") and rest in ("nylium",):
        return None
    return Look(PLANKS[wood], pattern="planks")


def _flower(name: str) -> Look | None:
    if name.endswith(("_block", "_bricks", "_stairs", "_slab", "_wall", "_planks")):
        return None
    blossom = next((rgb for word, rgb in FLOWERS.items() if word in name), None)
    return None if blossom is None else Look(GREEN, accent=blossom, form="plant")


def _plant(name: str) -> Look | None:
    if "coral" in name and not name.endswith("_block"):
        dead = name.startswith("dead_")
        word = name.removeprefix("dead_").partition("_")[0]
        return Look((130, 124, 120) if dead else MATERIALS[word].side, form="plant")
    if "coral_block" in name and name.startswith("dead_"):
        return Look((130, 124, 120))
    is_solid = name.endswith(
        ("_block", "_bricks", "_stairs", "_slab", "_wall", "_planks", "_fence")
    )
    if is_solid or not _PLANTS.search(name):
        return None
    if "amethyst" in name:
        return Look((164, 120, 220), form="plant", glow=3)
    if "dripstone" in name:
        return Look((134, 107, 92), form="plant")
    if "dead" in name or "hanging_roots" in name:
        return Look((140, 104, 70), form="plant")
    if "lichen" in name:
        return Look((112, 130, 120), form="plant", glow=7)
    if "pickle" in name:
        return Look((120, 140, 60), form="plant", glow=6)
    return Look((70, 140, 44), form="plant")


def _material(name: str) -> Look | None:
    """Strip shapes and finishes until a material is left."""
    bare = name.replace("_cut_", "_").replace("_chiseled_", "_")
    while True:
        for known in (bare, bare.removesuffix("s")):
            if known in MATERIALS:
                look = MATERIALS[known]
                is_laid = "brick" in name or "tile" in name
                seam = _mixed(look.side, (0, 0, 0), 0.3)
                return replace(look, pattern="bricks", accent=seam) if is_laid else look
            if known in EXACT:
                return EXACT[known]
        shorter = _SHAPES.sub("", bare)
        if shorter == bare:
            shorter = _PREFIXES.sub("", bare)
        if shorter == bare:
            return _by_part(name)
        bare = shorter


def _by_part(name: str) -> Look | None:
    """A material anywhere in the name, the longest first."""
    found = [word for word in (*MATERIALS, *EXACT) if f"_{word}_" in f"_{name}_"]
    if not found:
        return None
    word = max(found, key=len)
    return MATERIALS.get(word) or EXACT[word]


def _mixed(one: RGB, other: RGB, share: float) -> RGB:
    """So much of the other colour in the first."""
    r, g, b = (round(a + (o - a) * share) for a, o in zip(one, other, strict=True))
    return r, g, b
