"""`doctor --server` reports what happens to a bot that joins."""

import pytest

from bots.cli.server_check import TO_ITSELF, try_server
from bridge.fake import FakeBridge
from bridge.port import ServerAddress
from bridge.world import BotName

pytestmark = pytest.mark.anyio
ALICE = BotName("Alice")
HOME = ServerAddress("mc.example", 25565)


async def test_a_server_that_lets_the_bot_in_is_well_with_version_and_whispers() -> None:
    bridge = FakeBridge()
    finding = await try_server(bridge, ALICE, HOME)
    assert finding.state == "ok"
    assert (
        "mc.example:25565 speaks 1.16.5 and lets Alice in without an account; no whitelist stops it"
        in finding.found
    )
    assert "whispers are vanilla's" in finding.found
    assert [line.text for line in bridge.sent] == [TO_ITSELF]
    assert not bridge.world.bodies
    await bridge.aclose()


async def test_a_server_that_refuses_is_told_with_the_next_step() -> None:
    bridge = FakeBridge()
    bridge.faults.refuse_spawn("Alice", "kicked", "You are not white-listed on this server!")
    finding = await try_server(bridge, ALICE, HOME)
    assert (finding.state, finding.next_step) == ("bad", "Run `whitelist add Alice` on the server.")
    await bridge.aclose()


@pytest.mark.parametrize(
    ("said", "found", "advised"),
    [
        ("Failed to verify username!", "wants an account", "townsfolk login Alice"),
        (
            "You are not whitelisted!",
            "whitelist of mc.example:25565 does not name Alice",
            "whitelist add",
        ),
    ],
)
async def test_online_mode_and_whitelist_are_named(said: str, found: str, advised: str) -> None:
    bridge = FakeBridge()
    bridge.faults.refuse_spawn("Alice", "kicked", said)
    finding = await try_server(bridge, ALICE, HOME)
    assert found in finding.found
    assert advised in finding.next_step
    await bridge.aclose()


async def test_what_closes_like_no_minecraft_server_is_not_said_to_come_by_itself() -> None:
    bridge = FakeBridge()
    bridge.faults.refuse_spawn("Alice", "end", "socketClosed")
    finding = await try_server(bridge, ALICE, HOME)
    assert finding.found == "The connection to mc.example:25565 broke."
    assert "Minecraft Java server listens there" in finding.next_step
    await bridge.aclose()


async def test_a_whisper_that_does_not_come_back_is_told() -> None:
    bridge = FakeBridge()
    bridge.faults.lose_whispers()
    finding = await try_server(bridge, ALICE, HOME, listen_s=0.05)
    assert finding.state == "later"
    assert "bridge.whisper_patterns" in finding.next_step
    await bridge.aclose()
