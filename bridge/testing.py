"""A pytest plugin: bots in a simulated world for tests of your own.

Installed with the program, it provides `virtual_clock`, `fake_world` and `fake_bridge`:

    @pytest.mark.anyio
    async def test_alice_answers_steve(fake_bridge, fake_world):
        await fake_bridge.spawn("Alice", ServerAddress("localhost", 25565))
        steve = fake_world.person("Steve")
        await fake_bridge.whisper("Alice", "Steve", "good morning")
        assert (await steve.hears()).text == "good morning"

The three share one world and one clock; each test gets its own, closed afterwards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bridge.fake import FakeBridge, FakeWorld, VirtualClock


@pytest.fixture
def virtual_clock() -> VirtualClock:
    """Time that jumps to the next sleeper when the event loop has nothing else to do."""
    from bridge.fake import VirtualClock

    return VirtualClock()


@pytest.fixture
def fake_world(virtual_clock: VirtualClock) -> FakeWorld:
    """A flat world with nobody in it."""
    from bridge.fake import FakeWorld

    return FakeWorld(virtual_clock)


@pytest.fixture
async def fake_bridge(fake_world: FakeWorld, anyio_backend: object) -> AsyncIterator[FakeBridge]:
    """A bridge into `fake_world`."""
    from bridge.fake import FakeBridge

    bridge = FakeBridge(fake_world)
    yield bridge
    await bridge.aclose()
