"""A bot that looks around."""

from support.rig import rig_with_alice

from bridge.world import Position

rig = rig_with_alice(Position(100.5, 64, 200.5))
