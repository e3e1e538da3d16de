"""What surely falls out of a block: the least, without silk touch or fortune, of ripe crops.

minecraft-data names what may fall, not what must, nor how many. Wherever vanilla's loot tables
(data/minecraft/loot_table/blocks, 1.16 to 1.21) leave something to chance, state or count, the
sure minimum stands here. Gravel counts as gravel, though now and then it is flint."""

from __future__ import annotations

import re
from collections.abc import Mapping

SHEARS = "shears"

_NOTHING = re.compile(
    "|".join(
        (
            r".*_leaves",  # saplings, sticks and apples fall by chance
            r"((short_|tall_)?grass|(large_)?fern|(tall_|short_)dry_grass|bush|dead_bush|vine)",
            r"(tall_)?seagrass|nether_sprouts|glow_lichen|hanging_roots|small_dripleaf",
            r"(twisting|weeping|cave)_vines(_plant)?|pale_hanging_moss|chorus_plant",
            r"(packed_|blue_|frosted_)?ice|(.+_stained_)?glass(_pane)?|powder_snow",
            r"(dead_)?(tube|brain|bubble|fire|horn)_coral(_fan|_wall_fan)?",
            r"infested_.+|suspicious_.+|(trial_)?spawner|vault|bee_nest|turtle_egg|frogspawn",
            r"(red|brown)_mushroom_block|mushroom_stem|(attached_)?(pumpkin|melon)_stem",
            r"sculk|sculk_.+|calibrated_sculk_sensor|(small|medium|large)_amethyst_bud",
            r"budding_amethyst|reinforced_deepslate|chiseled_bookshelf|cake|fire|soul_fire",
            r"nether_portal|end_portal|end_gateway|dragon_egg|piston_head|moving_piston",
            r"(cave_|void_)?air|bubble_column|(flowing_)?(water|lava)|structure_void|light",
        )
    )
)
_CHANGED: Mapping[str, Mapping[str, int]] = {
    "amethyst_cluster": {"amethyst_shard": 2},
    "bamboo_sapling": {"bamboo": 1},
    "beetroots": {"beetroot": 1, "beetroot_seeds": 1},
    "bookshelf": {"book": 3},
    "campfire": {"charcoal": 2},
    "carrots": {"carrot": 2},
    "clay": {"clay_ball": 4},
    "cobweb": {"string": 1},
    "cocoa": {"cocoa_beans": 3},
    "composter": {"composter": 1},
    "copper_ore": {"raw_copper": 2},
    "creaking_heart": {"resin_clump": 1},
    "deepslate_copper_ore": {"raw_copper": 2},
    "deepslate_lapis_ore": {"lapis_lazuli": 4},
    "deepslate_redstone_ore": {"redstone": 4},
    "ender_chest": {"obsidian": 8},
    "gilded_blackstone": {"gilded_blackstone": 1},
    "glowstone": {"glowstone_dust": 2},
    "gravel": {"gravel": 1},
    "lapis_ore": {"lapis_lazuli": 4},
    "lit_redstone_ore": {"redstone": 4},
    "melon": {"melon_slice": 3},
    "melon_block": {"melon": 3},
    "nether_gold_ore": {"gold_nugget": 2},
    "nether_wart": {"nether_wart": 2},
    "pitcher_crop": {"pitcher_plant": 1},
    "potatoes": {"potato": 2},
    "redstone_ore": {"redstone": 4},
    "resin_clump": {"resin_clump": 1},
    "sea_lantern": {"prismarine_crystals": 2},
    "snow": {"snowball": 1},
    "snow_block": {"snowball": 4},
    "soul_campfire": {"soul_soil": 1},
    "sweet_berry_bush": {"sweet_berries": 2},
    "torchflower_crop": {"torchflower_seeds": 1},
    "wheat": {"wheat": 1, "wheat_seeds": 1},
}
_SHORN = re.compile(
    r".*_leaves|(short_)?grass|fern|(tall_|short_)dry_grass|bush|dead_bush|vine|seagrass|cobweb"
    r"|nether_sprouts|glow_lichen|hanging_roots|small_dripleaf|pale_hanging_moss"
)
_SHORN_CHANGED: Mapping[str, Mapping[str, int]] = {
    "large_fern": {"fern": 2},
    "tall_seagrass": {"seagrass": 2},
    "twisting_vines": {"twisting_vines": 1},
    "twisting_vines_plant": {"twisting_vines": 1},
    "weeping_vines": {"weeping_vines": 1},
    "weeping_vines_plant": {"weeping_vines": 1},
}
_PICKED: Mapping[str, Mapping[str, int]] = {"amethyst_cluster": {"amethyst_shard": 4}}


def sure_drops(
    block: str, listed: tuple[str, ...], tool: str | None, items: frozenset[str]
) -> Mapping[str, int]:
    """The least that falls, given what the data lists and the tool in hand; empty = nothing."""
    drops = _shorn(block, items) if tool == SHEARS else None
    if drops is None and tool is not None and tool.endswith("_pickaxe"):
        drops = _PICKED.get(block)
    if drops is None:
        drops = _unshorn(block, listed)
    return {item: count for item, count in drops.items() if item in items}


def is_shorn(block: str) -> bool:
    """Whether shears give what nothing else does."""
    return block == "tall_grass" or block in _SHORN_CHANGED or bool(_SHORN.fullmatch(block))


def _shorn(block: str, items: frozenset[str]) -> Mapping[str, int] | None:
    if block == "tall_grass":
        return {"grass" if "grass" in items else "short_grass": 2}
    if block in _SHORN_CHANGED:
        return _SHORN_CHANGED[block]
    return {block: 1} if _SHORN.fullmatch(block) else None


def _unshorn(block: str, listed: tuple[str, ...]) -> Mapping[str, int]:
    if block in _CHANGED:
        return _CHANGED[block]
    if _NOTHING.fullmatch(block):
        return {}
    if not listed:  # the data of some versions forgets what hangs on walls
        return {block.replace("wall_", "", 1): 1} if "wall_" in block else {}
    if block in listed:
        return {block: 1}
    return dict.fromkeys(listed if block.startswith("potted_") else listed[:1], 1)
