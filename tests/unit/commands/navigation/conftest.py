"""A bot that walks."""

from support.rig import rig_with_alice

from bridge.world import Position

rig = rig_with_alice(Position(0.5, 64, 0.5))
