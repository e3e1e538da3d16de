"""The recipes of the simulated world as a bot reads them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from bridge.fake.body import Body
from bridge.fake.rules import Recipe, Rules
from bridge.fake.world import FakeWorld
from bridge.recipes import CraftingRecipe, ReadRecipes, RecipeBook
from bridge.world import ItemStack


def read_recipes(world: FakeWorld, _body: Body, query: ReadRecipes) -> RecipeBook | None:
    """Every recipe once for each choice of its categories; none has a shape here."""
    if query.known == world.version:
        return None
    variants = (v for recipe in world.rules.recipes for v in _variants(world.rules, recipe))
    return RecipeBook(world.version, tuple(variants))


def _variants(rules: Rules, recipe: Recipe) -> Iterator[CraftingRecipe]:
    for chosen in itertools.product(*(rules.choices(need) for need in recipe.needs)):
        counts = zip(chosen, recipe.needs.values(), strict=True)
        yield CraftingRecipe(
            makes=ItemStack(recipe.makes, recipe.count),
            inputs=tuple(ItemStack(name, count) for name, count in counts),
            returns=(),
            at_table=recipe.at_table,
            shape=None,
        )
