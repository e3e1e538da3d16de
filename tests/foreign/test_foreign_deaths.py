"""Deaths on a server that tells nobody of what: npm's flying-squid with its own rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from versions.bench import Equipment
from versions.stage import HOST, listening_bridge

from bridge.events import BotDied
from bridge.port import ServerAddress
from bridge.world import BotName

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.slow]

ALICE, STEVE = BotName("Alice"), BotName("Steve")
SQUID = Path(__file__).with_name("squid.cjs")


@pytest.mark.parametrize("version", ["1.8.8", "1.16.5", "1.21.4"])
async def test_a_kill_of_which_nothing_is_told_is_nobodys(
    version: str, node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    async with (
        Equipment.started(node_binary, node_dir, str(SQUID), version=version) as squid,
        listening_bridge(node_binary, node_dir, tmp_path) as (bridge, log),
    ):
        server = ServerAddress(HOST, squid.port)
        await bridge.spawn(ALICE, server)
        await bridge.spawn(STEVE, replace(server, on_join=(f"/kill {ALICE}",)))
        died = await log.first(BotDied, bot=ALICE)
        assert (died.cause, died.death.number) == (None, 1)
