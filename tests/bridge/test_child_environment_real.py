"""What the two Node processes really see of the environment."""

from __future__ import annotations

import stat
from pathlib import Path

import psutil
import pytest

from bridge.js import JSBridge
from bridge.server.launcher import EmbeddedServer

pytestmark = [pytest.mark.anyio, pytest.mark.real]

KEY = "sk-ant-of-the-owner"


@pytest.fixture
def key_in_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("TOWNSFOLK_LLM__API_KEY", KEY)
    monkeypatch.setenv("UNRELATED", KEY)


@pytest.mark.usefixtures("key_in_environment")
async def test_neither_node_process_sees_the_key_and_their_logs_are_private(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    """The key of the model stood in the environment of the bridge's and the server's Node."""
    logs = tmp_path / "node.log", tmp_path / "server.log"
    bridge = JSBridge(node_binary, node_dir, logs[0])
    server = await EmbeddedServer.start(node_binary, node_dir, log_path=logs[1])
    try:
        await bridge.start()
        assert bridge.node_pid is not None
        for pid in (bridge.node_pid, server.pid):
            seen = psutil.Process(pid).environ()
            assert "PATH" in seen
            assert KEY not in "".join(seen.values())
        assert [stat.S_IMODE(log.stat().st_mode) for log in logs] == [0o600, 0o600]
    finally:
        await server.aclose()
        await bridge.aclose()
