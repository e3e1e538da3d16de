"""What a job can see before it takes over: that it lacks something, or is too far away.

The bridge refuses such actions as well, but only once the job before has ended for them. A job that
is in charge already has nothing to lose, so it leaves the check to the bridge.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import CommandError
from bots.skills.reach import REACH, is_in_reach
from bridge.catalogue import CraftingRecipe
from bridge.world import ItemStack, Position

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
    carried = Counter[str]()
    for stack in world.items:
        carried[stack.name] += stack.count
    if most_makeable(recipes, carried) >= count:
        return
    missing = min(
        (lacking(one, carried, count) for one in recipes), key=lambda lacks: sum(lacks.values())
    )
    named = ", ".join(f"{lack} {name}" for name, lack in missing.items())
    facts = {"itemName": item, "count": count, "made": 0, "missing": dict(missing)}
    raise CommandError("missing_item", f"For {count} {item} there lack {named}.", **facts)


def most_makeable(recipes: Iterable[CraftingRecipe], carried: Mapping[str, int]) -> int:
    """At most so many can be made of what is carried; planks of several woods mix."""
    alike: defaultdict[tuple[int, ...], list[CraftingRecipe]] = defaultdict(list)
    for recipe in recipes:
        alike[(recipe.makes.count, *(stack.count for stack in recipe.inputs))].append(recipe)
    return sum(made * _times(variants, carried) for (made, *_), variants in alike.items())


def lacking(recipe: CraftingRecipe, carried: Mapping[str, int], count: int) -> Lacking:
    """What there is too little of for so many, by one recipe."""
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
