"""Bots over the simulated world. A module that needs some overrides `rig` and adds them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.daemons import Town
from support.rig import OPEN_HOUSE, STRANGERS, Rig

from bots.access.permissions import Permissions
from bots.bot.bot import Bot
from bots.daemon import models
from bots.store.database import FILE_NAME, Store
from bridge import FakeBridge
from bridge.world import Position


@pytest.fixture
def town(fake_bridge: FakeBridge, tmp_path: Path) -> Town:
    return Town(fake_bridge, tmp_path)


@pytest.fixture
def permissions() -> Permissions:
    """Who may do what on `rig`; a module may have its own."""
    return OPEN_HOUSE


@pytest.fixture
async def rig(tmp_path: Path, permissions: Permissions) -> AsyncIterator[Rig]:
    """A world without bots."""
    rig = await Rig.found(tmp_path, permissions)
    yield rig
    await rig.aclose()


@pytest.fixture
def alice(rig: Rig) -> Bot:
    return rig.bots["Alice"]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(tmp_path / FILE_NAME)
    yield store
    await store.aclose()


@pytest.fixture
def patient_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers of models answer at once; the time is for a busy machine."""
    monkeypatch.setattr(models, "LISTED_WITHIN_S", 60.0)
    monkeypatch.setattr(models, "TOLD_WITHIN_S", 60.0)


@pytest.fixture
async def rig_of_strangers(tmp_path: Path) -> AsyncIterator[Rig]:
    """Alice in a world where Olga is the owner, Alex is trusted, and others are players."""
    rig = await Rig.found(tmp_path, STRANGERS)
    await rig.bot("Alice", Position(0.5, 64, 0.5))
    yield rig
    await rig.aclose()
