"""The handbook of a version: what is known of each item, block and mob, and what leads to what.

handbook = handbook_of(await bot.catalogue(), await bot.recipes())
handbook.item("piston").recipes
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from bots.bot.bot import Bot
from bots.catalogue.depths import height_of
from bots.catalogue.entries import (
    BlockEntry,
    Entry,
    ItemEntry,
    Kind,
    MobEntry,
    Recipe,
    Source,
    Spoil,
)
from bots.catalogue.japanese import MOBS, japanese_name
from bots.catalogue.mobs import NEUTRAL, half_hearts_of, spoils_of
from bots.catalogue.otherwise import otherwise
from bots.catalogue.variants import FoldedRecipe, folded
from bridge.catalogue import BlockFacts, Catalogue
from bridge.recipes import RecipeBook

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
        match kind:
            case "item":
                return self.item(name)
            case "block":
                return self.block(name)
            case "mob":
                return self.mob(name)

    def item(self, name: str) -> ItemEntry:
        facts = self._catalogue.items[name]
        sources = self._sources(name)
        heights = (height_of(source.block, self.version) for source in sources)
        return ItemEntry(
            name=name,
            japanese=_other(name, japanese_name(name)),
            stack_size=facts.stack_size,
            food=facts.food,
            fuel=round(facts.fuel, 2),
            recipes=tuple(map(Recipe.of, self._ways(name))),
            cooked_from=self._cooked_from(name, sources),
            cooks_to=facts.cooks_to if facts.cooks_to in self.items else None,
            used_for=self._using.get(name, ()),
            dug_from=sources,
            left_by=self._leaving.get(name, ()),
            otherwise=otherwise(name),
            heights=next(filter(None, heights), None),
        )

    def block(self, name: str) -> BlockEntry:
        facts = self.blocks[name]
        return BlockEntry(
            name=name,
            japanese=_other(name, japanese_name(name)),
            hardness=facts.hardness,
            tool=least_tool(facts),
            faster_with=_kinds(tool for tool, speed in facts.speeds.items() if speed >= _FASTER),
            drops=drops_of(facts),
            heights=height_of(name, self.version),
        )

    def mob(self, name: str) -> MobEntry:
        facts = self._catalogue.mobs[name]
        neutral = name in NEUTRAL
        return MobEntry(
            name=name,
            japanese=MOBS.get(name),
            temper="neutral" if neutral else "hostile" if facts.hostile else "peaceful",
            half_hearts=half_hearts_of(name),
            drops=self._left(name),
        )

    def _cooked_from(self, item: str, sources: Sequence[Source]) -> tuple[str, ...]:
        """What a furnace makes it of, without ores that drop it anyway."""
        dug = {source.block for source in sources}
        return tuple(raw for raw in self._raws.get(item, ()) if raw not in dug)

    def _left(self, mob: str) -> tuple[Spoil, ...]:
        spoils = spoils_of(self._catalogue.mobs[mob], self._catalogue.items)
        return tuple(Spoil(mob=mob, item=i, least=least, most=most) for i, least, most in spoils)

    def _sources(self, item: str) -> tuple[Source, ...]:
        """The blocks that drop an item. One that is crafted drops from where somebody put it."""
        found = [block for block in self._dropping.get(item, ()) if not _is_put(block, item)]
        is_made = self._making.get(item) or self._raws.get(item)
        if not found and not is_made and item in self.blocks:
            found = [item]
        found.sort(key=lambda block: drops_of(self.blocks[block])[:1] != (item,))
        return tuple(Source(block=one, tool=least_tool(self.blocks[one])) for one in found)

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
        return {made: tuple(sorted(names, key=_plainest_first)) for made, names in raws.items()}

    @cached_property
    def _leaving(self) -> dict[str, tuple[Spoil, ...]]:
        left: dict[str, list[Spoil]] = {}
        for mob in sorted(self.mobs):
            for spoil in self._left(mob):
                left.setdefault(spoil.item, []).append(spoil)
        return {item: tuple(_most_first(spoils)) for item, spoils in left.items()}


_latest: dict[str, tuple[Catalogue, RecipeBook, Handbook]] = {}
"""Of each version: every bot asks for its handbook, and its tables are costly."""


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
    """The least of the tools with which a block drops something; None: the hand will do."""
    if not block.needs:
        return None
    return min(block.needs, key=_rank)


def _rank(tool: str) -> tuple[int, str]:
    material, _, _kind = tool.rpartition("_")
    return (_BEST_LAST.index(material) if material in _BEST_LAST else 0), tool


def _kinds(tools: Iterable[str]) -> tuple[str, ...]:
    names = {tool.rpartition("_")[2] for tool in tools}
    return tuple(kind for kind in reversed(_PLAIN_TOOLS) if kind in names)


def _recolours(recipe: FoldedRecipe) -> bool:
    """Whether it takes another of the kind that it makes: a bed for a bed of another colour."""
    kind = recipe.makes.rpartition("_")[2]
    return any(name.rpartition("_")[2] == kind for pool, _ in recipe.choices for name in pool)


def _plainest_first(raw: str) -> tuple[bool, int]:
    return raw.endswith("_ore"), len(raw)


def _is_put(block: str, item: str) -> bool:
    """Whether a block is the item itself where somebody has put it."""
    return block == item or block in (f"wall_{item}", f"potted_{item}")


def _other(name: str, japanese: str) -> str | None:
    return None if japanese == name else japanese


def _most_first(spoils: list[Spoil]) -> Iterator[Spoil]:
    yield from sorted(spoils, key=lambda one: (-one.most - one.least, one.mob))
