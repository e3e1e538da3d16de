"""Crafting in the hand or at a table, smelting in a furnace."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

from bridge.actions import Craft, Smelt
from bridge.fake.actions.scene import ActionFailed, Done, Scene, amount
from bridge.fake.inventory import Inventory
from bridge.fake.rules import Recipe

CRAFT_S = 0.3
SMELT_S = 10.0  # one item; source: minecraft.wiki/w/Smelting


async def craft(scene: Scene, action: Craft) -> Done:
    """Fails: unknown_item, no_recipe (none, or it needs a table), too_far and wrong_block
    (the table), missing_item."""
    if not scene.rules.knows(action.item):
        raise ActionFailed("unknown_item", f"there is no item {action.item}")
    recipe = _recipe(scene, action)
    missing = _missing(scene, recipe, action)
    if missing:
        raise _lacking(action, missing)
    made = 0
    while made < action.count:
        await scene.sleep(CRAFT_S)
        missing = _missing(scene, recipe, replace(action, count=1))
        if missing:
            raise _lacking(action, missing, made)
        _make(scene, recipe, action)
        made += recipe.count
        scene.progress(min(made, action.count), action.count)
    return {"made": made}


async def smelt(scene: Scene, action: Smelt) -> Done:
    """Fails: too_far, wrong_block, missing_item (what to cook, or fuel, also on the way),
    no_recipe."""
    scene.require_block(action.furnace, ("furnace", "blast_furnace", "smoker"))
    held = scene.body.inventory.count(action.item)
    count = min(action.count, held or 1) if action.resumes else action.count
    total = amount(count, held, action.item)
    scene.require_item(action.fuel)
    product = scene.rules.smelting.get(action.item)
    if product is None or not scene.rules.fuels.keys() >= {action.fuel, *action.pieces}:
        raise ActionFailed("no_recipe", f"{action.item} does not cook with {action.fuel}")
    heat, made = 0.0, 0
    pieces = iter(action.pieces) if action.pieces else itertools.repeat(action.fuel)
    while made < total:
        so_far = {"product": product if made else None, "made": made}
        heat = _fuelled(scene, pieces, heat, so_far) - 1
        await scene.sleep(SMELT_S)
        scene.body.inventory.take(action.item)
        _keep(scene, product, 1)
        made += 1
        scene.progress(made, total)
    return {"product": product, "made": made}


def _fuelled(scene: Scene, pieces: Iterator[str], heat: float, done: Done) -> float:
    """Heat for at least one more item, in items; burns a piece when there is less."""
    while heat < 1:
        piece = next(pieces, None)
        if piece is None or not scene.body.inventory.take(piece):
            raise ActionFailed("missing_item", f"the {piece or 'fuel'} is used up", done)
        heat += scene.rules.fuels[piece]
    return heat


def _recipe(scene: Scene, action: Craft) -> Recipe:
    """The recipe to follow: by hand when that is possible, else at the table."""
    known = scene.rules.recipes_for(action.item)
    by_hand = tuple(recipe for recipe in known if not recipe.at_table)
    if not known:
        raise ActionFailed("no_recipe", f"nothing makes {action.item}")
    able = _able(scene, by_hand, action)
    if able is not None or by_hand == known:
        return able or by_hand[0]
    at_best = _able(scene, known, action)
    if action.table is None and at_best is None:
        raise _lacking(action, _missing(scene, known[0], action))
    if action.table is None:
        text = f"{action.item} needs a crafting table"
        raise ActionFailed("no_recipe", text, {"needs_table": True})
    scene.require_block(action.table, ("crafting_table",))
    return at_best or known[0]


def _able(scene: Scene, recipes: tuple[Recipe, ...], action: Craft) -> Recipe | None:
    return next((recipe for recipe in recipes if not _missing(scene, recipe, action)), None)


def _missing(scene: Scene, recipe: Recipe, action: Craft) -> dict[str, int]:
    """What lacks; of a category, its first item stands for it."""
    rounds = math.ceil(action.count / recipe.count)
    lack = {}
    for need, each in recipe.needs.items():
        choices = _usable(scene, need, action)
        have = sum(scene.body.inventory.count(item) for item in choices)
        if have < each * rounds:
            lack[scene.rules.choices(need)[0]] = each * rounds - have
    return lack


def _usable(scene: Scene, need: str, action: Craft) -> tuple[str, ...]:
    """The items that satisfy a need and may be used."""
    return tuple(item for item in scene.rules.choices(need) if not action.of or item in action.of)


def _lacking(action: Craft, missing: dict[str, int], made: int = 0) -> ActionFailed:
    named = ", ".join(f"{count} {name}" for name, count in missing.items())
    text = f"for {action.count} {action.item} there lack {named}"
    return ActionFailed("missing_item", text, {"made": made, "missing": missing})


def _make(scene: Scene, recipe: Recipe, action: Craft) -> None:
    for need, count in recipe.needs.items():
        _take_any(scene.body.inventory, _usable(scene, need, action), count)
    _keep(scene, recipe.makes, recipe.count)


def _take_any(inventory: Inventory, items: tuple[str, ...], count: int) -> None:
    for item in items:
        count -= inventory.take(item, count)


def _keep(scene: Scene, item: str, count: int) -> None:
    left = scene.body.inventory.add(item, count)
    scene.terrain.drop(item, left, scene.body.position)
