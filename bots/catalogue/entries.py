"""Entries of the catalogue: what is known of one item, block or mob.

minecraft-data lists a chest once per wood, each of one wood only; vanilla lets woods mix. `folded`
makes one recipe of such variants: cells that hold the same item in every variant form one choice.
If the variants are all combinations of the choices, each choice is a pool. The data of 1.21 lists
shaped recipes differently: as many variants as the longest choice has items, with the shorter
choices filled in while they last; these are pools too. Variants of any other pattern stay separate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from re import Pattern
from typing import Literal, TypeAlias

from bots.bot.result import Facts, Number
from bridge.catalogue import CraftingRecipe

Pool: TypeAlias = tuple[str, ...]
"""Items any of which will do."""
_Cells: TypeAlias = tuple[str, ...]
"""Items in the filled cells of a grid, in order."""
_Kind: TypeAlias = tuple[str, int, bool, tuple[tuple[int, int], ...] | int]
"""Item made, count, whether at a table, and the positions (or number) of the filled cells."""
Otherwise: TypeAlias = Literal[
    "shearing", "milking", "laying", "filling", "fishing", "growing", "honey", "chests", "end"
]
_WAYS: Sequence[tuple[Pattern[str], Otherwise]] = (
    (re.compile(r"\w+_wool|wool"), "shearing"),
    (re.compile("milk_bucket"), "milking"),
    (re.compile("egg"), "laying"),
    (re.compile("(?:water|lava)_bucket"), "filling"),
    (re.compile("cod|salmon|fish|pufferfish|tropical_fish|nautilus_shell"), "fishing"),
    (re.compile("wheat|carrot|potato|beetroot|nether_wart"), "growing"),
    (re.compile("honeycomb|honey_bottle"), "honey"),
    (re.compile("saddle|name_tag|enchanted_golden_apple|music_disc_.+|heart_of_the_sea"), "chests"),
    (re.compile("elytra|dragon_head"), "end"),
)
Kind: TypeAlias = Literal["item", "block", "mob"]


@dataclass(frozen=True, slots=True)
class FoldedRecipe:
    """A recipe whose inputs are choices between items."""

    makes: str
    count: int
    at_table: bool
    choices: tuple[tuple[Pool, int], ...]
    """Each choice: the items of which any will do, and how many are used."""


def folded(recipes: Iterable[CraftingRecipe]) -> list[FoldedRecipe]:
    """Fold recipes; the order is that of the first variants."""
    kinds: dict[_Kind, dict[_Cells, None]] = {}
    for recipe in recipes:
        kind, cells = _kind(recipe)
        kinds.setdefault(kind, {})[cells] = None
    return [one for kind, variants in kinds.items() for one in _fold(kind, list(variants))]


def _kind(recipe: CraftingRecipe) -> tuple[_Kind, _Cells]:
    makes, at_table = recipe.makes, recipe.at_table
    if recipe.shape is None:
        loose = tuple(one.name for one in recipe.inputs for _ in range(one.count))
        return (makes.name, makes.count, at_table, len(loose)), loose
    filled = [
        ((x, y), cell)
        for y, line in enumerate(recipe.shape)
        for x, cell in enumerate(line)
        if cell is not None
    ]
    places = tuple(place for place, _ in filled)
    return (makes.name, makes.count, at_table, places), tuple(cell for _, cell in filled)


def _fold(kind: _Kind, variants: list[_Cells]) -> list[FoldedRecipe]:
    choices = _choices(variants)
    sizes = [len(pool) for pool, _ in choices]
    is_shaped = isinstance(kind[3], tuple)
    if len(variants) == prod(sizes) or (is_shaped and len(variants) == max(sizes)):
        return [_recipe(kind, choices)]
    return [_recipe(kind, _choices([variant])) for variant in variants]


def _choices(variants: Sequence[_Cells]) -> list[tuple[Pool, int]]:
    """Group the cells that agree in every variant into one choice."""
    columns: dict[_Cells, int] = {}
    for column in zip(*variants, strict=True):
        columns[column] = columns.get(column, 0) + 1
    return [(tuple(sorted(set(column))), count) for column, count in columns.items()]


def _recipe(kind: _Kind, choices: list[tuple[Pool, int]]) -> FoldedRecipe:
    makes, count, at_table, _ = kind
    return FoldedRecipe(makes, count, at_table, tuple(choices))


def otherwise(item: str) -> Otherwise | None:
    """The way beside the common ones that somebody should know of."""
    return next((way for names, way in _WAYS if names.fullmatch(item)), None)


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


def pairs(table: str) -> dict[str, str]:
    """A table such as `diamond 11|gold 29` as a mapping."""
    split = (pair.partition(" ") for pair in table.replace("\n", "|").split("|"))
    return {left: right for left, _, right in split if right}
