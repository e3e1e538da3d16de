"""A bot that walks."""

from support.rig import alice_at

from bridge.world import Position

alice = alice_at(Position(0.5, 64, 0.5))
