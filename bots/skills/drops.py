"""The least a block drops for certain, without silk touch or fortune; crops are taken as ripe.

minecraft-data lists what may drop, not what must, nor how many. Wherever vanilla's loot tables
(data/minecraft/loot_table/blocks, 1.16 to 1.21) depend on chance, state or count, the sure minimum
is listed here. Gravel counts as gravel, though it is sometimes flint."""

from __future__ import annotations

import re
from collections.abc import Mapping

SHEARS = "shears"

_NO_SURE_DROP = re.compile(
    "|".join(
        (
            r"(.*_)?leaves2?",  # saplings, sticks and apples drop by chance
            r"((short_|tall_)?grass|(large_)?fern|(tall_|short_)dry_grass|bush|dead_bush|vine)",
            r"tallgrass|deadbush|double_plant",  # up to 1.12
            r"(tall_)?seagrass|nether_sprouts|glow_lichen|hanging_roots|small_dripleaf",
            r"(twisting|weeping|cave)_vines(_plant)?|pale_hanging_moss|chorus_plant",
            r"(packed_|blue_|frosted_)?ice|((.+_)?stained_)?glass(_pane)?|powder_snow",
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
_SURE_DROPS: Mapping[str, Mapping[str, int]] = {
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
_SHEARED = re.compile(
    r"(.*_)?leaves2?|(short_)?grass|fern|(tall_|short_)dry_grass|bush|dead_bush|vine|seagrass"
    r"|cobweb|web|tallgrass|deadbush"
    r"|nether_sprouts|glow_lichen|hanging_roots|small_dripleaf|pale_hanging_moss"
)
_SHEARED_DROPS: Mapping[str, Mapping[str, int]] = {
    "large_fern": {"fern": 2},
    "tall_seagrass": {"seagrass": 2},
    "twisting_vines": {"twisting_vines": 1},
    "twisting_vines_plant": {"twisting_vines": 1},
    "weeping_vines": {"weeping_vines": 1},
    "weeping_vines_plant": {"weeping_vines": 1},
}
_PICKAXE_DROPS: Mapping[str, Mapping[str, int]] = {"amethyst_cluster": {"amethyst_shard": 4}}


def sure_drops(
    block: str, listed: tuple[str, ...], tool: str | None, items: frozenset[str]
) -> Mapping[str, int]:
    """The least that drops, given what the data lists and the tool held; empty if nothing."""
    if block == "grass" and "dirt" in listed:  # the ground, up to 1.12
        return {"dirt": 1}
    drops = _sheared(block, items) if tool == SHEARS else None
    if drops is None and tool is not None and tool.endswith("_pickaxe"):
        drops = _PICKAXE_DROPS.get(block)
    if drops is None:
        drops = _without_shears(block, listed)
    return {item: count for item, count in drops.items() if item in items}


def is_sheared(block: str) -> bool:
    """Whether shears give something no other tool does."""
    return block == "tall_grass" or block in _SHEARED_DROPS or bool(_SHEARED.fullmatch(block))


def _sheared(block: str, items: frozenset[str]) -> Mapping[str, int] | None:
    if block == "tall_grass":
        return {"grass" if "grass" in items else "short_grass": 2}
    if block in _SHEARED_DROPS:
        return _SHEARED_DROPS[block]
    return {block: 1} if _SHEARED.fullmatch(block) else None


def _without_shears(block: str, listed: tuple[str, ...]) -> Mapping[str, int]:
    if block in _SURE_DROPS:
        return _SURE_DROPS[block]
    if _NO_SURE_DROP.fullmatch(block):
        return {}
    if not listed:  # some versions' data lacks the drops of wall blocks
        return {block.replace("wall_", "", 1): 1} if "wall_" in block else {}
    if block in listed:
        return {block: 1}
    return dict.fromkeys(listed if block.startswith("potted_") else listed[:1], 1)
