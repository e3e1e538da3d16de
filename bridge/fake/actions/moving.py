"""Walking, tunnelling and going after somebody who moves; turning the head and waiting.

In a tunnel through natural ground one step is a stair, and what is in its way is broken."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import product, takewhile

from bridge.actions import Approach, Follow, Jump, LookAt, MoveTo, Sleep, Wait
from bridge.fake.actions.scene import ActionFailed, Done, Scene, middle
from bridge.fake.body import Body
from bridge.fake.terrain import (
    AIR,
    PASSABLE,
    SIDES,
    Cell,
    Steps,
    Terrain,
    cell_of,
    walking,
)
from bridge.world import PlayerName, Position, Zone, is_day, is_spared

SHORT = 3  # blocks; see host/acting/walking.cjs
AROUND = 3

_NATURAL = re.compile(r"stone|grass_block|dirt|sand|gravel|\w+_ore|\w+_leaves")
_GROWN = re.compile(r"\w+_(ore|leaves)")
_TOUCHING = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_AXES = (((1, 0, 0), 2), ((0, 0, 1), 2), ((0, 1, 0), 1))  # and the thickest that is a wall

WALKING_SPEED = 4.317  # blocks a second; source: minecraft.wiki/w/Walking
STRIDE = 4  # path steps between two changes of position
LOOK_S = 0.05
JUMP_S = 0.6  # up and down
NAP_S = 5.0  # when all have slept so long, it is morning

LOOK_AGAIN_S = 0.5
LOST_S = 10.0  # out of view for longer = gone


def digging(start: Position, goal: Position, spared: tuple[Zone, ...] = ()) -> Steps:
    """The steps of one walk through natural ground; each cell is judged once, as it stood. A
    short way does not lead far around, and nothing is broken where it is spared."""
    distance = start.distance_to(goal)
    farthest = distance + AROUND if distance <= SHORT else math.inf
    known: dict[Cell, bool] = {}

    def is_way(terrain: Terrain, cell: Cell) -> bool:
        if cell not in known:
            is_left_alone = is_spared(spared, Position(*cell)) and not terrain.is_free(cell)
            is_near = Position(*cell).distance_to(start) <= farthest
            known[cell] = is_near and not is_left_alone and _is_way(terrain, cell)
        return known[cell]

    def steps(terrain: Terrain, here: Cell) -> Iterator[Cell]:
        """Standing places one step away, with ground broken on the way but kept below."""
        x, y, z = here
        for (dx, dz), dy in product(SIDES, (0, 1, -1)):
            there = (x + dx, y + dy, z + dz)
            has_ground = not terrain.is_free((x + dx, y + dy - 1, z + dz))
            if has_ground and all(is_way(terrain, cell) for cell in cells_of_step(here, there)):
                yield there

    return steps


def cells_of_step(here: Cell, there: Cell) -> list[Cell]:
    """The cells a body passes through."""
    top = max(here[1], there[1]) + 1
    beside = [(there[0], y, there[2]) for y in range(there[1], top + 1)]
    return beside + [(here[0], y, here[2]) for y in range(here[1] + 2, top + 1)]


async def break_through(scene: Scene, there: Position) -> None:
    """Break what is in the way of a step, with the best tool carried."""
    for cell in cells_of_step(cell_of(scene.body.position), cell_of(there)):
        if scene.terrain.is_free(cell):
            continue
        name, at = scene.terrain.name(cell), Position(*cell)
        carried = (None, *(stack.name for stack in scene.body.inventory.stacks))
        tool = min(carried, key=lambda item: scene.rules.dig_seconds(name, item))
        await scene.sleep(scene.rules.dig_seconds(name, tool))
        scene.terrain.set_block(at, AIR)
        scene.tire("block")
        for item, count in scene.rules.drops(name, tool).items():
            scene.terrain.drop(item, count, middle(at))


def _is_way(terrain: Terrain, cell: Cell) -> bool:
    name = terrain.name(cell)
    if name in PASSABLE:
        return True
    if _NATURAL.fullmatch(name) is None:
        return False
    x, y, z = cell
    if any(terrain.name((x + dx, y + dy, z + dz)) == "lava" for dx, dy, dz in _TOUCHING):
        return False
    # Whether there is room on both sides of the block, so that somebody may have built it.
    return _GROWN.fullmatch(name) is not None or not any(
        1 + _solid(terrain, cell, axis, 1) + _solid(terrain, cell, axis, -1) <= thickest
        for axis, thickest in _AXES
    )


def _solid(terrain: Terrain, cell: Cell, axis: Cell, way: int) -> int:
    """How many blocks stand in a row beside a cell; two are as good as more."""
    (x, y, z), (dx, dy, dz) = cell, axis
    beside = ((x + n * dx, y + n * dy, z + n * dz) for n in (way, 2 * way))
    return sum(1 for _ in takewhile(lambda at: not terrain.is_free(at), beside))


async def move_to(scene: Scene, action: MoveTo) -> Done:
    """Fails: no_path when no walkable way leads within `within`, unconfirmed."""
    start = scene.body.position
    step = digging(start, action.position, action.spared) if action.may_dig else walking
    path = scene.path(action.position, action.within, step)
    if path is None:
        raise ActionFailed("no_path", "no way leads there")
    if action.may_dig:
        for there in path:
            await break_through(scene, there)
            await walk(scene, (there,))
    else:
        await walk(scene, path)
    require_let_be(scene, start)
    here = scene.body.position
    return {"position": [here.x, here.y, here.z]}


def require_let_be(scene: Scene, start: Position) -> None:
    """Put a body that the server holds back where it started. Fails: unconfirmed."""
    if scene.body.name not in scene.world.held:
        return
    scene.world.move(scene.body, start)
    x, y, z = start.x, start.y, start.z
    text = f"the server put me back to {math.floor(x)} {math.floor(y)} {math.floor(z)}"
    raise ActionFailed("unconfirmed", text, {"position": [x, y, z]})


async def look_at(scene: Scene, action: LookAt) -> Done:
    """Never fails."""
    await scene.sleep(LOOK_S)
    scene.body.look_at(action.position)
    return {}


async def wait(scene: Scene, action: Wait) -> Done:
    """Never fails."""
    await scene.sleep(action.seconds)
    scene.world.lay()
    return {}


async def jump(scene: Scene, action: Jump) -> Done:
    """Never fails."""
    for done in range(1, action.times + 1):
        await scene.sleep(JUMP_S)
        scene.tire("jump")
        scene.progress(done, action.times)
    return {"times": action.times}


async def sleep(scene: Scene, action: Sleep) -> Done:
    """Fails: too_far, wrong_block, blocked (day, occupied). When all sleep it is morning soon."""
    scene.require_reach(action.position)
    world, bed = scene.world, scene.terrain.block(action.position)
    if not bed.endswith("bed"):
        raise ActionFailed("wrong_block", f"there is {bed}, not a bed")
    if is_day(world.time_of_day):
        raise ActionFailed("blocked", "the bed cannot be slept in by day", {"why": "day"})
    if any(other.bed == action.position for other in world.bodies.values()):
        raise ActionFailed("blocked", "the bed is occupied", {"why": "occupied"})
    scene.body.bed = action.position
    try:
        while not is_day(world.time_of_day):
            await scene.sleep(NAP_S)
            if all(body.bed for body in world.bodies.values()):
                world.set_time_of_day(0)
    finally:
        scene.body.bed = None
    return {"bed": bed}


async def walk(scene: Scene, path: tuple[Position, ...]) -> None:
    """Go along a path, picking up what lies on it."""
    steps = len(path)
    for start in range(0, steps, STRIDE):
        stride = path[start : start + STRIDE]
        ways = zip((scene.body.position, *stride), stride, strict=False)
        length = math.fsum(before.distance_to(after) for before, after in ways)
        await scene.sleep(length / WALKING_SPEED)
        for step in stride:
            was = scene.body.position
            scene.world.move(scene.body, step)
            is_wet = scene.terrain.block(step) == "water"
            level = math.hypot(step.x - was.x, step.z - was.z)
            scene.tire("metreSwum" if is_wet else "metreRun", level)  # bots run where they can
            scene.tire("runningJump", 1 if step.y > was.y and not is_wet else 0)
        scene.progress(min(start + STRIDE, steps), steps)


async def approach(scene: Scene, action: Approach) -> Done:
    """Fails: unseen_player, no_path, unconfirmed."""
    start, target = scene.body.position, _in_view(scene, action.player)
    while (distance := scene.body.position.distance_to(target.position)) > action.within:
        if not await _stride_towards(scene, target, action):
            raise ActionFailed("no_path", f"no way leads to {action.player}")
        target = await _sighted(scene, action.player)
    require_let_be(scene, start)
    scene.body.look_at(target.eyes)
    return {"distance": distance}


async def follow(scene: Scene, action: Follow) -> Done:
    """Fails: unseen_player."""
    _in_view(scene, action.player)
    while True:
        target = await _sighted(scene, action.player)
        scene.body.look_at(target.eyes)
        near = scene.body.position.distance_to(target.position) <= action.within
        if near or not await _stride_towards(scene, target, action):
            await scene.sleep(LOOK_AGAIN_S)


async def _stride_towards(scene: Scene, target: Body, how: Approach | Follow) -> bool:
    """Walk a few steps towards a point; whether there is a way."""
    path = scene.path(target.position, how.within)
    if path:
        await walk(scene, path[:STRIDE])
    return path is not None


def _in_view(scene: Scene, player: PlayerName) -> Body:
    """The player, if in view now. Fails: unseen_player."""
    target = _seen(scene, player)
    if target is None:
        raise _unseen(player)
    return target


async def _sighted(scene: Scene, player: PlayerName) -> Body:
    """The player, even if out of view for a short while. Fails: unseen_player."""
    waited_s = 0.0
    while (target := _seen(scene, player)) is None:
        if player not in scene.world.bodies or waited_s >= LOST_S:
            raise _unseen(player)
        await scene.sleep(LOOK_AGAIN_S)
        waited_s += LOOK_AGAIN_S
    return target


def _seen(scene: Scene, player: PlayerName) -> Body | None:
    body = scene.world.bodies.get(player)
    in_view = body is not None and body is not scene.body and scene.world.sees(scene.body, body)
    return body if in_view else None


def _unseen(player: PlayerName) -> ActionFailed:
    return ActionFailed("unseen_player", f"{player} is not in view")
