"""A region as arrays: which kind each cell holds, how it is drawn, how bright it is, and how far
it is from anything drawn.

Light from the sky and from torches is spread from cell to cell.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bots.vision import colours
from bots.vision.colours import RGB, Look
from bots.vision.tiles import Tiles, tiles_of
from bridge.looking import NOT_LOADED, BlockKind, Box, Region

_PLANTS = re.compile(
    r"sapling|grass$|fern|bush|wheat|carrots|potatoes|beetroots|stem$|sugar_cane|reeds|bamboo|"
    r"plant$|crop$|kelp|vine|flower|roots|sprouts|fungus|mushroom|double_plant|lichen|"
    r"seagrass|pickle|web|hanging|dripleaf|blossom|propagule|petals|tulip|litter|sweet_berry|"
    r"nether_wart|fire|bud$|cluster|dripstone|coral(_fan|_wall_fan)?$|hay_sprout|firefly"
)
_FLAT_THINGS = re.compile(
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
    """How a block looks, found by its name; so blocks of versions to come have looks too.

    `is_cube` tells `grass` the block (up to 1.12) from grass the plant."""
    if name == "grass" and is_cube:
        return colours.EXACT["grass_block"]
    rules = (_ore, _dyed, _tree, _flower, _plant, _material)  # from the surest to the vaguest
    known = colours.EXACT.get(name) or next(filter(None, (rule(name) for rule in rules)), None)
    if known is None:
        return colours.UNKNOWN
    if known.form != "solid" or is_cube:
        return known
    # What is not solid lies flat, stands like a post, or is a plant.
    if _FLAT_THINGS.search(name):
        return replace(known, form="flat")
    return replace(known, form="post" if _POSTS.search(name) else "plant")


def _ore(name: str) -> Look | None:
    if not name.endswith("_ore"):
        return None
    rock = (
        colours.DEEPSLATE
        if "deepslate" in name
        else (102, 40, 40)
        if "nether" in name
        else colours.STONE
    )
    mineral = next((rgb for word, rgb in colours.MINERALS.items() if word in name), (220, 220, 220))
    return Look(rock, pattern="ore", accent=mineral, glow=4 if name.startswith("lit_") else 0)


def _dyed(name: str) -> Look | None:
    words = sorted(colours.DYES, key=len, reverse=True)
    dye = next((word for word in words if name.startswith(f"{word}_")), None)
    if dye is None:
        return None
    rgb, rest = colours.DYES[dye], name.removeprefix(f"{dye}_")
    match rest:
        case "wool" | "carpet" | "bed":
            return Look(rgb, pattern="wool")
        case "stained_glass" | "stained_glass_pane":
            return Look(rgb, pattern="glass", form="glass")
        case "terracotta" | "stained_hardened_clay":
            return Look(_mixed(rgb, colours.CLAY, 0.5), pattern="plain")
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
        return Look(colours.LEAVES["oak"], pattern="leaves")
    if bare in ("log", "log2"):
        bare = "oak_log"
    if bare in ("planks", "wooden_slab", "double_wooden_slab", "fence", "wooden_door", "trapdoor"):
        bare = "oak_planks"
    if bare.endswith("_leaves"):
        return Look(
            colours.LEAVES.get(bare.removesuffix("_leaves"), colours.LEAVES["oak"]),
            pattern="leaves",
        )
    wood = next(
        (w for w in sorted(colours.PLANKS, key=len, reverse=True) if bare.startswith(f"{w}_")), None
    )
    if bare.startswith(("wooden_", "standing_sign", "wall_sign", "sign")):
        wood = "oak"
    if wood is None:
        return None
    rest = bare.removeprefix(f"{wood}_")
    if rest in ("log", "wood", "stem", "hyphae", "block", "roots"):
        bark = colours.PLANKS[wood] if "stripped" in name else colours.BARK[wood]
        return Look(bark, top=colours.PLANKS[wood], base=colours.PLANKS[wood], pattern="bark")
    if rest in ("sapling", "propagule", "fungus", "shoot"):
        return None
    if wood in ("crimson", "warped") and rest in ("nylium",):
        return None
    return Look(colours.PLANKS[wood], pattern="planks")


def _flower(name: str) -> Look | None:
    if name.endswith(("_block", "_bricks", "_stairs", "_slab", "_wall", "_planks")):
        return None
    blossom = next((rgb for word, rgb in colours.FLOWERS.items() if word in name), None)
    return None if blossom is None else Look(colours.GREEN, accent=blossom, form="plant")


def _plant(name: str) -> Look | None:
    if "coral" in name and not name.endswith("_block"):
        dead = name.startswith("dead_")
        word = name.removeprefix("dead_").partition("_")[0]
        return Look((130, 124, 120) if dead else colours.MATERIALS[word].side, form="plant")
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
            if known in colours.MATERIALS:
                look = colours.MATERIALS[known]
                is_laid = "brick" in name or "tile" in name
                seam = _mixed(look.side, (0, 0, 0), 0.3)
                return replace(look, pattern="bricks", accent=seam) if is_laid else look
            if known in colours.EXACT:
                return colours.EXACT[known]
        shorter = _SHAPES.sub("", bare)
        if shorter == bare:
            shorter = _PREFIXES.sub("", bare)
        if shorter == bare:
            # A material anywhere in the name, the longest first.
            found = [
                word for word in (*colours.MATERIALS, *colours.EXACT) if f"_{word}_" in f"_{name}_"
            ]
            if not found:
                return None
            word = max(found, key=len)
            return colours.MATERIALS.get(word) or colours.EXACT[word]
        bare = shorter


def _mixed(one: RGB, other: RGB, share: float) -> RGB:
    """So much of the other colour in the first."""
    r, g, b = (round(a + (o - a) * share) for a, o in zip(one, other, strict=True))
    return r, g, b


BRIGHTEST = 15
_DIMMING = 0.87  # what a level less leaves
_LEAST = 0.3  # a picture shows a cave that is dark to the eye
_NIGHT = 0.34  # what the sky gives at midnight, of what it gives at noon
_TICKS = 24_000
Levels: TypeAlias = npt.NDArray[np.uint8]
Cells: TypeAlias = npt.NDArray[np.bool_]
Table: TypeAlias = npt.NDArray[Any]
_CURVE: Table = np.array(
    [0.0, *(_DIMMING ** (BRIGHTEST - level) for level in range(1, BRIGHTEST + 1))], np.float32
)
EMPTY, CUBE, BOXES, PLANT, WET, CLEAR, OUTSIDE = range(7)
"""How a cell is drawn: not at all, as a cube, as boxes, as two crossed tiles, as water, as glass.
Where the region ends is `OUTSIDE`."""
FARTHEST_STEP = 12  # cells that a ray may leap over at once
MOST_BOXES = 6
_WHOLE: Box = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
_FLAT: Box = (0.0, 0.0, 0.0, 1.0, 0.07, 1.0)
_POST: Box = (0.43, 0.0, 0.43, 0.57, 0.65, 0.57)
_BEYOND = BlockKind("", ())
_ROOF = BlockKind("stone", (_WHOLE,))
"""What is above the box where one cannot see the sky."""
_SUNKEN = frozenset(
    {
        *("lava", "flowing_lava", "powder_snow", "soul_sand", "mud", "farmland", "grass_path"),
        *("dirt_path", "honey_block", "nether_portal", "portal", "end_gateway"),
    }
)
_WATER_PLANTS = ("kelp", "seagrass")
_TOWARDS: dict[str, tuple[float, float]] = {
    "north": (0.0, 1.0), "south": (0.0, -1.0), "east": (-1.0, 0.0), "west": (1.0, 0.0),
}  # fmt: skip
"""Where the wall is to which something is fixed that faces there, along x and z."""
Array: TypeAlias = npt.NDArray[Any]


def daylight(time_of_day: int) -> float:
    """How much light the sky gives, 0 at midnight to 1 at noon; short dusk and dawn."""
    height = math.sin(2 * math.pi * time_of_day / _TICKS)
    return min(1.0, max(0.0, height * 3 + 0.6))


def spread(levels: Levels, opaque: Cells) -> Levels:
    """The same light after it has reached all cells that it can reach."""
    levels, clear = levels.copy(), ~opaque
    for level in range(BRIGHTEST, 1, -1):
        source = levels == level
        if not source.any():
            continue
        reached = np.zeros_like(source)
        reached[1:] |= source[:-1]
        reached[:-1] |= source[1:]
        reached[:, 1:] |= source[:, :-1]
        reached[:, :-1] |= source[:, 1:]
        reached[:, :, 1:] |= source[:, :, :-1]
        reached[:, :, :-1] |= source[:, :, 1:]
        reached &= clear
        reached &= levels < level - 1
        levels[reached] = level - 1
    return levels


def brightness(sky: npt.NDArray[np.uint8], lamps: npt.NDArray[np.uint8], day: float) -> Table:
    """Of cells with these levels, as a factor of their colours."""
    from_sky = _CURVE[sky] * (_NIGHT + (1 - _NIGHT) * day)
    lit: Table = np.maximum(np.maximum(from_sky, _CURVE[lamps]), np.float32(_LEAST))
    return lit


@dataclass(frozen=True, slots=True)
class Grid:
    """All arrays of cells are flat, with one cell more on each side: x slowest, then z, then y."""

    origin: tuple[int, int, int]
    """The world's x, y and z of the least cell, border included."""
    strides: tuple[int, int, int]
    """How far apart neighbours along x, y and z are in the arrays."""
    cells: Array
    leaps: Array
    """How many cells around are certainly empty, from 1; 0 = this one is not."""
    sky: Array
    lamps: Array
    forms: Array
    """By kind."""
    names: tuple[str, ...]
    looks: tuple[Look, ...]
    tiles: Array
    """By kind: sides, top, bottom."""
    boxes: Array
    """By kind: up to six of x0 y0 z0 x1 y1 z1."""
    wet: Array
    """By kind: whether there is water in it."""


