"""Sessions of all bots: found by name, unique, reconnected when Node is back."""

import pytest
import structlog
from support.rig import Rig, until

from bots.daemon.connection import Connection
from bridge.events import BridgeEvent, BridgeLost, BridgeRestored
from bridge.world import BotName


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
    the_one = {"host": 1, "hosts": 1}
    assert dict(lost.facts) == {"why": "out of memory", "bots": ("Alice", "Bob"), **the_one}
    assert dict(restored.facts) == {"after_s": 2.5, **the_one}
    joined = [entry["bot"] for entry in logged if entry["event"] == "bot.joined"]
    assert sorted(joined) == ["Alice", "Bob"]


async def passed_on(rig: Rig, event: BridgeEvent) -> None:
    """The event has reached the roster, which traces it."""
    name = "bridge.lost" if isinstance(event, BridgeLost) else "bridge.restored"
    before = len(list(rig.trace.recent(name)))
    rig.bridge._stream.put(event)
    await until(lambda: len(list(rig.trace.recent(name))) > before)


async def test_node_is_down_only_while_every_host_is(rig: Rig) -> None:
    at = rig.bridge.world.clock.now()
    downs = []
    for event in (
        BridgeLost("it died", at, host=1, hosts=2),
        BridgeLost("it died", at, host=2, hosts=2),
        BridgeRestored(1.0, at, host=1, hosts=2),
        BridgeLost("it died", at, host=1, hosts=2),
        BridgeRestored(1.0, at, host=2, hosts=2),
    ):
        await passed_on(rig, event)
        downs.append(rig.roster.node_down_s is not None)
    assert downs == [False, True, False, True, False]


async def test_a_host_that_is_back_nudges_its_own_bots_and_no_other_in_the_world(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    nudged: list[str] = []
    monkeypatch.setattr(Connection, "retry_now", lambda self: nudged.append(self.bot))
    at = rig.bridge.world.clock.now()
    await passed_on(rig, BridgeLost("it died", at, (BotName("Alice"),), 1, 2))
    await passed_on(rig, BridgeRestored(1.0, at, 1, 2))
    assert nudged == ["Alice"]
