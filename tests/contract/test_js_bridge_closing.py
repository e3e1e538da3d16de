"""The end of the real bridge; apart, because one process carries one Node at a time."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.bridge_contract import ClosingContract

from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.server.launcher import EmbeddedServer

pytestmark = pytest.mark.real


@pytest.fixture
async def server(node_binary: Path, node_dir: Path) -> AsyncIterator[ServerAddress]:
    game = await EmbeddedServer.start(node_binary, node_dir)
    yield ServerAddress("127.0.0.1", game.port)
    await game.aclose()


@pytest.fixture
async def bridge(node_binary: Path, node_dir: Path, tmp_path: Path) -> AsyncIterator[JSBridge]:
    real = JSBridge(node_binary, node_dir, tmp_path / "host.log")
    await real.start()
    yield real
    await real.aclose()


class TestClosingJSBridge(ClosingContract):
    pass
