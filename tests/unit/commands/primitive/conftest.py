"""A bot on flat ground."""

from support.acting import GROUND
from support.rig import rig_with_alice

from bridge.world import Position

rig = rig_with_alice(Position(8.5, GROUND, 8.5))
