"""Turning the head of a body in the simulated world."""

from __future__ import annotations

from bridge.fake.body import EYE_HEIGHT, Body
from bridge.fake.world import FakeWorld
from bridge.gaze import AtPlayer, AtPoint, Gaze, Glance, Towards
from bridge.world import PlayerName, Position


def turn_head(world: FakeWorld, body: Body, gaze: Gaze) -> Glance:
    """Turn at once; a body in this world is never long dead."""
    match gaze:
        case Towards():
            body.yaw, body.pitch = gaze.yaw % 360, gaze.pitch
        case AtPoint():
            body.look_at(gaze.position)
        case AtPlayer():
            face = _face(world, body, gaze.player)
            if face is None:
                return "unseen"
            body.look_at(face)
    return "turned"


def _face(world: FakeWorld, viewer: Body, name: PlayerName) -> Position | None:
    other = world.bodies.get(name)
    if other is None or not world.sees(viewer, other):
        return None
    feet = other.position
    return Position(feet.x, feet.y + EYE_HEIGHT, feet.z)
