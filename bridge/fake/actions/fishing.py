"""Fishing: a bite comes after vanilla's mean, and fish bite in a fixed order. Rods do not wear."""

from __future__ import annotations

from bridge.actions import Fish
from bridge.fake.actions.scene import ActionFailed, Done, Scene, middle

CAST = 8.0  # blocks from the feet to the middle of the water
BITE_S = 20.0  # source: minecraft.wiki/w/Fishing
BITING = ("cod", "salmon", "cod", "pufferfish")


async def fish(scene: Scene, action: Fish) -> Done:
    """Fails: missing_item, wrong_block, too_far."""
    scene.require_item(action.item)
    found = scene.terrain.block(action.position)
    if found != "water":
        raise ActionFailed("wrong_block", f"there is {found}, not water")
    distance = scene.body.position.distance_to(middle(action.position))
    if distance > CAST:
        raise ActionFailed("too_far", f"{distance:.1f} blocks away, a cast is {CAST:g}")
    scene.body.equip(action.item)
    await scene.sleep(BITE_S)
    caught = BITING[scene.world.caught % len(BITING)]
    scene.world.caught += 1
    scene.body.inventory.add(caught, 1)
    return {"caught": {caught: 1}}
