"""Folds the listed variants of a recipe back into one whose cells take any item of a tag.

minecraft-data lists a chest once per wood, each of one wood only; vanilla lets woods mix. Cells
that hold the same item in every variant form one choice. If the variants are all combinations of
the choices, each choice is a pool. The data of 1.21 lists shaped recipes differently: as many
variants as the longest choice has items, with the shorter choices filled in while they last; these
are pools too. Variants of any other pattern stay separate recipes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from bridge.recipes import CraftingRecipe

Pool: TypeAlias = tuple[str, ...]
"""Items any of which will do."""
_Cells: TypeAlias = tuple[str, ...]
"""Items in the filled cells of a grid, in order."""
_Kind: TypeAlias = tuple[str, int, bool, tuple[tuple[int, int], ...] | int]
"""Item made, count, whether at a table, and the positions (or number) of the filled cells."""


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
