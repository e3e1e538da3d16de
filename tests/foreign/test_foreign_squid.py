"""Bots among people on a server that nobody here wrote: npm's flying-squid with its own rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from versions.bench import Equipment
from versions.stage import HOST, listening_bridge

from bridge.events import ChatHeard, PlayerLeft
from bridge.port import ServerAddress
from bridge.world import BotName

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.slow]

ALICE, BOB, STEVE = BotName("Alice"), BotName("Bob"), BotName("Steve")
SQUID = Path(__file__).with_name("squid.cjs")
VERSIONS = ("1.8.8", "1.12.2", "1.16.5", "1.20.4", "1.21.4")
LEAVING_SEEN = VERSIONS[:3]
"""From 1.19.3 on a server tells it by `player_remove`, which this one never sends: its fault."""


@pytest.mark.parametrize("version", VERSIONS)
async def test_public_chat_is_heard_and_a_leaving_is_seen(
    version: str, node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    async with (
        Equipment.started(node_binary, node_dir, str(SQUID), version=version) as squid,
        listening_bridge(node_binary, node_dir, tmp_path) as (bridge, log),
    ):
        server = ServerAddress(HOST, squid.port)
        spawned = await bridge.spawn(ALICE, server)
        assert spawned.version == version
        await bridge.spawn(STEVE, server)
        await bridge.chat(STEVE, "Alice, where are you?")
        heard = await log.first(ChatHeard, bot=ALICE, sender=STEVE)
        assert heard.text == "Alice, where are you?"
        # Its own fault: it lists nobody who came earlier, so that Steve takes Alice for no player.
        assert (await bridge.snapshot(STEVE)).player(ALICE) is None
        await bridge.despawn(STEVE)
        await bridge.spawn(BOB, server)
        await bridge.chat(BOB, "Steve has gone.")
        await log.first(ChatHeard, bot=ALICE, sender=BOB)
        is_seen = bool(log.all(PlayerLeft, bot=ALICE, player=STEVE))
        assert is_seen == (version in LEAVING_SEEN)
