"""What is done with items: crafting, smelting, chests, wearing, eating and tilling."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

from bridge.actions import (
    CloseContainer,
    Craft,
    Deposit,
    Eat,
    Equip,
    Fill,
    OpenContainer,
    Pour,
    Smelt,
    TakeOff,
    Till,
    Withdraw,
)
from bridge.fake.actions.scene import ActionFailed, Done, Scene, amount
from bridge.fake.body import FULL, Inventory
from bridge.fake.rules import Recipe, worn_on
from bridge.fake.terrain import AIR

CRAFT_S = 0.3
SMELT_S = 10.0  # one item; source: minecraft.wiki/w/Smelting

OPEN_S = 0.2
CLICK_S = 0.1
CONTAINERS = ("chest", "trapped_chest", "barrel")

HANDS = ("hand", "off-hand")  # they take anything
EQUIP_S = 0.05
FILL_S = 0.3
TILL_S = 0.3
LIQUIDS = ("water", "lava")
EARTH = ("grass_block", "dirt")
EAT_S = 1.6  # source: minecraft.wiki/w/Food
SATURATES = 1.2  # of a point of food, as of bread; of raw meat half, of roast a third more


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
        for need, count in recipe.needs.items():
            for item in _usable(scene, need, action):
                count -= scene.body.inventory.take(item, count)
        _keep(scene, recipe.makes, recipe.count)
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
    """The recipe to follow: by hand if possible, else at the table."""
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
    """What is missing; a category is named by its first item."""
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


def _keep(scene: Scene, item: str, count: int) -> None:
    left = scene.body.inventory.add(item, count)
    scene.terrain.drop(item, left, scene.body.position)


async def open_container(scene: Scene, action: OpenContainer) -> Done:
    """Fails: too_far, wrong_block (no container there)."""
    scene.require_block(action.position, CONTAINERS)
    await scene.sleep(OPEN_S)
    scene.body.window = action.position.block
    kept = scene.terrain.chest(action.position)
    return {"items": kept.counts(), "free_slots": kept.free_slots}


async def deposit(scene: Scene, action: Deposit) -> Done:
    """Fails: window_closed, missing_item, inventory_full (not all found room)."""
    chest = _open_chest(scene)
    return await _carry(scene, scene.body.inventory, chest, action.item, action.count)


async def withdraw(scene: Scene, action: Withdraw) -> Done:
    """Fails: window_closed, missing_item (not in the chest), inventory_full (not all found
    room)."""
    chest = _open_chest(scene)
    return await _carry(scene, chest, scene.body.inventory, action.item, action.count)


async def close_container(scene: Scene, action: CloseContainer) -> Done:
    """Fails: window_closed."""
    _open_chest(scene)
    await scene.sleep(CLICK_S)
    scene.body.window = None
    return {}


def _open_chest(scene: Scene) -> Inventory:
    where = scene.body.window
    if where is None or scene.terrain.block(where) not in CONTAINERS:
        raise ActionFailed("window_closed", "no container is open")
    return scene.terrain.chest(where)


async def _carry(scene: Scene, giver: Inventory, taker: Inventory, item: str, count: int) -> Done:
    wanted = amount(count, giver.count(item), item)
    await scene.sleep(CLICK_S)
    moved = giver.take(item, min(wanted, taker.space_for(item)))
    taker.add(item, moved)
    if moved < wanted:
        text = f"{moved} of {wanted} {item} found room"
        raise ActionFailed("inventory_full", text, {"moved": moved})
    return {"moved": moved}


async def equip(scene: Scene, action: Equip) -> Done:
    """Fails: missing_item, wrong_slot."""
    belongs = worn_on(action.item) or "hand"
    place = action.place or belongs
    if place not in (*HANDS, belongs):
        raise ActionFailed("wrong_slot", f"{action.item} belongs to: {belongs}")
    scene.require_item(action.item)
    await scene.sleep(EQUIP_S)
    scene.body.equip(action.item, place)
    return {"place": place}


async def take_off(scene: Scene, action: TakeOff) -> Done:
    """Fails: missing_item (neither worn nor in hand), inventory_full."""
    body = scene.body
    worn = next((part for part, item in body.worn.items() if item == action.item), None)
    if worn is None and (body.held is None or body.held.name != action.item):
        raise ActionFailed("missing_item", f"no {action.item} is worn or held")
    if not body.inventory.free_slots:
        raise ActionFailed("inventory_full", f"no room for {action.item}")
    await scene.sleep(EQUIP_S)
    body.take_off(worn)
    return {"place": worn or "hand"}


async def eat(scene: Scene, action: Eat) -> Done:
    """Fails: missing_item, not_edible, not_hungry."""
    scene.require_item(action.item)
    points = scene.rules.foods.get(action.item)
    if points is None:
        raise ActionFailed("not_edible", f"{action.item} is no food")
    if scene.body.food >= FULL:
        raise ActionFailed("not_hungry", "the food bar is full")
    scene.body.equip(action.item)
    await scene.sleep(EAT_S)
    scene.body.inventory.take(action.item)
    scene.world.set_health(scene.body.name, scene.body.health, scene.body.food + points)
    condition = scene.body.condition
    condition.saturation = min(scene.body.food, condition.saturation + points * SATURATES)
    return {"food": scene.body.food}


async def fill(scene: Scene, action: Fill) -> Done:
    """Fails: missing_item, too_far, wrong_block. Water stays, as a pond would."""
    scene.require_item(action.item)
    scene.require_block(action.position, LIQUIDS)
    liquid = scene.terrain.block(action.position)
    await scene.sleep(FILL_S)
    scene.body.equip(action.item)
    scene.body.inventory.take(action.item)
    scene.body.inventory.add(f"{liquid}_bucket", 1)
    if liquid == "lava":
        scene.terrain.set_block(action.position, AIR)
    return {"block": liquid}


async def pour(scene: Scene, action: Pour) -> Done:
    """Fails: missing_item, too_far. Water flows nowhere."""
    scene.require_item(action.item)
    scene.require_reach(action.position)
    await scene.sleep(FILL_S)
    scene.body.equip(action.item)
    scene.body.inventory.take(action.item)
    scene.body.inventory.add("bucket", 1)
    scene.terrain.set_block(action.position, action.item.removesuffix("_bucket"))
    return {}


async def till(scene: Scene, action: Till) -> Done:
    """Fails: missing_item, too_far, wrong_block."""
    scene.require_item(action.item)
    scene.require_block(action.position, EARTH)
    await scene.sleep(TILL_S)
    scene.body.equip(action.item)
    scene.terrain.set_block(action.position, "farmland")
    return {"block": "farmland"}
