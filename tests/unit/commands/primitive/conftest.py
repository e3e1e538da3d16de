"""A bot on flat ground."""

import pytest
from support.acting import GROUND
from support.rig import Rig

from bridge.world import Position


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice", Position(8.5, GROUND, 8.5))
    return rig
