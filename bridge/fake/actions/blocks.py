"""Breaking and placing blocks, gathering and throwing what lies about."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

from bridge.actions import CollectDrops, Dig, Pillar, Place, Toss
from bridge.fake.actions.moving import walk
from bridge.fake.actions.scene import ActionFailed, Done, Scene, amount, middle
from bridge.fake.rules import UNBREAKABLE
from bridge.fake.terrain import AIR, PASSABLE, Drop
from bridge.fake.world import PICKUP_REACH
from bridge.vanilla import needs_of
from bridge.world import PlayerName, Position, is_spared

PLACE_S = 0.3
SOWN = {"wheat_seeds": "wheat", "beetroot_seeds": "beetroots"}  # and ripe at once
JUMP_S = 0.6
TOSS_S = 0.1
THROWN_S = 2.0  # until somebody can pick up what was thrown; minecraft.wiki/w/Item_(entity)
DEEPEST_FALL = 16  # blocks; who stands on nothing at all stays
HANDED_ON_S = 8


async def dig(scene: Scene, action: Dig) -> Done:
    """Fails: not_found (air), too_far, blocked (unbreakable), no_tool."""
    name = scene.terrain.block(action.position)
    if name == AIR:
        raise ActionFailed("not_found", "there is only air")
    scene.require_reach(action.position)
    if scene.rules.block(name).hardness == UNBREAKABLE:
        raise ActionFailed("blocked", f"{name} cannot be broken")
    tool = scene.body.held.name if scene.body.held else None
    drops = scene.rules.drops(name, tool)
    if not drops and scene.rules.block(name).tier is not None and not action.in_vain:
        raise ActionFailed("no_tool", f"{name} drops nothing to {tool or 'a bare hand'}")
    scene.body.look_at(middle(action.position))
    await scene.sleep(scene.rules.dig_seconds(name, tool))
    _require_unprotected(scene, action.position)
    _break(scene, action.position, {**drops})
    scene.tire("block")
    # Whoever dug the ground away under the feet falls, unhurt.
    feet = floor = scene.body.position
    below = replace(floor, y=floor.y - 1)
    while feet.y - floor.y < DEEPEST_FALL and scene.terrain.is_passable(below):
        floor, below = below, replace(below, y=below.y - 1)
    if floor != feet and feet.y - floor.y < DEEPEST_FALL:
        scene.world.move(scene.body, floor)
    return {"block": name}


async def place(scene: Scene, action: Place) -> Done:
    """Fails: missing_item, too_far, blocked (occupied, or nothing to place against)."""
    scene.require_item(action.item)
    scene.require_reach(action.position)
    where = action.position.block
    if scene.terrain.block(where) not in (AIR, "water", "lava") or _is_occupied(scene, where):
        raise ActionFailed("blocked", "something is there already")

    def look(dx: int, dy: int, dz: int) -> str:
        return scene.terrain.block(Position(where.x + dx, where.y + dy, where.z + dz))

    needs = needs_of(action.item)
    if needs and not needs.stays(look, lambda name: name not in PASSABLE):
        raise ActionFailed("blocked", f"{action.item} needs {needs.in_words()}")
    if all(scene.terrain.is_passable(side) for side in _sides(where)):
        raise ActionFailed("blocked", "there is nothing to place it against")
    await scene.sleep(PLACE_S)
    _require_unprotected(scene, where)
    scene.body.equip(action.item)
    scene.body.inventory.take(action.item)
    block = SOWN.get(action.item, action.item)
    scene.world.place(scene.body, block, where)
    return {"block": block}


async def pillar(scene: Scene, action: Pillar) -> Done:
    """Fails: missing_item, blocked (no room overhead)."""
    for done in range(action.height):
        scene.require_item(action.item)
        feet = scene.body.position
        if not scene.terrain.is_passable(Position(feet.x, feet.y + 2, feet.z)):
            raise ActionFailed("blocked", "there is no room above")
        await scene.sleep(JUMP_S)
        scene.body.equip(action.item)
        scene.body.inventory.take(action.item)
        scene.terrain.set_block(feet.block, action.item)
        scene.world.move(scene.body, Position(feet.x, feet.y + 1, feet.z))
        scene.progress(done + 1, action.height)
    here = scene.body.position
    return {"position": [here.x, here.y, here.z]}


async def collect_drops(scene: Scene, action: CollectDrops) -> Done:
    """Fails: not_found (nothing lies there, or nothing within a walk), not_recognised,
    inventory_full."""
    lying = scene.world.drops_for(scene.body, action.radius)
    around = [drop for drop in lying if not is_spared(action.spared, drop.position)]
    known = scene.world.tells_items
    drops = [drop for drop in around if action.item in (None, drop.item) or not known]
    if not drops:
        what = f"no {action.item}" if action.item else "nothing"
        raise ActionFailed("not_found", f"{what} lies within {action.radius:g} blocks")
    before = Counter(scene.body.inventory.counts())
    for index, drop in enumerate(drops):
        await _walk_over(scene, drop)
        scene.progress(index + 1, len(drops))
    collected = dict(Counter(scene.body.inventory.counts()) - before)
    if any(drop.count and not scene.body.inventory.space_for(drop.item) for drop in drops):
        text = "what lies there does not fit"
        raise ActionFailed("inventory_full", text, {"collected": collected})
    if not collected and not known:
        raise ActionFailed("not_recognised", "something lies there that I cannot recognise")
    if not collected:
        raise ActionFailed("not_found", "nothing there can be reached")
    return {"collected": collected}


async def toss(scene: Scene, action: Toss) -> Done:
    """Fails: missing_item."""
    wanted = amount(action.count, scene.body.inventory.count(action.item), action.item)
    await scene.sleep(TOSS_S)
    tossed = scene.body.inventory.take(action.item, wanted)
    scene.world.throw(scene.body, action.item, tossed)
    if not action.watch_s:
        return {"tossed": tossed}
    taken = await _taken(scene, action, tossed)
    if not scene.world.tells_items:
        return {"tossed": tossed, "taken": {}, "unsure": [*taken]}
    return {"tossed": tossed, "taken": taken, "unsure": []}


async def _taken(scene: Scene, action: Toss, tossed: int) -> dict[str, int]:
    """Who picked it up: whoever stands where it fell, once it can be picked up."""
    taken: dict[str, int] = {}
    await scene.sleep(min(action.watch_s, THROWN_S))
    for body in scene.world.bodies.values():
        if action.watch_s >= THROWN_S and (got := scene.world.pick_up(body).get(action.item)):
            taken[body.name] = got
    if sum(taken.values()) < tossed:
        await scene.sleep(max(0.0, action.watch_s - THROWN_S))
    elif action.to is not None and taken.get(action.to, 0) < tossed:
        await _handed_on(scene, action.to, action.item, taken)
    return taken


async def _handed_on(scene: Scene, to: str, item: str, taken: dict[str, int]) -> None:
    """Wait whether those who got it give it to whom it was for."""
    taker = scene.world.bodies.get(PlayerName(to))
    had = taker.inventory.count(item) if taker else 0
    for _ in range(HANDED_ON_S):
        await scene.sleep(1.0)
        if taker is not None and (got := taker.inventory.count(item) - had) > 0:
            taken[to] = taken.get(to, 0) + got
            return


def _break(scene: Scene, position: Position, drops: dict[str, int]) -> None:
    for item, count in scene.terrain.contents(position).items():
        drops[item] = drops.get(item, 0) + count
    scene.world.place(scene.body, AIR, position)
    for item, count in drops.items():
        scene.terrain.drop(item, count, middle(position))
    scene.world.pick_up(scene.body)


async def _walk_over(scene: Scene, drop: Drop) -> None:
    if not drop.count or not scene.body.inventory.space_for(drop.item):
        return
    path = scene.path(drop.position, PICKUP_REACH)
    if path is None:
        return
    await walk(scene, path)
    scene.world.pick_up(scene.body)


def _require_unprotected(scene: Scene, position: Position) -> None:
    said = scene.world.protected.get(position.block)
    if said is not None:
        message = f"the server lets nothing be changed there: “{said}”"
        raise ActionFailed("blocked", message, {"said": said})


def _is_occupied(scene: Scene, where: Position) -> bool:
    bodies = scene.world.bodies.values()
    return where in itertools.chain.from_iterable(body.cells for body in bodies)


def _sides(block: Position) -> tuple[Position, ...]:
    x, y, z = block.x, block.y, block.z
    return (
        Position(x, y - 1, z),
        Position(x, y + 1, z),
        Position(x - 1, y, z),
        Position(x + 1, y, z),
        Position(x, y, z - 1),
        Position(x, y, z + 1),
    )
