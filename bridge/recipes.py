"""What can be crafted in the connected version of Minecraft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from bridge.actions import Query
from bridge.world import ItemStack

Shape: TypeAlias = tuple[tuple[str | None, ...], ...]
"""Rows of a crafting grid from the top; None = an empty cell."""


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
        shape=shape and tuple(tuple(_named(names, cell) for cell in line) for line in shape),
    )


def _stack(names: list[str], stack: list[int]) -> ItemStack:
    number, count = stack
    return ItemStack(names[number], count)


def _named(names: list[str], cell: int | None) -> str | None:
    return None if cell is None else names[cell]
