"""One server and one Node full of players for all tests of a module."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from server.players import Players


@pytest.fixture(scope="module")
async def players(
    node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Players]:
    log_path = tmp_path_factory.mktemp("server") / "server.log"
    async with Players.open(node_binary, node_dir, log_path) as players:
        yield players
    assert "Error" not in log_path.read_text()
