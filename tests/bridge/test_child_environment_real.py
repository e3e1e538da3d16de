"""What the two Node processes really see of the environment."""

import stat
from pathlib import Path

import psutil
import pytest

from bridge.js import JSBridge
from bridge.server.launcher import EmbeddedServer

pytestmark = pytest.mark.real

KEY = "sk-ant-of-the-owner"
SECRETS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"),
    *("TOWNSFOLK_LLM__API_KEY", "TOWNSFOLK_LLM__BASE_URL", "TOWNSFOLK_CLUSTER__BUS"),
    *("TOWNSFOLK_PERMISSIONS__PIN", "TOWNSFOLK_SERVER__SECRET", "UNRELATED"),
)


@pytest.fixture
def key_in_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in SECRETS:
        monkeypatch.setenv(variable, f"http://bob:{KEY}@host")


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
            assert KEY not in " ".join(psutil.Process(pid).cmdline())
        assert [stat.S_IMODE(log.stat().st_mode) for log in logs] == [0o600, 0o600]
    finally:
        await server.aclose()
        await bridge.aclose()
