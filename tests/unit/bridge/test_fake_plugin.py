"""The pytest plugin, used as in a user's own test."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = ("pytester",)

USERS_TEST = """
import pytest
from bridge import ServerAddress

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.anyio
async def test_alice_whispers_to_steve(fake_bridge, fake_world, virtual_clock):
    await fake_bridge.spawn("Alice", ServerAddress("localhost", 25565))
    steve = fake_world.person("Steve")
    await fake_bridge.whisper("Alice", "Steve", "good morning")
    assert (await steve.hears()).text == "good morning"
    assert fake_bridge.world is fake_world
    assert fake_world.clock is virtual_clock

@pytest.mark.anyio
async def test_each_test_has_a_world_of_its_own(fake_bridge, fake_world):
    assert fake_world.bodies == {}
    assert fake_bridge.sent == []
"""


def test_a_users_test_gets_the_fixtures(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(USERS_TEST)
    pytester.runpytest("-p", "no:randomly").assert_outcomes(passed=2)


def test_the_fixtures_are_listed_with_their_meaning(pytester: pytest.Pytester) -> None:
    listed = pytester.runpytest("-p", "no:randomly", "--fixtures")
    listed.stdout.fnmatch_lines(["fake_bridge*", "*A bridge into `fake_world`.*"])


def test_the_plugin_starts_no_node_and_loads_no_model() -> None:
    heavy = ("javascript", "anthropic", "sqlite3", "starlette")
    code = f"import bridge.testing, sys; sys.exit(any(m in sys.modules for m in {heavy!r}))"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
