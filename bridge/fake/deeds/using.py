"""Taking in hand, wearing, eating."""

from __future__ import annotations

from bridge.actions import Eat, Equip
from bridge.fake.body import FULL
from bridge.fake.deeds.scene import DeedFailed, Done, Scene
from bridge.fake.rules import worn_on

HANDS = ("hand", "off-hand")  # they take anything
EQUIP_S = 0.05
EAT_S = 1.6  # source: minecraft.wiki/w/Food


async def equip(scene: Scene, deed: Equip) -> Done:
    """Fails: missing_item, wrong_slot."""
    belongs = worn_on(deed.item) or "hand"
    place = deed.place or belongs
    if place not in (*HANDS, belongs):
        raise DeedFailed("wrong_slot", f"{deed.item} belongs to: {belongs}")
    scene.require_item(deed.item)
    await scene.sleep(EQUIP_S)
    scene.body.equip(deed.item, place)
    return {"place": place}


async def eat(scene: Scene, deed: Eat) -> Done:
    """Fails: missing_item, not_edible, not_hungry."""
    scene.require_item(deed.item)
    points = scene.rules.foods.get(deed.item)
    if points is None:
        raise DeedFailed("not_edible", f"{deed.item} is no food")
    if scene.body.food >= FULL:
        raise DeedFailed("not_hungry", "the food bar is full")
    scene.body.equip(deed.item)
    await scene.sleep(EAT_S)
    scene.body.inventory.take(deed.item)
    scene.world.set_health(scene.body.name, scene.body.health, scene.body.food + points)
    return {"food": scene.body.food}
