"""Prices of raw items, to find the least to fetch for an impossible goal, and where they come from.

Work costs nothing beside these prices, so that little is fetched and what is there is used first.
The numbers are small because the solver is faster with them. Raw is what no recipe makes and what
natural blocks drop; of items made only of each other (block and ingot) the smaller unit is raw.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from bots.goals.activity import Activity, Domain, is_somewhere
from bots.goals.planning.ways import Catalogue, Thing, Way

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
DUG = 22
"""A block drops it."""
GIVEN = 100
"""It comes from creatures, trade or structures."""
HUNTED = 40
"""An animal gives it: less than what it could be made of instead, as wool of string."""
SMITHED = 3_000
"""Gear without a recipe: too dear to be suggested in place of lesser gear."""
COMMON = DUG - 1
"""The best known of several equivalent items."""
FINE = 1_000
"""Prices of made items are in thousandths, because one craft can make many pieces."""
MADE = 20
"""Thousandths added per craft: fewer steps are simpler to explain."""
_COMMON = {"oak_log", "cobblestone", "coal", "sand", "iron_ore", "raw_iron", "gold_ore", "raw_gold"}
_BUILT = re.compile(
    r"(\w+_)?wall_\w+|potted_\w+|\w*cauldron|\w*candle_cake|redstone_wire|tripwire"
    r"|(exposed|weathered|oxidized|waxed)_\w+"
)


def origin_of(item: str) -> str:
    """A clause such as `cows give it`."""
    fitting = (origin for pattern, origin in _ORIGINS if re.fullmatch(pattern, item))
    return next(fitting, "nothing that can be dug, crafted or smelted gives it")


def is_given(item: str) -> bool:
    """Whether players get it from animals though it can also be crafted (wool from string). Of
    other colours than these wool is dyed."""
    return bool(re.fullmatch(_SHEEP_GROW, item)) or item == "leather"


def _raw_and_whole(domain: Domain) -> tuple[dict[str, int], dict[str, int]]:
    dug = {item for ways in domain.digging.values() for way in ways for item in way.produces}
    made = {item for activity in domain.making for item in activity.produces}
    raw = {item: DUG if item in dug else GIVEN for item in sorted(domain.items - made)}
    raw |= {item: HUNTED for item in sorted(domain.items) if is_given(item)}
    raw |= {item: SMITHED for item in raw if item in domain.tool_order}
    raw |= dict.fromkeys(_fallen(domain, made), DUG)
    raw |= {item: COMMON for item in sorted(_COMMON) if raw.get(item) == DUG}
    whole = _spread(domain.making, raw)
    for few in (_small_units(domain), domain.items):
        lost = sorted({*few} - whole.keys())
        raw |= {item: DUG if item in dug else GIVEN for item in lost}
        whole = _spread(domain.making, raw)
    return raw, whole


def _fallen(domain: Domain, made: AbstractSet[str]) -> Iterator[str]:
    """Items that natural blocks drop instead of themselves."""
    for block, ways in domain.digging.items():
        if block not in made and not _BUILT.fullmatch(block):
            yield from (item for way in ways for item in way.produces if item != block)


def _small_units(domain: Domain) -> Iterator[str]:
    """Items of which one other item makes several, such as ingots of a block."""
    for activity in domain.making:
        alone = sum(activity.consumes.values()) == 1 and not activity.pools
        if alone and activity.produces.get(activity.target, 0) > 1:
            yield activity.target


def _spread(making: Iterable[Activity], raw: Mapping[str, int]) -> dict[str, int]:
    """The cheapest sum of parts of every item, repeated until nothing gets cheaper."""
    whole = {item: FINE * price for item, price in raw.items()}
    activities, changed = list(making), True
    while changed:
        changed = False
        for activity in activities:
            price = _price_of_parts(activity, whole)
            for item in activity.produces:
                if price is not None and item not in raw and price < whole.get(item, price + 1):
                    whole[item], changed = price, True
    return whole


def _price_of_parts(activity: Activity, whole: Mapping[str, int]) -> int | None:
    """Price of one piece; None if a part is not obtainable."""
    parts = [(whole.get(item), count) for item, count in activity.consumes.items()]
    for pool, count in activity.pools.items():
        known = [whole[item] for item in pool if item in whole]
        parts.append((min(known, default=None), count))
    if any(price is None for price, _ in parts):
        return None
    whole_price = MADE + sum((price or 0) * count for price, count in parts)
    return -(-whole_price // activity.produces.get(activity.target, 1))


@dataclass(frozen=True, slots=True)
class ItemPrices:
    """Tables of one version; building them takes tens of milliseconds, so keep them."""

    catalogue: Catalogue
    """The ways of the version at no cost: only what is fetched counts."""
    raw: Mapping[str, int]
    """Price of each raw item, which is fetched and never made."""
    whole: Mapping[str, int]
    """Price of every obtainable item, the sum of its raw parts, in thousandths."""
    ranks: Mapping[Way, int]
    """Low is better: cheap parts; for work on what is near, a low tool."""

    def meant(self, group: Iterable[Thing], here: Container[Thing]) -> list[Thing]:
        """The cheapest of some alternatives, and all that are here."""
        ordered = sorted(group, key=lambda thing: (self.whole.get(str(thing), 0), str(thing)))
        return ordered[:1] + [thing for thing in ordered[1:] if thing in here]


def item_prices_of(domain: Domain) -> ItemPrices:
    catalogue, (raw, whole) = Catalogue(_free_of_work(domain)), _raw_and_whole(domain)
    tools = {tool: rank for rank, tool in enumerate(domain.tool_order, 1)}

    def rank(activity: Activity) -> int:
        if is_somewhere(activity):
            return tools.get(activity.tool or "", 0)
        return _price_of_parts(activity, whole) or 0

    return ItemPrices(catalogue, raw, whole, {way: rank(way.activity) for way in catalogue.ways})


def _free_of_work(domain: Domain) -> Domain:
    def free(activity: Activity) -> Activity:
        return replace(activity, fixed_ticks=0, unit_ticks=0)

    return replace(
        domain,
        making=tuple(map(free, domain.making)),
        digging={block: tuple(map(free, ways)) for block, ways in domain.digging.items()},
        placing={station: free(way) for station, way in domain.placing.items()},
        foraging={kind: tuple(map(free, ways)) for kind, ways in domain.foraging.items()},
        chest_ticks=0,
    )
