"""Walking, turning the head, waiting."""

from __future__ import annotations

import math

from bridge.actions import LookAt, MoveTo, Wait
from bridge.fake.actions.scene import ActionFailed, Done, Scene
from bridge.fake.actions.tunnelling import break_through, digging
from bridge.fake.paths import find_path, walking
from bridge.world import Position

WALKING_SPEED = 4.317  # blocks a second; source: minecraft.wiki/w/Walking
STRIDE = 4  # path steps between two changes of position
LOOK_S = 0.05


async def move_to(scene: Scene, action: MoveTo) -> Done:
    """Fails: no_path when no walkable way leads within `within`, unconfirmed."""
    start = scene.body.position
    step = digging(start, action.position, action.spared) if action.may_dig else walking
    path = find_path(scene.terrain, start, action.position, action.within, step)
    if path is None:
        raise ActionFailed("no_path", "no way leads there")
    if action.may_dig:
        await _dig_along(scene, path)
    else:
        await walk(scene, path)
    require_let_be(scene, start)
    here = scene.body.position
    return {"position": [here.x, here.y, here.z]}


def require_let_be(scene: Scene, start: Position) -> None:
    """Whom the server holds is back where it started. Fails: unconfirmed."""
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


async def _dig_along(scene: Scene, path: tuple[Position, ...]) -> None:
    for there in path:
        await break_through(scene, scene.body.position, there)
        await walk(scene, (there,))


async def walk(scene: Scene, path: tuple[Position, ...]) -> None:
    """Go along a path, picking up what lies on it."""
    steps = len(path)
    for start in range(0, steps, STRIDE):
        stride = path[start : start + STRIDE]
        await scene.sleep(_length(scene.body.position, stride) / WALKING_SPEED)
        for step in stride:
            scene.world.move(scene.body, step)
        scene.progress(min(start + STRIDE, steps), steps)


def _length(start: Position, stride: tuple[Position, ...]) -> float:
    ways = zip((start, *stride), stride, strict=False)
    return math.fsum(before.distance_to(after) for before, after in ways)
