"""A JSBridge with the host's probes, and the embedded server."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer

Probe = Callable[..., Coroutine[Any, Any, Any]]


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    return tmp_path / "node.log"


@pytest.fixture
async def bridge(
    node_binary: Path, node_dir: Path, log_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[JSBridge]:
    monkeypatch.setenv("TOWNSFOLK_HOST_PROBES", "1")
    bridge = JSBridge(node_binary, node_dir, log_path)
    await bridge.start()
    yield bridge
    await bridge.aclose()


@pytest.fixture
def probe(bridge: JSBridge) -> Probe:
    """Runs one operation of host/probes.cjs: `await probe("echo", x=1)`."""

    async def run(operation: str, bot: str = "Probe", timeout_s: float = 60.0, **args: Any) -> Any:
        return await bridge._run(operation, bot, args, timeout_s)  # type: ignore[arg-type]

    return run


@pytest.fixture(scope="module")
async def server(node_binary: Path, node_dir: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(node_binary, node_dir)
    yield server
    await server.aclose()


@pytest.fixture
def address(server: EmbeddedServer) -> ServerAddress:
    return ServerAddress(HOST, server.port)
