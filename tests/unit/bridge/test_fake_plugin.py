"""The pytest plugin, used as in a user's own test."""

import subprocess
import sys

import pytest

pytest_plugins = ("pytester",)

USERS_TEST = """
import pytest
from townsfolk import ServerAddress

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


OTHERS_BRIDGE = """
import bridge
from bridge.cards import DECK

def test_the_projects_own_packages_are_used():
    assert DECK == 52
    assert bridge.__file__.startswith({folder!r})
"""


def test_a_project_with_a_bridge_of_its_own_is_left_alone(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # ours is named below
    own = pytester.mkpydir("bridge")
    (own / "cards.py").write_text("DECK = 52\n")
    pytester.makepyfile(OTHERS_BRIDGE.format(folder=str(pytester.path)))
    pytester.runpytest_subprocess("-p", "townsfolk.testing").assert_outcomes(passed=1)


ASYNCIO_ALONE = """
import asyncio
import pytest
from townsfolk import ServerAddress

def test_alice_joins(fake_bridge, fake_world):
    asyncio.run(fake_bridge.spawn("Alice", ServerAddress("localhost", 25565)))
    assert list(fake_world.bodies) == ["Alice"]
"""


def test_the_fixtures_need_no_plugin_for_asyncio(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(ASYNCIO_ALONE)
    done = pytester.runpytest("-p", "no:randomly", "-p", "no:anyio", "-W", "error")
    done.assert_outcomes(passed=1)


def test_the_plugin_loads_nothing_of_ours() -> None:
    code = "import townsfolk.testing as _, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    ours = ("bots", "bridge", "llm")
    assert [name for name in done.stdout.split() if name.partition(".")[0] in ours] == []
