"""Sessions of all bots: found by name, unique, reconnected when Node is back."""

from __future__ import annotations

import pytest
import structlog
from support.rig import Rig, until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice")
    await rig.bot("Bob")
    return rig


def online(rig: Rig) -> list[str]:
    return [bot.name for bot in rig.roster.bots_online]


async def test_a_session_is_found_by_its_exact_name(rig: Rig) -> None:
    assert rig.roster.find("Alice").bot is rig.bots["Alice"]
    with pytest.raises(KeyError):
        rig.roster.find("alice")


async def test_no_two_bots_have_names_that_differ_only_in_case(rig: Rig) -> None:
    with pytest.raises(ValueError, match="alice lives here already"):
        await rig.bot("alice")
    assert rig.shared.fellows == {"Alice", "Bob"}


async def test_only_bots_in_the_world_are_online(rig: Rig) -> None:
    assert online(rig) == ["Alice", "Bob"]
    rig.bridge.faults.refuse_spawn("Bob", "kicked", "not now", times=99)
    rig.bridge.drop_connection("Bob")
    await until(lambda: online(rig) == ["Alice"])


async def test_the_loss_and_return_of_node_are_traced_and_end_the_waiting(rig: Rig) -> None:
    with structlog.testing.capture_logs() as logged:
        rig.bridge.kill_node("out of memory", back_after_s=None)
        await until(lambda: online(rig) == [])
        rig.bridge.restore_node(2.5)
        await until(lambda: online(rig) == ["Alice", "Bob"])
    (lost,), (restored,) = rig.trace.recent("bridge.lost"), rig.trace.recent("bridge.restored")
    assert (dict(lost.facts), dict(restored.facts)) == ({"why": "out of memory"}, {"after_s": 2.5})
    joined = [entry["bot"] for entry in logged if entry["event"] == "bot.joined"]
    assert sorted(joined) == ["Alice", "Bob"]
