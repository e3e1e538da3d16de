"""Files of a home, its owner's and a copy; two daemons' webs; one bus."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.local_bus import LocalBus
from support.two_webs import TwoWebs, two_webs

from bots.clock import utc_now
from bots.http import carrier


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own.sqlite"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy.sqlite"


@pytest.fixture
async def webs(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TwoWebs]:
    """Who answers does so at once; the time is for a busy machine."""
    monkeypatch.setattr(carrier, "ALL_WITHIN_S", 30.0)
    async with two_webs() as webs:
        yield webs


@pytest.fixture
async def bus() -> AsyncIterator[LocalBus]:
    made = LocalBus(utc_now, time.monotonic, 60.0)
    yield made
    await made.aclose()
