"""`!info` of things: what is known of an item, block or mob, its recipes, and the search for names.

search · related · recipesFor · recipesUsing · item · block · mob
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import AliasChoices, Field, field_validator

from bots.access.origin import Person
from bots.access.sources import Sources, joined
from bots.bot.knowing import TYPES, Found, KnowledgeType, Wanted, tag
from bots.bot.result import Counted, Facts, Result
from bots.catalogue.counted import listed, mob_name, thing
from bots.catalogue.entries import BlockEntry, ItemEntry, Kind, MobEntry
from bots.catalogue.handbook import handbook_for
from bots.catalogue.in_words import told
from bots.catalogue.names import (
    KINDS,
    Named,
    Names,
    Related,
    item_name,
    item_names,
    related,
    search,
)
from bots.knowledge.wording import found_as_json, row_of
from bots.knowledge.wording import listed as as_listed
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands
from bots.text.language import Language, language_of
from bots.text.search_words import speaks_of, words_of
from bots.text.spelling import plain
from bridge.catalogue import CraftingRecipe
from bridge.world import ItemStack

USUAL, MOST = 12, 100
MOST_EXCLUDED = 500
Station: TypeAlias = Literal["hand", "crafting_table"]
MOST_MADE = 10_000
MOST_INGREDIENTS = 16
MOST_SHOWN = 3
WHISPERED = 2  # entries of what was told
MOST_KNOWN = 8
MOST_EXCLUDED_ENTRIES = 200


class NewNamesArgs(Args):
    """Names are asked for."""

    json_only: ClassVar = frozenset({"limit", "exclude_ids"})

    limit: int = Field(USUAL, ge=1, le=MOST, strict=True)
    """How many at most."""
    exclude_ids: tuple[str, ...] = Field((), max_length=MOST_EXCLUDED)
    """Names to leave out: those that are known already."""


class SearchArgs(NewNamesArgs):
    words: str = Field(max_length=100)
    """Parts of a name, in English or Japanese."""


class SearchResult(Result):
    type: Literal["search"] = "search"
    found: tuple[Named, ...]
    language: Language = Field(exclude=True)

    def as_shown(self) -> dict[str, Any]:
        return {"found": [one.name for one in self.found]}

    def lines(self) -> list[str]:
        names = [
            (mob_name if one.kind == "mob" else thing)(one.name, self.language)
            for one in self.found
        ]
        if not names:
            return ["見つかりません。" if self.language == "ja" else "I find nothing like that."]
        return [listed(names, self.language)]


@commands.command("info search", SearchArgs, allow_bots=True, example="!info search redstone")
async def search_items(context: CommandContext, args: SearchArgs) -> SearchResult:
    """Find items, blocks and mobs by a part of their names."""
    handbook = await handbook_for(context.bot)
    found = search(handbook, Names(handbook), args.words, args.limit, frozenset(args.exclude_ids))
    return SearchResult(found=found, language=language_of([args.words]))


class RelatedArgs(NewNamesArgs):
    name: str = Field(max_length=100)
    """An item, a block or a mob."""


class RelatedResult(Result):
    type: Literal["related"] = "related"
    name: str
    related: tuple[Related, ...]

    def as_shown(self) -> dict[str, Any]:
        return {"name": self.name, **self._by_way()}

    def lines(self) -> list[str]:
        ways = (f"{way}: {', '.join(names)}" for way, names in self._by_way().items())
        return [f"{thing(self.name, 'en')}: {'; '.join(ways) or 'nothing'}"]

    def _by_way(self) -> dict[str, list[str]]:
        ways: dict[str, list[str]] = {}
        for one in self.related:
            ways.setdefault(one.how, []).append(one.name)
        return ways


@commands.command("info related", RelatedArgs, allow_bots=True, example="!info related piston")
async def find_related(context: CommandContext, args: RelatedArgs) -> RelatedResult:
    """Tell what something is made of and makes, where it comes from, and what is like it."""
    handbook = await handbook_for(context.bot)
    meant = Names(handbook).found(args.name, *KINDS)
    entry = handbook.entry(meant.kind, meant.name)
    found = related(handbook, entry, args.limit, frozenset(args.exclude_ids))
    return RelatedResult(name=meant.name, related=found)


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


class RecipeInfo(Facts):
    """One recipe."""

    station: Station
    shaped: bool
    outputs: tuple[Counted, ...]
    """What it makes, then what stays in the grid."""
    inputs: tuple[Counted, ...]
    shape: tuple[tuple[str | None, ...], ...] | None
    """Rows from the top; null = in any order."""

    @classmethod
    def of(cls, recipe: CraftingRecipe) -> RecipeInfo:
        def counted(stack: ItemStack) -> Counted:
            return Counted(name=stack.name, count=stack.count)

        return cls(
            station="crafting_table" if recipe.at_table else "hand",
            shaped=recipe.shape is not None,
            outputs=tuple(map(counted, (recipe.makes, *recipe.returns))),
            inputs=tuple(map(counted, recipe.inputs)),
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
        more = len(self.data.recipes) - MOST_SHOWN
        told = [f"{recipe}." for recipe in self.data.recipes[:MOST_SHOWN]]
        return [*told, f"And {more} more ways."] if more > 0 else told


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
        RecipeForItem(
            **dict(RecipeInfo.of(recipe)), crafts=math.ceil(args.count / recipe.makes.count)
        )
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


class EntryArgs(Args):
    json_only: ClassVar = frozenset({"knowledge", "types", "exclude_ids"})

    name: str = Field(max_length=100)
    """Its name, in English or Japanese."""
    knowledge: bool = True
    """Whether to tell what I was told of it, too."""
    types: tuple[KnowledgeType, ...] = TYPES
    """Of what I was told only these kinds: strategy, counter …"""
    exclude_ids: tuple[int, ...] = Field((), max_length=MOST_EXCLUDED_ENTRIES)
    """Numbers of entries to leave out: those that are known already."""


class EntryResult(Result):
    """An entry of the catalogue, told in the language it was asked for in."""

    between_lines: ClassVar = " "

    type: Kind
    data: ItemEntry | BlockEntry | MobEntry
    language: Language = Field(exclude=True)
    known: tuple[Found, ...] = Field(exclude=True)
    """What the bot was told of it."""
    now: datetime = Field(exclude=True)

    @property
    def sources(self) -> Sources:
        """The sources of all these words."""
        return joined(one.entry.sources for one in self.known)

    def as_json(self) -> dict[str, Any]:
        entries = [found_as_json(one) for one in self.known]
        return {**super().as_json(), "knowledge": entries, "ids": [one["id"] for one in entries]}

    def as_shown(self) -> dict[str, Any]:
        shown = {self.type: self.data.name, "known": told(self.data, "all", "en")}
        rows = [row_of(one, self.now) for one in self.known]
        return {**shown, "told": rows} if rows else shown

    def lines(self) -> list[str]:
        told_of_it = [as_listed(one, self.now) for one in self.known[:WHISPERED]]
        return [told(self.data, "all", self.language), *told_of_it]


@commands.command("info item", EntryArgs, allow_bots=True, example="!info item piston")
async def item(context: CommandContext, args: EntryArgs) -> EntryResult:
    """Tell how an item is made or found, and what it is good for."""
    return await _looked_up(context, args, "item")


@commands.command("info block", EntryArgs, allow_bots=True, example="!info block obsidian")
async def block(context: CommandContext, args: EntryArgs) -> EntryResult:
    """Tell which tool a block takes, and what it drops."""
    return await _looked_up(context, args, "block")


@commands.command("info mob", EntryArgs, allow_bots=True, example="!info mob creeper")
async def mob(context: CommandContext, args: EntryArgs) -> EntryResult:
    """Tell whether an animal or a monster is dangerous, and what it drops."""
    return await _looked_up(context, args, "mob")


async def _looked_up(context: CommandContext, args: EntryArgs, kind: Kind) -> EntryResult:
    handbook = await handbook_for(context.bot)
    name = Names(handbook).found(args.name, kind).name
    known = await _known(context, args, name) if args.knowledge else ()
    await context.bot.knowledge.mark_used(one.entry.id for one in known)
    return EntryResult(
        type=kind,
        data=handbook.entry(kind, name),
        language=language_of([args.name]),
        known=known,
        now=context.bot.times.clock(),
    )


async def _known(context: CommandContext, args: EntryArgs, name: str) -> tuple[Found, ...]:
    """What players told about a thing; nothing for an asker who has yet to prove the name."""
    origin = context.origin
    if isinstance(origin, Person) and context.bot.permissions.is_unproven(origin.name):
        return ()
    words = thing(name, "en")
    wanted = Wanted(
        f"{words} {args.name}",
        tags=frozenset(tag(kind, name) for kind in KINDS),
        types=args.types,
        limit=MOST_KNOWN,
        damped=True,
        without=frozenset(args.exclude_ids),
        may_know=context.may_know,
    )
    found = await context.bot.knowledge.search(wanted)
    return tuple(one for one in found if _is_of(one, name, (words, args.name)))


def _is_of(found: Found, name: str, called: Iterable[str]) -> bool:
    """Whether an entry is tagged with a thing, or names it; a word in common is not enough."""
    if any(one.name == name for one in found.entry.tags):
        return True
    text = f"{found.entry.topic} {found.entry.insight}"
    return any(speaks_of(text, words_of(words)) for words in called)
