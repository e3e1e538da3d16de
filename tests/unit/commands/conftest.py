"""A bot on flat ground."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.acting import GROUND
from support.rig import Rig

from bridge.world import Position


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await Rig.found(tmp_path)
    await rig.bot("Alice", Position(8.5, GROUND, 8.5))
    yield rig
    await rig.aclose()
