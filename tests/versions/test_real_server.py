"""The whole contract on a server of yours; CONTRIBUTING.md says how to run it."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import Arena
from contract.bridge_contract import BridgeContract
from versions.rcon import Rcon
from versions.real_server import RconArena, real_arena
from versions.stage import listening_bridge

from bots.settings.loading import parse_address
from bridge.port import ServerAddress

REAL = os.environ.get("TOWNSFOLK_REAL", "")
PASSWORD = "TOWNSFOLK_RCON_PASSWORD"
RCON_PORT = int(os.environ.get("TOWNSFOLK_RCON_PORT", "25575"))
SMELTED_WITHIN_S = 90.0

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not REAL,
        reason="no real Minecraft server to try: set TOWNSFOLK_REAL=HOST:PORT, see CONTRIBUTING.md",
    ),
]


@pytest.fixture(scope="module")
async def stage(
    node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[RconArena]:
    host, port = parse_address(REAL)
    folder = tmp_path_factory.mktemp("real")
    async with (
        Rcon.of(host, RCON_PORT, os.environ[PASSWORD]) as rcon,
        listening_bridge(node_binary, node_dir, folder, within_s=SMELTED_WITHIN_S) as (bridge, log),
        real_arena(bridge, log, ServerAddress(host, port), rcon) as arena,
    ):
        yield arena


@pytest.fixture
async def arena(stage: RconArena) -> AsyncIterator[Arena]:
    yield stage
    await stage.clear()


class TestRealServer(BridgeContract):
    pass
