"""What a bot carries: what is dear, what is worn or eaten, and what it lacks for a job.

What is dear holds ores or much work. Nobody burns it, makes something else of it or throws it away,
unless told to; into a chest of its own a bot puts it where nothing else makes room. Its ingredients
are not dear: they are there to be used.

The bridge refuses an action as well for which something is lacking, but only once the job before
has ended for it. A job that is in charge already has nothing to lose and leaves the check to the
bridge."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, TypeAlias

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import CommandError
from bots.skills.reach import REACH, is_in_reach
from bridge.actions import WearPlace
from bridge.catalogue import Catalogue, CraftingRecipe
from bridge.world import ItemStack, Position, WorldSnapshot

KINDS: Mapping[str, Any] = tomllib.loads((files(__package__) / "kinds.toml").read_text("utf-8"))
_DEAR_KINDS = ("to_wield_or_wear", "to_carry_or_ride", "to_live_with", "precious")
_WIELDED_OR_WORN = re.compile("|".join(KINDS["to_wield_or_wear"]))
_DEAR = re.compile("|".join(name for kind in _DEAR_KINDS for name in KINDS[kind]))
_BELONGS: tuple[tuple[str, WearPlace], ...] = (
    (r"\w+_(helmet|skull|head)|carved_pumpkin", "head"),
    (r"\w+_chestplate|elytra", "torso"),
    (r"\w+_leggings", "legs"),
    (r"\w+_boots", "feet"),
    (r"shield", "off-hand"),
)
"""The same as in host/actions/equip.cjs."""
FULL = 20
_HARMFUL = frozenset(
    {"rotten_flesh", "spider_eye", "poisonous_potato", "pufferfish", "chicken", "suspicious_stew"}
)
_TOO_GOOD_TO_EAT = frozenset({"golden_apple", "enchanted_golden_apple", "chorus_fruit"})


def is_dear(item: str) -> bool:
    """Whether an item is kept unless somebody says that it may be used up."""
    return _DEAR.fullmatch(item) is not None


def is_wielded_or_worn(item: str) -> bool:
    """Whether it is a tool, a weapon or armour."""
    return _WIELDED_OR_WORN.fullmatch(item) is not None


def belongs(item: str) -> WearPlace:
    """Where `Equip` puts an item: the part of the body, or the hand."""
    return next((place for pattern, place in _BELONGS if re.fullmatch(pattern, item)), "hand")


def good_foods(catalogue: Catalogue, world: WorldSnapshot) -> list[str]:
    """The foods carried, the least filling first; none that is harmful or precious."""
    carried = {stack.name for stack in world.items} - _HARMFUL - _TOO_GOOD_TO_EAT
    points = {name: catalogue.items[name].food for name in carried if name in catalogue.items}
    return sorted((name for name, food in points.items() if food), key=lambda n: (points[n], n))


def best_food(catalogue: Catalogue, world: WorldSnapshot) -> str:
    """The most filling food that is not wasted, else the least filling.

    Harmful and precious food is never chosen. Raises CommandError missing_item."""
    foods = good_foods(catalogue, world)
    if not foods:
        sentence = "Nothing carried is good to eat; bread, apples or cooked meat would be."
        raise CommandError("missing_item", sentence)
    fitting = [name for name in foods if catalogue.items[name].food <= FULL - world.food]
    return fitting[-1] if fitting else foods[0]


Lacking: TypeAlias = Mapping[str, int]


async def require_carried(job: Job, item: str) -> None:
    """Raises CommandError missing_item."""
    if job.in_charge:
        return
    world = await job.snapshot()
    if not world.count(item) and item not in world.worn:
        raise CommandError("missing_item", f"No {item} is carried.", itemName=item)


async def require_in_reach(job: Job, where: Position) -> None:
    """Raises CommandError too_far."""
    if job.in_charge:
        return
    world = await job.snapshot()
    if not is_in_reach(world, where):
        sentence = f"That is out of reach; I reach {REACH:g} blocks far."
        raise CommandError("too_far", sentence)


async def require_ingredients(job: Job, bot: Bot, item: str, count: int) -> None:
    """Raises CommandError no_recipe, missing_item."""
    if job.in_charge:
        return
    recipes, world = (await bot.recipes()).making(item), await job.snapshot()
    if not recipes:
        raise CommandError("no_recipe", f"Nothing makes {item}.", itemName=item, count=count)
    carried = world.counts()
    # How many can be made of what is carried; planks of several woods mix.
    alike: defaultdict[tuple[int, ...], list[CraftingRecipe]] = defaultdict(list)
    for recipe in recipes:
        alike[(recipe.makes.count, *(stack.count for stack in recipe.inputs))].append(recipe)
    if sum(made * _times(variants, carried) for (made, *_), variants in alike.items()) >= count:
        return
    missing = min(
        (lacking(one, carried, count) for one in recipes), key=lambda lacks: sum(lacks.values())
    )
    named = ", ".join(f"{lack} {name}" for name, lack in missing.items())
    facts = {"itemName": item, "count": count, "made": 0, "missing": dict(missing)}
    raise CommandError("missing_item", f"For {count} {item} there lack {named}.", **facts)


def lacking(recipe: CraftingRecipe, carried: Mapping[str, int], count: int) -> Lacking:
    """What is missing to make this many by one recipe."""
    times = -(-count // recipe.makes.count)
    short = {one.name: one.count * times - carried.get(one.name, 0) for one in recipe.inputs}
    return {name: lack for name, lack in short.items() if lack > 0}


def _times(variants: list[CraftingRecipe], carried: Mapping[str, int]) -> int:
    """How often a recipe can be made at most, of its variants with other woods or colours."""
    columns: list[tuple[ItemStack, ...]] = list(zip(*(one.inputs for one in variants), strict=True))
    return min(
        sum(carried.get(name, 0) for name in {stack.name for stack in column}) // column[0].count
        for column in columns
    )
