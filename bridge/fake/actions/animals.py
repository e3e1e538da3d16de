"""Hunting, attacking, shearing, milking and fishing.

Animals stand still and leave what vanilla's leave on average. A bite comes after vanilla's mean,
fish bite in a fixed order, and rods do not wear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bridge.actions import Approach, Attack, Fish, Hunt, Shoot, UseOn
from bridge.causes import Cause
from bridge.fake.actions.moving import approach, walk
from bridge.fake.actions.scene import ActionFailed, Done, Scene, middle
from bridge.fake.world import VIEW_DISTANCE
from bridge.world import MobSighting, Zone, is_spared

REACH = 2.5  # blocks from feet to feet
STROKE_S = 0.55
USE_S = 0.1
SHOT_S, SHOT = 1.2, 8  # half-hearts of an arrow
SHORN = 2  # wool of one sheep
_HEALTH: Mapping[str, int] = {"cow": 10, "pig": 10, "sheep": 8, "chicken": 4}
_DAMAGE: Mapping[str, int] = {"wooden": 4, "golden": 4, "stone": 5, "iron": 6, "diamond": 7}
_LEFT: Mapping[str, Mapping[str, int]] = {
    "cow": {"beef": 2, "leather": 1},
    "pig": {"porkchop": 2},
    "sheep": {"mutton": 1},
    "chicken": {"chicken": 1, "feather": 1},
}

CAST = 8.0  # blocks from the feet to the middle of the water
BITE_S = 20.0  # source: minecraft.wiki/w/Fishing
BITING = ("cod", "salmon", "cod", "pufferfish")


async def hunt(scene: Scene, action: Hunt) -> Done:
    """Fails: not_found (also when it is gone before it is dead), no_path."""
    mob, strokes, wounds = _in_view(scene, action.mob), 0, scene.world.wounds
    while not strokes or wounds[mob.id] < _HEALTH.get(mob.name, 20):
        await _come_to(scene, mob)
        _require_free(mob, action.spared)
        await scene.sleep(STROKE_S)
        mob = _still_there(scene, mob)
        wounds[mob.id] += _blow(scene)
        scene.tire("blow")
        strokes += 1
    del wounds[mob.id]
    scene.world.banish(mob)
    wool = {f"{mob.coat}_wool": 1} if mob.coat else {}
    for item, count in {**_LEFT.get(mob.name, {}), **wool}.items():
        scene.terrain.drop(item, count, mob.position)
    scene.world.pick_up(scene.body)
    return {"mob": mob.name, "strokes": strokes}


async def shoot(scene: Scene, action: Shoot) -> Done:
    """Fails: missing_item, not_found (also when it is gone before it is dead)."""
    mob, shots, wounds = _in_view(scene, action.mob), 0, scene.world.wounds
    scene.require_item("bow")
    scene.body.equip("bow")
    health = _HEALTH.get(mob.name, 20)
    here = scene.body.position
    while wounds[mob.id] < health and here.distance_to(mob.position) > action.nearest:
        scene.require_item("arrow")
        await scene.sleep(SHOT_S)
        mob = _still_there(scene, mob)
        scene.body.inventory.take("arrow")
        wounds[mob.id] += SHOT
        shots += 1
    if is_dead := wounds[mob.id] >= health:
        del wounds[mob.id]
        scene.world.banish(mob)
    return {"mob": mob.name, "shots": shots, "dead": is_dead}


async def attack(scene: Scene, action: Attack) -> Done:
    """Fails: unseen_player, no_path, unconfirmed."""
    strokes = 0
    while True:
        await approach(scene, Approach(action.player))
        target, strokes = scene.world.body(action.player), strokes + 1
        scene.tire("blow")
        left = target.health - _blow(scene)
        cause = Cause("player", scene.body.name, "told")
        scene.world.set_health(target.name, left, cause=cause)
        if left <= 0:
            return {"strokes": strokes}
        await scene.sleep(STROKE_S)


def _blow(scene: Scene) -> int:
    held = scene.body.held
    material, _, kind = (held.name if held else "").rpartition("_")
    return _DAMAGE.get(material, 1) if kind == "sword" else 1


async def use_on(scene: Scene, action: UseOn) -> Done:
    """Fails: missing_item, not_found, no_path, blocked (what is of use: shears and buckets)."""
    scene.require_item(action.item)
    scene.body.equip(action.item)
    mob = _in_view(scene, action.mob)
    await _come_to(scene, mob)
    _require_free(mob, action.spared)
    await scene.sleep(USE_S)
    if action.item == "bucket" and mob.name == "cow":
        scene.body.inventory.take(action.item)
        scene.body.inventory.add("milk_bucket", 1)
        return {"mob": mob.name}
    if action.item != "shears" or mob.coat is None:
        raise ActionFailed("blocked", f"nothing came of the {action.item}")
    scene.world.mobs[scene.world.mobs.index(mob)] = replace(mob, coat=None)
    scene.terrain.drop(f"{mob.coat}_wool", SHORN, mob.position)
    scene.world.pick_up(scene.body)
    return {"mob": mob.name}


def _in_view(scene: Scene, number: int) -> MobSighting:
    found = next((mob for mob in scene.world.mobs if mob.id == number), None)
    if found is None or scene.body.position.distance_to(found.position) > VIEW_DISTANCE:
        raise ActionFailed("not_found", "it is not in view")
    return found


def _still_there(scene: Scene, mob: MobSighting) -> MobSighting:
    """The same, where it is now."""
    for other in scene.world.mobs:
        if replace(other, position=mob.position) == mob:
            return other
    raise ActionFailed("not_found", f"the {mob.name} got away")


def _require_free(mob: MobSighting, spared: tuple[Zone, ...]) -> None:
    if is_spared(spared, mob.position):
        raise ActionFailed("not_found", f"the {mob.name} got away")


async def _come_to(scene: Scene, mob: MobSighting) -> None:
    path = scene.path(mob.position, REACH)
    if path is None:
        raise ActionFailed("no_path", f"no way leads to the {mob.name}")
    await walk(scene, path)


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