def grid_of(region: Region, tiles: Tiles = tiles_of) -> Grid:
    width, height, depth = region.size
    found = np.frombuffer(region.cells, "<u2").reshape(width, depth, height)
    kinds = (*region.kinds, _BEYOND, _ROOF)
    beyond, roof = len(kinds) - 2, len(kinds) - 1
    cells = np.full((width + 2, depth + 2, height + 2), beyond, np.int32)
    cells[1:-1, 1:-1, 1:-1] = np.where(found == NOT_LOADED, beyond, found)
    covered = np.frombuffer(region.covered, np.uint8).reshape(width, depth) > 0
    cells[1:-1, 1:-1, -1][covered] = roof
    looks = tuple(look_of(kind.name, is_cube=bool(kind.boxes)) for kind in kinds)
    forms = np.array([*map(_form, kinds, looks)], np.int8)
    forms[beyond] = OUTSIDE
    opaque = (forms == CUBE)[cells]
    lamps = np.array([look.glow for look in looks], np.uint8)[cells]
    sky = _sky(opaque, region.dimension)
    x, y, z = region.corner
    return Grid(
        origin=(x - 1, y - 1, z - 1),
        strides=((depth + 2) * (height + 2), 1, height + 2),
        cells=cells.ravel(),
        leaps=_leaps(forms[cells] != EMPTY).ravel(),
        sky=sky.ravel(),
        lamps=spread(lamps, opaque).ravel(),
        forms=forms,
        names=tuple(kind.name for kind in kinds),
        looks=looks,
        tiles=np.stack([tiles(k.name, look) for k, look in zip(kinds, looks, strict=True)]),
        boxes=np.stack([_boxes(kind, look) for kind, look in zip(kinds, looks, strict=True)]),
        wet=np.array(
            [
                look.form == "water" or kind.is_wet or any(map(kind.name.count, _WATER_PLANTS))
                for kind, look in zip(kinds, looks, strict=True)
            ]
        ),
    )


