"""A bot that looks around."""

import pytest
from support.rig import Rig

from bridge.world import Position


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice", Position(100.5, 64, 200.5))
    return rig
