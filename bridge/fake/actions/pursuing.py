"""Walking after somebody who moves."""

from __future__ import annotations

from bridge.actions import Approach, Follow
from bridge.fake.actions.moving import STRIDE, require_let_be, walk
from bridge.fake.actions.scene import ActionFailed, Done, Scene
from bridge.fake.body import Body
from bridge.fake.paths import find_path
from bridge.world import PlayerName

LOOK_AGAIN_S = 0.5
LOST_S = 10.0  # out of view for longer = gone


async def approach(scene: Scene, action: Approach) -> Done:
    """Fails: unseen_player, no_path, unconfirmed."""
    start, target = scene.body.position, _in_view(scene, action.player)
    while (distance := scene.body.position.distance_to(target.position)) > action.within:
        if not await _stride_towards(scene, target, action.within):
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
        if near or not await _stride_towards(scene, target, action.within):
            await scene.sleep(LOOK_AGAIN_S)


async def _stride_towards(scene: Scene, target: Body, within: float) -> bool:
    """A few steps; whether there is a way."""
    path = find_path(scene.terrain, scene.body.position, target.position, within)
    if path:
        await walk(scene, path[:STRIDE])
    return path is not None


def _in_view(scene: Scene, player: PlayerName) -> Body:
    """The player, who is in view now. Fails: unseen_player."""
    target = _seen(scene, player)
    if target is None:
        raise _unseen(player)
    return target


async def _sighted(scene: Scene, player: PlayerName) -> Body:
    """The player, who may be out of view for a short while. Fails: unseen_player."""
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
