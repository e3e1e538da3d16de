"""The handbook of a version: what is known of each item, block and mob, and what leads to what.

handbook = handbook_of(await bot.catalogue(), await bot.recipes())
handbook.item("piston").recipes

Two tables are ours: at which heights ores are found, before 1.18 and since (minecraft.wiki/w/Ore),
and what mobs leave when killed, and how much they take (minecraft.wiki, the page of each mob), the
same in every version that has them. minecraft-data lists no spoils before 1.14, and nowhere how
many. What a mob drops only as a rare chance, or because it wore it, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from bots.bot.bot import Bot
from bots.catalogue.entries import (
    BlockEntry,
    Entry,
    FoldedRecipe,
    ItemEntry,
    Kind,
    MobEntry,
    Recipe,
    Source,
    Spoil,
    folded,
    otherwise,
    pairs,
)
from bots.catalogue.japanese import mob_in, name_in
from bridge.catalogue import BlockFacts, Catalogue, RecipeBook

_DEEPER_SINCE = (1, 18)
_SINCE = pairs("diamond -59|redstone -59|gold -16|lapis 0|iron 16|copper 48|coal 96|emerald 232")
_BEFORE = pairs("diamond 11|redstone 11|gold 29|lapis 15|iron 40|coal 60|emerald 29")
_DEBRIS = "15"
"""In the Nether."""
_MOBS = {
    name: facts.split()
    for name, facts in pairs("""
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
""").items()
}
"""Half-hearts of each, and what it leaves: the item, the least and the most."""
_OLDER_ITEMS = pairs("""
bone_meal dye|cod fish|ink_sac dye|poppy red_flower|salmon fish|wet_sponge sponge
white_wool wool|wither_skeleton_skull skull
""")
"""What these were called up to 1.12."""
NEUTRAL = frozenset(
    {
        *("bee", "cave_spider", "dolphin", "enderman", "goat", "iron_golem", "llama", "panda"),
        *("piglin", "polar_bear", "spider", "trader_llama", "wolf", "zombified_piglin"),
    }
)
"""Mobs that fight only who provokes them, or only in the dark."""
_BEST_LAST = ("wooden", "golden", "stone", "copper", "iron", "diamond", "netherite")
_PLAIN_TOOLS = ("shears", "sword", "axe", "hoe", "shovel", "pickaxe")
_PACKED = ("_block", "_nugget")
_ORES_DROP = {
    "coal_ore": "coal",
    "diamond_ore": "diamond",
    "emerald_ore": "emerald",
    "lapis_ore": "lapis_lazuli",
    "nether_quartz_ore": "quartz",
    "redstone_ore": "redstone",
}
_FASTER = 2.0
"""Tools less than twice as fast as the hand are left out."""
_latest: dict[str, tuple[Catalogue, RecipeBook, Handbook]] = {}
"""Of each version: every bot asks for its handbook, and its tables are costly."""


def height_of(block: str, version: str) -> str | None:
    """The height with most of an ore; None for other blocks."""
    if block == "ancient_debris":
        return _DEBRIS
    if not block.endswith("_ore") or block.startswith("nether_"):
        return None
    metal = block.removesuffix("_ore").removeprefix("deepslate_").removeprefix("lit_")
    numbers = tuple(int(part) for part in version.split(".") if part.isdecimal())
    return (_SINCE if numbers >= _DEEPER_SINCE else _BEFORE).get(metal)


class Handbook:
    """Everything of one version, found by its name."""

    def __init__(self, catalogue: Catalogue, book: RecipeBook) -> None:
        self._catalogue, self._book = catalogue, book

    @property
    def version(self) -> str:
        return self._catalogue.version

    @cached_property
    def items(self) -> frozenset[str]:
        return frozenset(self._catalogue.items) - {"air"}

    @property
    def blocks(self) -> Mapping[str, BlockFacts]:
        return self._catalogue.blocks

    @cached_property
    def mobs(self) -> frozenset[str]:
        return frozenset(self._catalogue.mobs)

    def entry(self, kind: Kind, name: str) -> Entry:
        """What is known of a name of this version."""
        if kind == "item":
            return self.item(name)
        return self.block(name) if kind == "block" else self.mob(name)

    def item(self, name: str) -> ItemEntry:
        facts = self._catalogue.items[name]
        # The blocks that drop an item. One that is crafted drops from where somebody put it.
        put = (name, f"wall_{name}", f"potted_{name}")
        found = [block for block in self._dropping.get(name, ()) if block not in put]
        is_made = self._making.get(name) or self._raws.get(name)
        if not found and not is_made and name in self.blocks:
            found = [name]
        found.sort(key=lambda block: drops_of(self.blocks[block])[:1] != (name,))
        sources = tuple(Source(block=one, tool=least_tool(self.blocks[one])) for one in found)
        heights = (height_of(source.block, self.version) for source in sources)
        # What a furnace makes it of, without ores that drop it anyway.
        dug = {source.block for source in sources}
        cooked_from = tuple(raw for raw in self._raws.get(name, ()) if raw not in dug)
        return ItemEntry(
            name=name,
            japanese=_other(name, name_in("ja", name)),
            stack_size=facts.stack_size,
            food=facts.food,
            fuel=round(facts.fuel, 2),
            recipes=tuple(map(Recipe.of, self._ways(name))),
            cooked_from=cooked_from,
            cooks_to=facts.cooks_to if facts.cooks_to in self.items else None,
            used_for=self._using.get(name, ()),
            dug_from=sources,
            left_by=self._leaving.get(name, ()),
            otherwise=otherwise(name),
            heights=next(filter(None, heights), None),
        )

    def block(self, name: str) -> BlockEntry:
        facts = self.blocks[name]
        tools = (tool for tool, speed in facts.speeds.items() if speed >= _FASTER)
        names = {tool.rpartition("_")[2] for tool in tools}
        return BlockEntry(
            name=name,
            japanese=_other(name, name_in("ja", name)),
            hardness=facts.hardness,
            tool=least_tool(facts),
            faster_with=tuple(kind for kind in reversed(_PLAIN_TOOLS) if kind in names),
            drops=drops_of(facts),
            heights=height_of(name, self.version),
        )

    def mob(self, name: str) -> MobEntry:
        facts = self._catalogue.mobs[name]
        neutral = name in NEUTRAL
        return MobEntry(
            name=name,
            japanese=_other(name, mob_in("ja", name)),
            temper="neutral" if neutral else "hostile" if facts.hostile else "peaceful",
            half_hearts=int(_MOBS[name][0]) if name in _MOBS else None,
            drops=tuple(self._left(name)),
        )

    def _left(self, mob: str) -> Iterator[Spoil]:
        """What a mob leaves, of the items that the version has."""
        items = self._catalogue.items
        if mob not in _MOBS:
            for item in self._catalogue.mobs[mob].drops:
                yield Spoil(mob=mob, item=item, least=0, most=1)
            return
        for word in _MOBS[mob][1:]:
            name, _, count = word.partition(":")
            least, _, most = count.partition("-")
            item = name if name in items else _OLDER_ITEMS.get(name, name)
            if item in items:
                yield Spoil(mob=mob, item=item, least=int(least), most=int(most or least))

    def _ways(self, item: str) -> list[FoldedRecipe]:
        """The recipes that make an item, without those that unpack what is made of it; those that
        change another of its kind count only where there are no others."""
        ways = [one for one in self._making.get(item, ()) if not self._unpacks(one)]
        return [one for one in ways if not _recolours(one)] or ways

    def _unpacks(self, recipe: FoldedRecipe) -> bool:
        """Whether a recipe takes a block or nuggets to pieces that are made of its product."""
        of = {name for pool, _ in recipe.choices for name in pool}
        made = self._using.get(recipe.makes, ())
        return all(name.endswith(_PACKED) and name in made for name in of)

    @cached_property
    def _dropping(self) -> dict[str, list[str]]:
        dropping: dict[str, list[str]] = {}
        for block in self.blocks.values():
            for item in drops_of(block):
                dropping.setdefault(item, []).append(block.name)
        return dropping

    @cached_property
    def _making(self) -> dict[str, list[FoldedRecipe]]:
        made: dict[str, list[FoldedRecipe]] = {}
        for recipe in self._recipes:
            made.setdefault(recipe.makes, []).append(recipe)
        return made

    @cached_property
    def _using(self) -> dict[str, tuple[str, ...]]:
        used: dict[str, dict[str, None]] = {}
        for recipe in self._recipes:
            for name in {name for pool, _ in recipe.choices for name in pool}:
                used.setdefault(name, {})[recipe.makes] = None
        return {name: tuple(made) for name, made in used.items()}

    @cached_property
    def _recipes(self) -> list[FoldedRecipe]:
        """All recipes but those that mend two of a tool, or copy a map."""
        known = (one for one in self._book.recipes if one.makes.name in self.items)
        whole = (one for one in known if one.ingredients <= self.items)
        return folded(one for one in whole if one.makes.name not in one.ingredients)

    @cached_property
    def _raws(self) -> dict[str, tuple[str, ...]]:
        raws: dict[str, list[str]] = {}
        for name, facts in self._catalogue.items.items():
            if facts.cooks_to is not None and facts.cooks_to in self.items:
                raws.setdefault(facts.cooks_to, []).append(name)
        for names in raws.values():  # the plainest first
            names.sort(key=lambda raw: (raw.endswith("_ore"), len(raw)))
        return {made: tuple(names) for made, names in raws.items()}

    @cached_property
    def _leaving(self) -> dict[str, tuple[Spoil, ...]]:
        left: dict[str, list[Spoil]] = {}
        for mob in sorted(self.mobs):
            for spoil in self._left(mob):
                left.setdefault(spoil.item, []).append(spoil)
        for spoils in left.values():  # the most first
            spoils.sort(key=lambda one: (-one.most - one.least, one.mob))
        return {item: tuple(spoils) for item, spoils in left.items()}


def handbook_of(catalogue: Catalogue, book: RecipeBook) -> Handbook:
    """The handbook of a version; the same one for equal facts."""
    known = _latest.get(catalogue.version)
    if known is not None and known[:2] == (catalogue, book):
        return known[2]
    handbook = Handbook(catalogue, book)
    _latest[catalogue.version] = (catalogue, book, handbook)
    return handbook


async def handbook_for(bot: Bot) -> Handbook:
    """What is known of the version that the bot plays."""
    return handbook_of(await bot.catalogue(), await bot.recipes())


def drops_of(block: BlockFacts) -> tuple[str, ...]:
    """What a block drops; the data of 1.13 does not say what ores do."""
    missing = block.drops in ((), (block.name,)) and block.name in _ORES_DROP
    return (_ORES_DROP[block.name],) if missing else block.drops


def least_tool(block: BlockFacts) -> str | None:
    """The simplest tool with which a block drops something; None: the hand will do."""
    if not block.needs:
        return None
    return min(block.needs, key=_rank)


def _rank(tool: str) -> tuple[int, str]:
    material, _, _kind = tool.rpartition("_")
    return (_BEST_LAST.index(material) if material in _BEST_LAST else 0), tool


def _recolours(recipe: FoldedRecipe) -> bool:
    """Whether it takes another of the kind that it makes: a bed for a bed of another colour."""
    kind = recipe.makes.rpartition("_")[2]
    return any(name.rpartition("_")[2] == kind for pool, _ in recipe.choices for name in pool)


def _other(name: str, japanese: str) -> str | None:
    return None if japanese == name.replace("_", " ") else japanese
