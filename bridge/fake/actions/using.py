"""Taking in hand, wearing, eating, filling buckets."""

from __future__ import annotations

from bridge.actions import Eat, Equip, Fill, TakeOff, Till
from bridge.fake.actions.scene import ActionFailed, Done, Scene
from bridge.fake.body import FULL
from bridge.fake.rules import worn_on
from bridge.fake.terrain import AIR

HANDS = ("hand", "off-hand")  # they take anything
EQUIP_S = 0.05
FILL_S = 0.3
TILL_S = 0.3
LIQUIDS = ("water", "lava")
EARTH = ("grass_block", "dirt")
EAT_S = 1.6  # source: minecraft.wiki/w/Food


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


async def till(scene: Scene, action: Till) -> Done:
    """Fails: missing_item, too_far, wrong_block."""
    scene.require_item(action.item)
    scene.require_block(action.position, EARTH)
    await scene.sleep(TILL_S)
    scene.body.equip(action.item)
    scene.terrain.set_block(action.position, "farmland")
    return {"block": "farmland"}
