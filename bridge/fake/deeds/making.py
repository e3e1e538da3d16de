"""Crafting in the hand or at a table, smelting in a furnace."""

from __future__ import annotations

import math

from bridge.actions import Craft, Smelt
from bridge.fake.deeds.scene import DeedFailed, Done, Scene
from bridge.fake.inventory import Inventory
from bridge.fake.rules import Recipe

CRAFT_S = 0.3
SMELT_S = 10.0  # one item; source: minecraft.wiki/w/Smelting


async def craft(scene: Scene, deed: Craft) -> Done:
    """Fails: unknown_item, wrong_block and too_far (the table), no_recipe (none, or it
    needs a table), missing_item, inventory_full."""
    if not scene.rules.knows(deed.item):
        raise DeedFailed("unknown_item", f"there is no item {deed.item}")
    if deed.table is not None:
        scene.require_block(deed.table, "crafting_table")
    recipe = _recipe(scene, deed)
    rounds = math.ceil(deed.count / recipe.count)
    missing = _missing(scene, recipe, rounds)
    if missing is not None:
        raise DeedFailed("missing_item", missing)
    for done in range(1, rounds + 1):
        await scene.sleep(CRAFT_S)
        _make(scene, recipe)
        scene.progress(done, rounds)
    return {"made": rounds * recipe.count}


async def smelt(scene: Scene, deed: Smelt) -> Done:
    """Fails: too_far, wrong_block, no_recipe, missing_item (what to cook, or fuel)."""
    scene.require_block(deed.furnace, "furnace")
    product = scene.rules.smelting.get(deed.item)
    if product is None or deed.fuel not in scene.rules.fuels:
        what = deed.item if product is None else deed.fuel
        raise DeedFailed("no_recipe", f"a furnace does nothing with {what}")
    pieces = math.ceil(deed.count / scene.rules.fuels[deed.fuel])
    scene.require_item(deed.item, deed.count)
    scene.require_item(deed.fuel, pieces + (deed.count if deed.fuel == deed.item else 0))
    scene.body.inventory.take(deed.fuel, pieces)
    for done in range(1, deed.count + 1):
        await scene.sleep(SMELT_S)
        scene.body.inventory.take(deed.item)
        _keep(scene, product, 1)
        scene.progress(done, deed.count)
    return {"product": product, "made": deed.count}


def _recipe(scene: Scene, deed: Craft) -> Recipe:
    """The first recipe that can be made here, else the first at all."""
    known = scene.rules.recipes_for(deed.item)
    fitting = [recipe for recipe in known if deed.table is not None or not recipe.at_table]
    if not fitting:
        why = "needs a crafting table" if known else "cannot be crafted"
        raise DeedFailed("no_recipe", f"{deed.item} {why}")
    able = (r for r in fitting if not _missing(scene, r, math.ceil(deed.count / r.count)))
    return next(able, fitting[0])


def _missing(scene: Scene, recipe: Recipe, rounds: int) -> str | None:
    for need, count in recipe.needs.items():
        have = sum(scene.body.inventory.count(item) for item in scene.rules.choices(need))
        if have < count * rounds:
            return f"needs {count * rounds} {need.lstrip('#')}, has {have}"
    return None


def _make(scene: Scene, recipe: Recipe) -> None:
    for need, count in recipe.needs.items():
        _take_any(scene.body.inventory, scene.rules.choices(need), count)
    _keep(scene, recipe.makes, recipe.count)


def _take_any(inventory: Inventory, items: tuple[str, ...], count: int) -> None:
    for item in items:
        count -= inventory.take(item, count)


def _keep(scene: Scene, item: str, count: int) -> None:
    left = scene.body.inventory.add(item, count)
    scene.terrain.drop(item, left, scene.body.position)
