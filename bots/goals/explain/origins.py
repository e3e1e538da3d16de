"""Says where items come from that cannot be dug, crafted or smelted; the first match counts."""

from __future__ import annotations

import re

_SHEEP_GROW = r"(white|light_gray|gray|black|brown|pink)_wool"
_ORIGINS: tuple[tuple[str, str], ...] = (
    (r"(beef|leather)|milk_bucket", "cows give it"),
    (r"porkchop", "pigs give it"),
    (rf"mutton|{_SHEEP_GROW}", "sheep give it"),
    (r"chicken|feather", "chickens give it"),
    (r"egg", "hens lay it"),
    (r"rabbit|rabbit_hide|rabbit_foot", "rabbits give it"),
    (r"cod|salmon|tropical_fish|pufferfish", "it is fished"),
    (r"\w*(cod|salmon|fish|axolotl|tadpole)_bucket", "it is caught with a bucket"),
    (r"string|spider_eye", "spiders give it"),
    (r"bone", "skeletons give it"),
    (r"gunpowder", "creepers give it"),
    (r"rotten_flesh", "zombies give it"),
    (r"slime_ball", "slimes give it"),
    (r"magma_cream", "magma cubes give it"),
    (r"ender_pearl", "endermen give it"),
    (r"blaze_rod", "blazes give it"),
    (r"breeze_rod", "breezes give it"),
    (r"ghast_tear", "ghasts give it"),
    (r"phantom_membrane", "phantoms give it"),
    (r"shulker_shell", "shulkers give it"),
    (r"prismarine_(shard|crystals)", "guardians give it"),
    (r"wet_sponge", "elder guardians give it"),
    (r"ink_sac", "squids give it"),
    (r"glow_ink_sac", "glow squids give it"),
    (r"nautilus_shell|trident", "the drowned give it"),
    (r"(turtle_)?scute|turtle_egg", "turtles give it"),
    (r"armadillo_scute", "armadillos give it"),
    (r"goat_horn", "goats give it"),
    (r"wither_skeleton_skull", "wither skeletons give it"),
    (r"\w+_(head|skull)", "monsters give it"),
    (r"nether_star", "the wither gives it"),
    (r"dragon_(egg|breath|head)", "the ender dragon gives it"),
    (r"totem_of_undying", "evokers give it"),
    (r"honeycomb|honey_bottle|bee_nest", "bees give it"),
    (r"music_disc_\w+|disc_fragment_\w+", "it is found in structures, or creepers give it"),
    (r"(water|lava|powder_snow)_bucket", "a bucket is filled with it"),
    (r"netherite_(?!ingot|scrap|block|upgrade)\w+", "it is made at a smithing table"),
    (r"\w+_(pottery_sherd|smithing_template|armor_trim\w*)", "it is found in structures"),
    (r"\w*potion|experience_bottle|tipped_arrow", "it is brewed or traded"),
    (r"heart_of_the_sea|elytra|saddle|name_tag|\w+_horse_armor", "it is found in structures"),
    (
        r"enchanted_\w+|heavy_core|\w*trial_key|echo_shard|bell|lodestone",
        "it is found in structures",
    ),
    (
        r"\w+_spawn_egg|\w*command_block\w*|barrier|structure_\w+|jigsaw|light|debug_stick|bedrock"
        r"|knowledge_book|spawner|infested_\w+|petrified_oak_slab|player_head",
        "it is not in survival",
    ),
    (
        r"flint|apple|poisonous_potato|chorus_fruit|\w*wheat_seeds|pitcher_pod",
        "it falls only now and then",
    ),
    (
        r"chainmail_\w+|(globe|piglin)_banner_pattern|glow_berries|frogspawn|suspicious_\w+|end_portal"
        r"_frame|reinforced_deepslate|\w*trial_spawner|vault",
        "it is found or traded",
    ),
    (
        r"written_book|filled_map|firework_\w+|dirt_path|grass_path|farmland",
        "it is made in ways that are no recipe",
    ),
    (
        r"(\w+_)?ore|grass_block|mycelium|podzol|\w+_nylium|large_fern|tall_grass|mushroom_stem"
        r"|\w+_mushroom_block|sculk\w*|\w*amethyst_(bud|cluster)|budding_amethyst|\w*coral\w*"
        r"|(packed_|blue_)?ice|chorus_plant",
        "it takes silk touch",
    ),
)


def origin_of(item: str) -> str:
    """A clause such as `cows give it`."""
    fitting = (origin for pattern, origin in _ORIGINS if re.fullmatch(pattern, item))
    return next(fitting, "nothing that can be dug, crafted or smelted gives it")


def is_given(item: str) -> bool:
    """Whether players get it from animals though it can also be crafted (wool from string). Of
    other colours than these wool is dyed."""
    return bool(re.fullmatch(_SHEEP_GROW, item)) or item == "leather"
