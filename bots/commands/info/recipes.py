"""`!info recipesFor` and `!info recipesUsing`: what can be crafted from what."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from pydantic import AliasChoices, Field, field_validator

from bots.bot.result import Facts, Result
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands
from bots.skills.item_words import item_name, item_names
from bots.text.spelling import plain
from bridge.recipes import CraftingRecipe
from bridge.world import ItemStack

Station: TypeAlias = Literal["hand", "crafting_table"]

MOST_MADE = 10_000
MOST_INGREDIENTS = 16
SHOWN = 3


class RecipesForArgs(Args):
    item: str = Field(
        max_length=100,
        validation_alias=AliasChoices("item", "name"),
        serialization_alias="item",
    )
    """The item to make."""
    count: int = Field(1, ge=1, le=MOST_MADE)
    """How many to make."""


class RecipesUsingArgs(Args):
    ingredients: tuple[str, ...] = Field(min_length=1, max_length=MOST_INGREDIENTS)
    """Items, with commas between them."""
    mode: Literal["and", "or"] = "and"
    """Whether a recipe takes all of them (and) or any (or)."""

    @field_validator("ingredients", mode="before")
    @classmethod
    def _listed(cls, ingredients: object) -> object:
        return tuple(ingredients.split(",")) if isinstance(ingredients, str) else ingredients


class Stack(Facts):
    name: str
    count: int

    @classmethod
    def of(cls, stack: ItemStack) -> Stack:
        return cls(name=stack.name, count=stack.count)

    def __str__(self) -> str:
        return f"{self.count} {self.name}"


class RecipeInfo(Facts):
    """One recipe."""

    station: Station
    shaped: bool
    outputs: tuple[Stack, ...]
    """What it makes, then what stays in the grid."""
    inputs: tuple[Stack, ...]
    shape: tuple[tuple[str | None, ...], ...] | None
    """Rows from the top; null = in any order."""

    @classmethod
    def of(cls, recipe: CraftingRecipe) -> RecipeInfo:
        return cls(
            station="crafting_table" if recipe.at_table else "hand",
            shaped=recipe.shape is not None,
            outputs=tuple(map(Stack.of, (recipe.makes, *recipe.returns))),
            inputs=tuple(map(Stack.of, recipe.inputs)),
            shape=recipe.shape,
        )

    def __str__(self) -> str:
        needs = " + ".join(map(str, self.inputs))
        at = " at a crafting table" if self.station == "crafting_table" else ""
        return f"{self.outputs[0]} from {needs}{at}"


class RecipeForItem(RecipeInfo):
    crafts: int
    """How many times to craft it for the count asked for."""


class RecipesForData(Facts):
    item: str
    count: int
    recipes: tuple[RecipeForItem, ...]


class RecipesForResult(Result):
    type: Literal["recipesFor"] = "recipesFor"
    data: RecipesForData

    def lines(self) -> list[str]:
        if not self.data.recipes:
            return [f"No recipe makes {self.data.item}."]
        return _told(self.data.recipes)


class RecipesUsingData(Facts):
    ingredients: tuple[str, ...]
    mode: Literal["and", "or"]
    results: tuple[RecipeInfo, ...]


class RecipesUsingResult(Result):
    type: Literal["recipesUsing"] = "recipesUsing"
    data: RecipesUsingData

    def lines(self) -> list[str]:
        if not self.data.results:
            word = f" {self.data.mode} ".join(self.data.ingredients)
            return [f"No recipe takes {word}."]
        made = dict.fromkeys(recipe.outputs[0].name for recipe in self.data.results)
        return [f"{len(made)} things: {', '.join(made)}."]


@commands.command(
    "info recipesFor", RecipesForArgs, allow_bots=True, example="!info recipesFor chest"
)
async def recipes_for(context: CommandContext, args: RecipesForArgs) -> RecipesForResult:
    """Tell every way to craft an item."""
    item = item_name(await context.bot.catalogue(), args.item)
    found = (await context.bot.recipes()).making(item)
    rows = tuple(
        RecipeForItem(**dict(RecipeInfo.of(recipe)), crafts=_crafts(recipe, args.count))
        for recipe in found
    )
    return RecipesForResult(data=RecipesForData(item=item, count=args.count, recipes=rows))


@commands.command(
    "info recipesUsing",
    RecipesUsingArgs,
    allow_bots=True,
    example='!info recipesUsing {"ingredients": ["stick", "coal"]}',
)
async def recipes_using(context: CommandContext, args: RecipesUsingArgs) -> RecipesUsingResult:
    """Tell what can be crafted with all (and) or any (or) of some ingredients."""
    catalogue = await context.bot.catalogue()
    wanted = [frozenset(item_names(catalogue, word)) for word in args.ingredients]
    holds = all if args.mode == "and" else any
    found = [
        recipe
        for recipe in (await context.bot.recipes()).recipes
        if holds(recipe.ingredients & names for names in wanted)
    ]
    data = RecipesUsingData(
        ingredients=tuple(map(plain, args.ingredients)),
        mode=args.mode,
        results=tuple(map(RecipeInfo.of, found)),
    )
    return RecipesUsingResult(data=data)


def _crafts(recipe: CraftingRecipe, count: int) -> int:
    return math.ceil(count / recipe.makes.count)


def _told(recipes: tuple[RecipeForItem, ...]) -> list[str]:
    more = len(recipes) - SHOWN
    told = [f"{recipe}." for recipe in recipes[:SHOWN]]
    return [*told, f"And {more} more ways."] if more > 0 else told
