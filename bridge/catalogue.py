"""What the connected version of Minecraft knows: its blocks, items, mobs and recipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from bridge.actions import Query
from bridge.world import ItemStack

Shape: TypeAlias = tuple[tuple[str | None, ...], ...]
"""Rows of a crafting grid from the top; None = an empty cell."""


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """One kind of block, without enchantments."""

    name: str
    hardness: float | None
    """None = it cannot be broken."""
    needs: frozenset[str] | None
    """The tools of which one must be held for anything to drop; None = the hand will do."""
    speeds: Mapping[str, float]
    """How many times faster than by hand, for the tools that help."""
    drops: tuple[str, ...]
    """What may fall out; nothing of it is sure but for the first."""


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """One kind of item."""

    name: str
    stack_size: int
    food: int
    """Food points it restores; 0 = not edible."""
    fuel: float
    """Items that one piece smelts; 0 = does not burn."""
    cooks_to: str | None
    """What a furnace makes of it."""


@dataclass(frozen=True, slots=True)
class MobFacts:
    """One kind of animal or monster."""

    name: str
    """That of the newest version."""
    hostile: bool
    drops: tuple[str, ...]
    """Items that it may leave; empty where the version's data has none of any mob."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    version: str
    blocks: Mapping[str, BlockFacts]
    items: Mapping[str, ItemFacts]
    mobs: Mapping[str, MobFacts]

    def dropping(self, item: str) -> tuple[str, ...]:
        """The blocks that drop an item, those that always do first."""
        sources = [block for block in self.blocks.values() if item in block.drops]
        sources.sort(key=lambda block: block.drops.index(item))
        return tuple(block.name for block in sources)


@dataclass(frozen=True, slots=True)
class ReadCatalogue(Query[Catalogue | None]):
    """All of it; None when the server's version is the `known` one."""

    kind: ClassVar = "read_catalogue"
    known: str = ""


def parse_catalogue(wire: Mapping[str, Any] | None) -> Catalogue | None:
    """The answer of host/queries/read_catalogue.cjs; sets of tools and speeds are numbers in
    its lists of them."""
    if wire is None:
        return None
    tools = [frozenset(names) for names in wire["tools"]]
    speeds: list[Mapping[str, float]] = wire["speeds"]
    blocks = {row[0]: _block(row, tools, speeds) for row in wire["blocks"]}
    items = {row[0]: ItemFacts(*row) for row in wire["items"]}
    mobs = {name: MobFacts(name, hostile, tuple(drops)) for name, hostile, drops in wire["mobs"]}
    return Catalogue(wire["version"], blocks, items, mobs)


def _block(
    row: list[Any], tools: list[frozenset[str]], speeds: list[Mapping[str, float]]
) -> BlockFacts:
    name, hardness, needs, fast, drops = row
    return BlockFacts(
        name=name,
        hardness=hardness,
        needs=None if needs is None else tools[needs],
        speeds={} if fast is None else speeds[fast],
        drops=tuple(drops),
    )


@dataclass(frozen=True, slots=True)
class CraftingRecipe:
    """One way to make something; planks of another wood are another recipe."""

    makes: ItemStack
    inputs: tuple[ItemStack, ...]
    returns: tuple[ItemStack, ...]
    """What stays in the grid: empty buckets."""
    at_table: bool
    shape: Shape | None
    """None = in any order."""

    @property
    def ingredients(self) -> frozenset[str]:
        return frozenset(stack.name for stack in self.inputs)


@dataclass(frozen=True, slots=True)
class RecipeBook:
    version: str
    recipes: tuple[CraftingRecipe, ...]

    def making(self, item: str) -> tuple[CraftingRecipe, ...]:
        """Every variant that makes an item."""
        return tuple(recipe for recipe in self.recipes if recipe.makes.name == item)


@dataclass(frozen=True, slots=True)
class ReadRecipes(Query[RecipeBook | None]):
    """All recipes; None when the server's version is the `known` one."""

    kind: ClassVar = "read_recipes"
    known: str = ""


def parse_recipes(wire: Mapping[str, Any] | None) -> RecipeBook | None:
    """The answer of host/queries/read_recipes.cjs; items are numbers in its list of names."""
    if wire is None:
        return None
    names = wire["items"]
    rows = tuple(_recipe(names, row) for row in wire["recipes"])
    return RecipeBook(wire["version"], rows)


def _recipe(names: list[str], row: list[Any]) -> CraftingRecipe:
    makes, inputs, returns, at_table, shape = row
    return CraftingRecipe(
        makes=_stack(names, makes),
        inputs=tuple(_stack(names, stack) for stack in inputs),
        returns=tuple(_stack(names, stack) for stack in returns),
        at_table=at_table,
        shape=shape
        and tuple(tuple(None if cell is None else names[cell] for cell in line) for line in shape),
    )


def _stack(names: list[str], stack: list[int]) -> ItemStack:
    number, count = stack
    return ItemStack(names[number], count)
