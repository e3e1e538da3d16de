"""What mobs leave when killed, and how much they take: the same in every version that has them.

minecraft-data lists no spoils before 1.14, and nowhere how many. What a mob drops only as a rare
chance, or because it wore it, is left out. Source: minecraft.wiki, the page of each mob.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bridge.catalogue import MobFacts

_TABLE = """
allay 20|armadillo 12|axolotl 14|bat 6|bee 10|blaze 20 blaze_rod:0-1|bogged 16 bone:0-2 arrow:0-2
breeze 30 breeze_rod:1-2|camel 32|cat 10 string:0-2|cave_spider 12 string:0-2 spider_eye:0-1
chicken 4 chicken:1 feather:0-2|cod 3 cod:1 bone_meal:0-1|cow 10 beef:1-3 leather:0-2|creaking 1
creeper 20 gunpowder:0-2|dolphin 10 cod:0-1|donkey 15 leather:0-2
drowned 20 rotten_flesh:0-2 copper_ingot:0-1|elder_guardian 80 prismarine_shard:0-2 wet_sponge:1
ender_dragon 200|enderman 40 ender_pearl:0-1|endermite 8|evoker 24 totem_of_undying:1 emerald:0-1
fox 10|frog 10|ghast 10 gunpowder:0-2 ghast_tear:0-1|glow_squid 10 glow_ink_sac:1-3|goat 10
guardian 30 prismarine_shard:0-2 cod:0-1 prismarine_crystals:0-1|happy_ghast 20
hoglin 40 porkchop:2-4 leather:0-1|horse 15 leather:0-2|husk 20 rotten_flesh:0-2
iron_golem 100 iron_ingot:3-5 poppy:0-2|llama 15 leather:0-2|magma_cube 16 magma_cream:0-1
mooshroom 10 beef:1-3 leather:0-2|mule 15 leather:0-2|ocelot 10|panda 20 bamboo:1
parrot 6 feather:1-2|phantom 20 phantom_membrane:0-1|pig 10 porkchop:1-3|piglin 16|piglin_brute 50
pillager 24 arrow:0-2|polar_bear 30 cod:0-2 salmon:0-2|pufferfish 3 pufferfish:1 bone_meal:0-1
rabbit 3 rabbit:0-1 rabbit_hide:0-1 rabbit_foot:0-1|ravager 100 saddle:1
salmon 3 salmon:1 bone_meal:0-1|sheep 8 mutton:1-2 white_wool:1|shulker 30 shulker_shell:0-1
silverfish 8|skeleton 20 bone:0-2 arrow:0-2|skeleton_horse 15 bone:0-2|slime 16 slime_ball:0-2
sniffer 14|snow_golem 4 snowball:0-15|spider 16 string:0-2 spider_eye:0-1|squid 10 ink_sac:1-3
stray 20 bone:0-2 arrow:0-2|strider 20 string:2-5|tadpole 6|trader_llama 15 leather:0-2
tropical_fish 3 tropical_fish:1 bone_meal:0-1|turtle 30 seagrass:0-2|vex 14|villager 20
vindicator 24 emerald:0-1|wandering_trader 20|warden 500 sculk_catalyst:1
witch 26 glowstone_dust:0-2 gunpowder:0-2 redstone:0-2 spider_eye:0-2 sugar:0-2 stick:0-2
wither 300 nether_star:1|wither_skeleton 20 bone:0-2 coal:0-1 wither_skeleton_skull:0-1|wolf 8
zoglin 40 rotten_flesh:1-3|zombie 20 rotten_flesh:0-2|zombie_horse 15 rotten_flesh:0-2
zombie_villager 20 rotten_flesh:0-2|zombified_piglin 20 rotten_flesh:0-1 gold_nugget:0-1
"""
_OLDER_ITEMS: Mapping[str, str] = {
    "bone_meal": "dye",
    "cod": "fish",
    "ink_sac": "dye",
    "poppy": "red_flower",
    "salmon": "fish",
    "wet_sponge": "sponge",
    "white_wool": "wool",
    "wither_skeleton_skull": "skull",
}
"""What these were called up to 1.12."""
NEUTRAL = frozenset(
    {
        *("bee", "cave_spider", "dolphin", "enderman", "goat", "iron_golem", "llama", "panda"),
        *("piglin", "polar_bear", "spider", "trader_llama", "wolf", "zombified_piglin"),
    }
)
"""Mobs that fight only who provokes them, or only in the dark."""


class Spoils(NamedTuple):
    """How many of an item one mob leaves."""

    item: str
    least: int
    most: int


class Mob(NamedTuple):
    half_hearts: int
    spoils: tuple[Spoils, ...]


def spoils_of(mob: MobFacts, items: Mapping[str, object]) -> tuple[Spoils, ...]:
    """What a mob leaves, of the items that the version has."""
    known = _MOBS.get(mob.name)
    if known is None:
        return tuple(Spoils(item, 0, 1) for item in mob.drops)
    there = (one._replace(item=_name(one.item, items)) for one in known.spoils)
    return tuple(one for one in there if one.item in items)


def half_hearts_of(mob: str) -> int | None:
    """How much damage it takes; None where that is not known."""
    known = _MOBS.get(mob)
    return None if known is None else known.half_hearts


def _name(item: str, items: Mapping[str, object]) -> str:
    return item if item in items else _OLDER_ITEMS.get(item, item)


def _read(table: str) -> Iterator[tuple[str, Mob]]:
    for row in table.replace("\n", "|").split("|"):
        if row:
            name, half_hearts, *spoils = row.split()
            yield name, Mob(int(half_hearts), tuple(map(_spoils, spoils)))


def _spoils(word: str) -> Spoils:
    item, _, count = word.partition(":")
    least, _, most = count.partition("-")
    return Spoils(item, int(least), int(most or least))


_MOBS: Mapping[str, Mob] = dict(_read(_TABLE))
