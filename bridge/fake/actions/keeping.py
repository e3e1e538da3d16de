"""Chests: opening, putting in, taking out, closing."""

from __future__ import annotations

from bridge.actions import CloseContainer, Deposit, OpenContainer, Withdraw
from bridge.fake.actions.scene import ActionFailed, Done, Scene, amount
from bridge.fake.inventory import Inventory

OPEN_S = 0.2
CLICK_S = 0.1
CONTAINERS = ("chest", "trapped_chest", "barrel")


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
