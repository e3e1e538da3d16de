"""A pytest plugin: bots in a simulated world for tests of your own.

Installed with the program, it provides `virtual_clock`, `fake_world` and `fake_bridge`:

    from townsfolk import FakeBridge, FakeWorld, ServerAddress

    @pytest.mark.anyio
    async def test_alice_answers_steve(fake_bridge: FakeBridge, fake_world: FakeWorld) -> None:
        await fake_bridge.spawn("Alice", ServerAddress("localhost", 25565))
        steve = fake_world.person("Steve")
        await fake_bridge.whisper("Alice", "Steve", "good morning")
        assert (await steve.hears()).text == "good morning"

The three share one world and one clock; each test gets its own. They are plain fixtures, so that
they serve the tests of anyio and of pytest-asyncio alike; what a test leaves running ends with its
event loop.

pytest loads this module in every project of the environment: it imports nothing of ours, so that
it costs nothing there, and does no harm where a project has a `bridge` of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from townsfolk import FakeBridge, FakeWorld, VirtualClock


@pytest.fixture
def virtual_clock() -> VirtualClock:
    """Time that jumps to the next sleeper when the event loop has nothing else to do."""
    from townsfolk import VirtualClock

    return VirtualClock()


@pytest.fixture
def fake_world(virtual_clock: VirtualClock) -> FakeWorld:
    """A flat world with nobody in it."""
    from townsfolk import FakeWorld

    return FakeWorld(virtual_clock)


@pytest.fixture
def fake_bridge(fake_world: FakeWorld) -> FakeBridge:
    """A bridge into `fake_world`."""
    from townsfolk import FakeBridge

    return FakeBridge(fake_world)
