"""What the embedded server holds in memory: whoever leaves takes everything along."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from bridge.js import JSBridge
from bridge.node import NODE_MEMORY
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer
from bridge.world import BotName

pytestmark = [pytest.mark.real, pytest.mark.slow]

VISITORS, FAR = 12, 400
LAST = 1  # flying-squid holds whoever joined last
WITHIN_S = 20.0
LOOK_AGAIN_S = 0.1


@pytest.fixture
async def bridge(node_binary: Path, node_dir: Path, tmp_path: Path) -> AsyncIterator[JSBridge]:
    bridge = JSBridge(node_binary, node_dir, tmp_path / "node.log")
    await bridge.start()
    yield bridge
    await bridge.aclose()


async def holds(server: EmbeddedServer, wanted: dict[str, int]) -> None:
    """Wait until the server holds this: it lets go of columns in turn."""
    async with asyncio.timeout(WITHIN_S):
        while await server.admin("holding") != wanted:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(LOOK_AGAIN_S)


async def test_visitors_who_went_far_and_left_are_forgotten(
    bridge: JSBridge, node_binary: Path, node_dir: Path
) -> None:
    server = await EmbeddedServer.start(node_binary, node_dir)
    address = ServerAddress(HOST, server.port)
    home = BotName("Stays")
    await bridge.spawn(home, address)
    before = await settled(server)
    for number in range(VISITORS):
        name = BotName(f"Visitor{number}")
        await bridge.spawn(name, address)
        await server.admin("teleport", player=name, x=FAR * (number + 1), y=90, z=0)
        if number % 2:  # the others leave while they are shown the land
            during = await settled(server)
        await bridge.despawn(name)
    assert during["columns"] > before["columns"]
    await holds(server, before)
    await server.aclose()


async def test_whoever_left_and_whatever_lay_around_is_let_go(
    bridge: JSBridge, node_binary: Path, node_dir: Path
) -> None:
    """Those who stand still, as most animals do, held them: 43 MB an hour with guests."""
    server = await EmbeddedServer.start(node_binary, node_dir)
    address = ServerAddress(HOST, server.port)
    await bridge.spawn(BotName("Stays"), address)
    before = await settled(server)
    assert await server.admin("alive") == before["entities"]
    for number in range(VISITORS // 2):
        name = BotName(f"Visitor{number}")
        await bridge.spawn(name, address)
        await server.admin("give", player=name, item="dirt")
        await server.admin("kill", player=name)
        await bridge.despawn(name)
    await server.admin("sweep")
    await holds(server, before)
    async with asyncio.timeout(WITHIN_S):
        while await server.admin("alive") > before["entities"] + LAST:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(LOOK_AGAIN_S)
    await server.aclose()


async def test_the_room_for_new_objects_is_small(
    bridge: JSBridge, node_binary: Path, node_dir: Path
) -> None:
    """It was V8's default, which takes 100 MB more of an hour's garbage; and glibc's, 10 MB."""
    server = await EmbeddedServer.start(node_binary, node_dir)
    assert bridge.node_pid is not None
    for pid in (server.pid, bridge.node_pid):
        process = psutil.Process(pid)
        assert "--max-semi-space-size=4" in process.cmdline()
        assert process.environ().items() >= NODE_MEMORY.items()
    assert set(NODE_MEMORY) == {"MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_"}
    await server.aclose()


async def settled(server: EmbeddedServer) -> dict[str, int]:
    """What it holds once that does not change any more."""
    seen: list[dict[str, int]] = []
    async with asyncio.timeout(WITHIN_S):
        while len(seen) < 4 or any(one != seen[-1] for one in seen[-4:]):
            seen.append(await server.admin("holding"))
            await asyncio.sleep(LOOK_AGAIN_S)
    return seen[-1]