def _form(kind: BlockKind, look: Look) -> int:
    if not is_seen(kind.name):
        return EMPTY
    if look.form == "water":
        return WET
    if look.form == "glass" and kind.boxes in ((_WHOLE,), ()):
        return CLEAR
    if look.form == "plant" and not kind.boxes:
        return PLANT
    is_full = kind.boxes == (_WHOLE,) or kind.name in _SUNKEN or "leaves" in kind.name
    return CUBE if is_full else BOXES


def _boxes(kind: BlockKind, look: Look) -> Array:
    """As many as there is room for; the rest are empty."""
    if kind.boxes:
        boxes = [(*box[:4], min(box[4], 1.0), box[5]) for box in kind.boxes]
    elif look.form == "post":
        boxes = [_fixed(_POST, kind.facing)]
    else:
        boxes = [_FLAT]
    rows = np.full((MOST_BOXES, 6), np.nan, np.float32)
    rows[: len(boxes)] = boxes[:MOST_BOXES]
    return rows


def _fixed(box: Box, facing: str) -> Box:
    """A post that leans on the wall behind it."""
    aside = _TOWARDS.get(facing)
    if aside is None:
        return box
    x, z = (part * 0.4 for part in aside)
    x0, y0, z0, x1, y1, z1 = box
    return x0 + x, y0 + 0.2, z0 + z, x1 + x, y1 + 0.2, z1 + z


def _sky(opaque: Array, dimension: str) -> Array:
    """Where there is no sky, a dim light everywhere. None comes in from aside or below."""
    if dimension != "overworld":
        return np.where(opaque, 0, BRIGHTEST - 6).astype(np.uint8)
    closed = opaque.copy()
    closed[[0, -1]] = True
    closed[:, [0, -1]] = True
    closed[:, :, 0] = True
    # All of it below the open sky, less from cell to cell aside.
    open_above = ~np.logical_or.accumulate(closed[:, :, ::-1], axis=2)[:, :, ::-1]
    return spread(np.where(open_above, BRIGHTEST, 0).astype(np.uint8), closed)


def _leaps(drawn: Array) -> Array:
    """The distance to the nearest cell that is drawn, along the axis on which it is farthest."""
    leaps = np.where(drawn, 0, 1).astype(np.float32)
    near = drawn
    for _ in range(FARTHEST_STEP - 1):
        near = _grown(near)
        leaps += ~near
    return leaps


def _grown(cells: Array) -> Array:
    """With all neighbours, those at edges and corners too."""
    for axis in range(3):
        grown = cells.copy()
        ahead: list[slice] = [slice(None)] * 3
        behind: list[slice] = [slice(None)] * 3
        ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
        grown[tuple(ahead)] |= cells[tuple(behind)]
        grown[tuple(behind)] |= cells[tuple(ahead)]
        cells = grown
    return cells
