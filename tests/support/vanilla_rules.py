"""Minecraft's own rules, read anew for judging plans: nothing here comes from the planner.

Recipes and blocks from the raw files of minecraft-data; smelting, fuel and what falls out of blocks
written down again, so that a slip in the product's tables shows.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

SMELT_TICKS = 200

_TAGS = (
    *(r"\w+_planks", r"\w*stone|\w*cobbled_deepslate"),
    *(r"(?!stripped_)\w+_(log|stem|wood|hyphae)|stripped_\w+_(log|stem|wood|hyphae)", r"\w+_slab"),
    *(r"\w+_wool", r"coal|charcoal", r"(red_)?sand", r"soul_(sand|soil)"),
    *(r"(chiseled_)?(quartz|purpur|nether|smooth)\w*", r"gold_nugget|iron_nugget"),
    *(r"(red|brown)_mushroom", r"\w+_(dye|bed|carpet|shulker_box|candle|leaves)"),
)
_GEAR = r"(sword|pickaxe|axe|shovel|hoe|helmet|chestplate|leggings|boots|horse_armor)"
_SMELTED: tuple[tuple[str, str], ...] = (
    (r"(deepslate_)?iron_ore|raw_iron", "iron_ingot"),
    (r"(deepslate_|nether_)?gold_ore|raw_gold", "gold_ingot"),
    (r"(deepslate_)?copper_ore|raw_copper", "copper_ingot"),
    (r"ancient_debris", "netherite_scrap"),
    (r"(deepslate_)?coal_ore", "coal"),
    (r"(deepslate_)?diamond_ore", "diamond"),
    (r"(deepslate_)?emerald_ore", "emerald"),
    (r"(deepslate_)?lapis_ore", "lapis_lazuli"),
    (r"(deepslate_)?redstone_ore", "redstone"),
    (r"nether_quartz_ore", "quartz"),
    (r"(?!crimson|warped|stripped_crimson|stripped_warped)\w+_(log|wood)", "charcoal"),
    (r"(red_)?sand", "glass"),
    (r"cobblestone", "stone"),
    (r"cobbled_deepslate", "deepslate"),
    (r"stone", "smooth_stone"),
    (r"sandstone", "smooth_sandstone"),
    (r"red_sandstone", "smooth_red_sandstone"),
    (r"quartz_block", "smooth_quartz"),
    (r"basalt", "smooth_basalt"),
    (r"stone_bricks", "cracked_stone_bricks"),
    (r"nether_bricks", "cracked_nether_bricks"),
    (r"deepslate_bricks", "cracked_deepslate_bricks"),
    (r"deepslate_tiles", "cracked_deepslate_tiles"),
    (r"polished_blackstone_bricks", "cracked_polished_blackstone_bricks"),
    (r"clay_ball", "brick"),
    (r"clay", "terracotta"),
    (r"netherrack", "nether_brick"),
    (r"cactus", "green_dye"),
    (r"sea_pickle", "lime_dye"),
    (r"wet_sponge", "sponge"),
    (r"chorus_fruit", "popped_chorus_fruit"),
    (r"kelp", "dried_kelp"),
    (r"potato", "baked_potato"),
    (r"beef|porkchop|mutton|chicken|rabbit|cod|salmon", "cooked_*"),
    (rf"golden_{_GEAR}", "gold_nugget"),
    (rf"(iron|chainmail)_{_GEAR}", "iron_nugget"),
    (r"(\w+)_terracotta", "*_glazed_terracotta"),
)
_WOOD = r"(?:stripped_)?(?:oak|spruce|birch|jungle|acacia|dark_oak|mangrove|cherry|pale_oak|bamboo)"
_BURN_TICKS: tuple[tuple[str, int], ...] = (
    (r"lava_bucket", 20_000),
    (r"coal_block", 16_000),
    (r"dried_kelp_block", 4_000),
    (r"blaze_rod", 2_400),
    (r"coal|charcoal", 1_600),
    (rf"{_WOOD}_(chest_)?(boat|raft)", 1_200),
    (rf"{_WOOD}_hanging_sign", 800),
    (rf"{_WOOD}_(mosaic_)?slab", 150),
    (rf"wooden_(sword|pickaxe|axe|shovel|hoe)|{_WOOD}_(door|sign)", 200),
    (r"bamboo", 50),
    (rf"stick|{_WOOD}_(sapling|button)|\w+_wool|bowl|dead_bush|(flowering_)?azalea", 100),
    (r"mangrove_propagule", 100),
    (r"\w+_carpet", 67),
    (
        rf"{_WOOD}_(log|wood|planks|stairs|fence|fence_gate|trapdoor|pressure_plate|block|mosaic"
        r"|mosaic_stairs|roots)|crafting_table|(trapped_)?chest|(chiseled_)?bookshelf|lectern|jukebox"
        r"|note_block|ladder|(cross)?bow|fishing_rod|barrel|loom|composter|daylight_detector"
        r"|(cartography|fletching|smithing)_table|\w+_banner",
        300,
    ),
)
_FALLS: Mapping[str, Mapping[str, int]] = {
    "stone": {"cobblestone": 1},
    "deepslate": {"cobbled_deepslate": 1},
    "grass_block": {"dirt": 1},
    "mycelium": {"dirt": 1},
    "podzol": {"dirt": 1},
    "farmland": {"dirt": 1},
    "coal_ore": {"coal": 1},
    "diamond_ore": {"diamond": 1},
    "emerald_ore": {"emerald": 1},
    "nether_quartz_ore": {"quartz": 1},
    "nether_gold_ore": {"gold_nugget": 2},
    "redstone_ore": {"redstone": 4},
    "lapis_ore": {"lapis_lazuli": 4},
    "clay": {"clay_ball": 4},
    "glowstone": {"glowstone_dust": 2},
    "melon": {"melon_slice": 3},
    "gravel": {"gravel": 1},
    "snow": {"snowball": 1},
    "snow_block": {"snowball": 4},
    "bookshelf": {"book": 3},
    "ender_chest": {"obsidian": 8},
    "cobweb": {"string": 1},
    "sea_lantern": {"prismarine_crystals": 2},
    "gilded_blackstone": {"gilded_blackstone": 1},
    "wheat": {"wheat": 1, "wheat_seeds": 1},
    "beetroots": {"beetroot": 1, "beetroot_seeds": 1},
    "carrots": {"carrot": 2},
    "potatoes": {"potato": 2},
    "nether_wart": {"nether_wart": 2},
    "cocoa": {"cocoa_beans": 3},
    "sweet_berry_bush": {"sweet_berries": 2},
}
_RAW_SINCE_1_17 = {"iron_ore": "raw_iron", "gold_ore": "raw_gold"}
_EMPTIES = {
    "lava_bucket": "bucket",
    "water_bucket": "bucket",
    "milk_bucket": "bucket",
    "honey_bottle": "glass_bottle",
    "dragon_breath": "glass_bottle",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """`cells` are groups of cells that hold the same thing: alternatives and how many cells."""

    count: int
    wide: bool
    cells: tuple[tuple[frozenset[str], int], ...]

    def takes(self, consumed: Mapping[str, int], times: int) -> bool:
        """Whether so many firings take exactly this (Hall's condition over the groups)."""
        if sum(consumed.values()) != times * sum(n for _, n in self.cells):
            return False
        groups = range(len(self.cells))
        return all(
            self._held(consumed, chosen) >= times * sum(self.cells[g][1] for g in chosen)
            for size in groups
            for chosen in combinations(groups, size + 1)
        )

    def _held(self, consumed: Mapping[str, int], chosen: tuple[int, ...]) -> int:
        fit = frozenset().union(*(self.cells[g][0] for g in chosen))
        return sum(count for item, count in consumed.items() if item in fit)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one version."""

    version: str
    items: frozenset[str]
    recipes: Mapping[str, tuple[Recipe, ...]]
    harvest: Mapping[str, frozenset[str] | None]
    """Blocks and the tools of which they need one; None = the hand will do."""
    hardness: Mapping[str, float | None]

    @property
    def _numbers(self) -> tuple[int, ...]:
        return tuple(map(int, self.version.split(".")))

    def cooks(self, raw: str) -> str | None:
        for pattern, made in _SMELTED:
            found = re.fullmatch(pattern, raw)
            if found:
                stem = found[1] if found.groups() and found[1] else raw
                named = made.replace("*", stem)
                return named if named in self.items else None
        return None

    def burns(self, item: str) -> int:
        """Ticks; 0 = not."""
        if item == "scaffolding":
            return 400 if self._numbers < (1, 18) else 50
        fitting = (ticks for pattern, ticks in _BURN_TICKS if re.fullmatch(pattern, item))
        return next(fitting, 0)

    def falls(self, block: str, tool: str | None) -> Mapping[str, int]:
        """What a block surely drops when dug with the right tool."""
        bare = block.removeprefix("deepslate_") if block.endswith("_ore") else block
        if tool == "shears" and (bare not in _FALLS or bare == "cobweb"):
            return {block: 1}
        if bare in _RAW_SINCE_1_17 and self._numbers >= (1, 17):
            return {_RAW_SINCE_1_17[bare]: 1}
        if bare == "amethyst_cluster":
            return {"amethyst_shard": 4 if tool and tool.endswith("_pickaxe") else 2}
        if bare == "copper_ore":
            return {"raw_copper": 2}
        return _FALLS.get(bare, {block: 1})

    @staticmethod
    def empties(item: str) -> str | None:
        return _EMPTIES.get(item)


@lru_cache(maxsize=4)
def rules_of(packages_dir: Path, version: str) -> Rules:
    data = packages_dir / "node_modules/minecraft-data/minecraft-data/data"
    paths = json.loads((data / "dataPaths.json").read_text())["pc"][version]

    def rows(kind: str) -> Any:
        return json.loads((data / paths[kind] / f"{kind}.json").read_text())

    names = {row["id"]: row["name"] for row in rows("items")}
    blocks = rows("blocks")
    return Rules(
        version=version,
        items=frozenset(names.values()),
        recipes=_recipes(rows("recipes"), names),
        harvest={b["name"]: _tools(b.get("harvestTools"), names) for b in blocks},
        hardness={b["name"]: b["hardness"] if b["diggable"] else None for b in blocks},
    )


def _tools(told: Mapping[str, bool] | None, names: Mapping[int, str]) -> frozenset[str] | None:
    return frozenset(names[int(tool)] for tool in told) if told else None


def _recipes(
    told: Mapping[str, list[dict[str, Any]]], names: Mapping[int, str]
) -> dict[str, tuple[Recipe, ...]]:
    return {names[int(number)]: tuple(_mixed(variants, names)) for number, variants in told.items()}


def _mixed(variants: list[dict[str, Any]], names: Mapping[int, str]) -> Iterator[Recipe]:
    """Variants that differ by things of one tag alone are one recipe whose cells may mix."""
    kinds: dict[Any, list[tuple[str | None, ...]]] = {}
    for variant in variants:
        shape = variant.get("inShape") or [variant["ingredients"]]
        loose = "inShape" not in variant
        cells = tuple(None if c is None else names[_id(c)] for row in shape for c in row)
        if loose:
            cells = tuple(sorted(map(str, cells)))
        signature = tuple(_tag(cell) for cell in cells)
        wide = len(cells) > 4 if loose else len(shape) > 2 or any(len(row) > 2 for row in shape)
        count = variant["result"].get("count", 1)
        key = (signature, count, wide, loose, tuple(map(len, shape)))
        kinds.setdefault(key, []).append(cells)
    for (_, count, wide, *_), rows in kinds.items():
        columns = Counter(zip(*rows, strict=True))
        cells_of = ((frozenset(c for c in col if c), n) for col, n in columns.items())
        yield Recipe(count, wide, tuple((alike, n) for alike, n in cells_of if alike))


def _tag(cell: str | None) -> str | None:
    """Things of one tag look alike; what has none is itself."""
    return next((tag for tag in _TAGS if cell and re.fullmatch(tag, cell)), cell)


def _id(cell: Any) -> int:
    if isinstance(cell, list):
        return _id(cell[0])
    return int(cell["id"]) if isinstance(cell, dict) else int(cell)
