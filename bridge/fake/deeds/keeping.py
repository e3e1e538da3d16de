"""Chests: opening, putting in, taking out, closing."""

from __future__ import annotations

from bridge.actions import CloseContainer, Deposit, OpenContainer, Withdraw
from bridge.fake.deeds.scene import DeedFailed, Done, Scene
from bridge.fake.inventory import Inventory

OPEN_S = 0.2
CLICK_S = 0.1


async def open_container(scene: Scene, deed: OpenContainer) -> Done:
    """Fails: too_far, wrong_block (no chest there)."""
    scene.require_block(deed.position, "chest")
    await scene.sleep(OPEN_S)
    scene.body.window = deed.position.block
    kept = scene.terrain.chest(deed.position)
    return {"items": kept.counts(), "free_slots": kept.free_slots}


async def deposit(scene: Scene, deed: Deposit) -> Done:
    """Fails: window_closed, missing_item, inventory_full (the chest is)."""
    await _carry(scene.body.inventory, _open_chest(scene), deed.item, deed.count, scene)
    return {}


async def withdraw(scene: Scene, deed: Withdraw) -> Done:
    """Fails: window_closed, missing_item (not in the chest), inventory_full (ours is)."""
    await _carry(_open_chest(scene), scene.body.inventory, deed.item, deed.count, scene)
    return {}


async def close_container(scene: Scene, deed: CloseContainer) -> Done:
    """Fails: window_closed."""
    _open_chest(scene)
    await scene.sleep(CLICK_S)
    scene.body.window = None
    return {}


def _open_chest(scene: Scene) -> Inventory:
    where = scene.body.window
    if where is None or scene.terrain.block(where) != "chest":
        raise DeedFailed("window_closed", "no container is open")
    return scene.terrain.chest(where)


async def _carry(giver: Inventory, taker: Inventory, item: str, count: int, scene: Scene) -> None:
    held = giver.count(item)
    wanted = held if count < 0 else count
    if held < max(1, wanted):
        raise DeedFailed("missing_item", f"needs {max(1, wanted)} {item}, there are {held}")
    if taker.space_for(item) < wanted:
        raise DeedFailed("inventory_full", f"no room for {wanted} {item}")
    await scene.sleep(CLICK_S)
    taker.add(item, giver.take(item, wanted))
