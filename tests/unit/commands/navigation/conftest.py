"""A bot that walks."""

import pytest
from support.rig import Rig

from bots.bot.bot import Bot
from bridge.world import Position


@pytest.fixture
async def alice(rig: Rig) -> Bot:
    return await rig.bot("Alice", Position(0.5, 64, 0.5))
