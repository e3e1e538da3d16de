"""Entries of the catalogue: what is known of one item, block or mob."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bots.bot.result import Facts, Number
from bots.catalogue.otherwise import Otherwise
from bots.catalogue.variants import FoldedRecipe

Kind: TypeAlias = Literal["item", "block", "mob"]


class Need(Facts):
    any_of: tuple[str, ...]
    """Items any of which will do."""
    count: int


class Recipe(Facts):
    """One way to craft an item."""

    count: int
    """How many one craft makes."""
    at_table: bool
    needs: tuple[Need, ...]

    @classmethod
    def of(cls, folded: FoldedRecipe) -> Recipe:
        needs = tuple(Need(any_of=pool, count=count) for pool, count in folded.choices)
        return cls(count=folded.count, at_table=folded.at_table, needs=needs)


class Spoil(Facts):
    """What one mob leaves of an item."""

    mob: str
    item: str
    least: int
    most: int


class Source(Facts):
    """A block that drops an item."""

    block: str
    tool: str | None
    """The least tool it takes; null = the hand will do."""


class ItemEntry(Facts):
    kind: Literal["item"] = "item"
    name: str
    japanese: str | None
    """Its name in Japanese, where one is known."""
    stack_size: int
    food: int
    """Food points it restores; 0 = not edible."""
    fuel: Number
    """Items that one piece smelts; 0 = does not burn."""
    recipes: tuple[Recipe, ...]
    cooked_from: tuple[str, ...]
    """What a furnace makes it of."""
    cooks_to: str | None
    used_for: tuple[str, ...]
    """What is crafted with it."""
    dug_from: tuple[Source, ...]
    """Blocks that drop it; those that surely do come first."""
    left_by: tuple[Spoil, ...]
    """Mobs that leave it."""
    otherwise: Otherwise | None
    """Another way to get it, where there is one."""
    heights: str | None
    """Where underground there is most of it."""

    @property
    def raws(self) -> tuple[str, ...]:
        """What a furnace makes it of, without ores where what falls out of these does."""
        return (
            tuple(one for one in self.cooked_from if not one.endswith("_ore")) or self.cooked_from
        )


class BlockEntry(Facts):
    kind: Literal["block"] = "block"
    name: str
    japanese: str | None
    hardness: Number | None
    """Null = it cannot be broken."""
    tool: str | None
    """The least tool for anything to drop; null = the hand will do."""
    faster_with: tuple[str, ...]
    """Kinds of tools that dig it faster."""
    drops: tuple[str, ...]
    """What may fall out; nothing of it is sure but for the first."""
    heights: str | None


class MobEntry(Facts):
    kind: Literal["mob"] = "mob"
    name: str
    japanese: str | None
    temper: Literal["hostile", "neutral", "peaceful"]
    half_hearts: int | None
    """How much damage it takes; null where that is not known."""
    drops: tuple[Spoil, ...]


Entry: TypeAlias = ItemEntry | BlockEntry | MobEntry
