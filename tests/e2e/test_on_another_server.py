"""The daemon as a guest: a server it did not start, which comes, goes, and moves its bots."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import Player

from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer
from bridge.world import Position

pytestmark = pytest.mark.real

GROUND_Y = 64  # the flat, clear chunk around the spawn point, x and z from 0 to 15
QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false"}


@pytest.fixture(scope="module")
async def world(node_binary: Path, node_dir: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(node_binary, node_dir, spam_checked=("Alice", "Bob"))
    yield server
    await server.aclose()


@pytest.fixture(scope="module")
def minecraft(world: EmbeddedServer) -> ServerAddress:
    return ServerAddress(HOST, world.port)


@pytest.fixture(scope="module")
async def daemon(
    new_site: Callable[[], Site], world: EmbeddedServer
) -> AsyncIterator[DaemonProcess]:
    async with new_site().up("--server", f"{HOST}:{world.port}", **QUIET) as daemon:
        yield daemon
        assert daemon.tracebacks == []


async def test_the_version_is_found_out_and_no_server_of_our_own_is_started(
    daemon: DaemonProcess, world: EmbeddedServer
) -> None:
    assert daemon.ready_line.startswith(f"ready server={HOST}:{world.port} bots=Alice,Bob ")
    assert (await daemon.command("Alice", "!status"))["world"]["version"] == "1.16.5"
    assert {row["name"] for row in await world.admin("players")} >= {"Alice", "Bob"}
    assert [p for p in daemon.descendants() if "server/main.cjs" in " ".join(p.cmdline())] == []


async def moved(daemon: DaemonProcess, world: EmbeddedServer, to: Position) -> str:
    """Put Alice on the ground somewhere; her position as she words it."""
    await world.admin("teleport", player="Alice", x=to.x + 0.5, y=to.y, z=to.z + 0.5)
    there = {"x": to.x, "y": to.y, "z": to.z}
    async with asyncio.timeout(10):
        while (await daemon.command("Alice", "!status"))["world"]["position"] != there:
            pass
    return f"{to.x:g} {to.y:g} {to.z:g}"


async def test_the_same_question_after_moving_gets_another_true_answer(
    daemon: DaemonProcess, world: EmbeddedServer, steve: Player
) -> None:
    first = await moved(daemon, world, Position(3, GROUND_Y, 4))
    assert first in await steve.asks("Alice", "Where are you?")
    second = await moved(daemon, world, Position(12, GROUND_Y, 10))
    answer = await steve.asks("Alice", "Where are you?")
    assert second in answer
    assert first not in answer


async def test_a_player_out_of_hearing_is_refused_with_the_distance(
    daemon: DaemonProcess, world: EmbeddedServer
) -> None:
    await moved(daemon, world, Position(8, GROUND_Y, 8))
    await world.admin("teleport", player="Bob", x=8.5, y=GROUND_Y, z=60.5)
    async with asyncio.timeout(10):
        while (await daemon.command("Bob", "!status"))["world"]["position"]["z"] != 60:
            pass
    result = await daemon.command("Bob", "!chat Alice can you hear me")
    assert (result["success"], result["reason"]) == (False, "out_of_range")
    assert result["distance"] > result["maxDistance"] == 15


async def test_a_kicked_bot_is_back_and_the_kick_is_told(
    daemon: DaemonProcess, world: EmbeddedServer
) -> None:
    async with daemon.watching() as watch:
        await world.admin("kick", player="Bob", reason="Go away for a moment")
        kicked = await watch.next("connection.changed", bot="Bob", state="waiting")
        told = (await daemon.bots())["Bob"]
        await watch.next("connection.changed", bot="Bob", state="online")
    assert kicked["cause"] == "kicked"
    assert "Go away for a moment" in told["advice"]


async def test_a_bot_that_dies_lives_again_and_answers(
    daemon: DaemonProcess, world: EmbeddedServer, steve: Player
) -> None:
    await world.admin("kill", player="Bob")
    assert await steve.asks("Bob", "How are you?")
    assert (await daemon.command("Bob", "!status"))["world"]["health"] > 0


async def test_bots_wait_for_a_server_that_is_not_there_and_join_when_it_is(
    site: Site, node_binary: Path, node_dir: Path
) -> None:
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    async with site.starting("--server", f"{HOST}:{port}", **QUIET) as daemon:
        await daemon.announced()
        async with daemon.watching(last=0) as watch:
            refused = await watch.next("connection.changed", bot="Alice", state="waiting")
            told = (await daemon.bots())["Alice"]
            server = await EmbeddedServer.start(node_binary, node_dir, port=port)
            try:
                await watch.next("connection.changed", bot="Alice", state="online")
                await daemon.ready()
                assert await daemon.all_online()
            finally:
                await server.aclose()
    assert refused["cause"] == "refused"
    assert told["advice"].startswith("Nothing listens at 127.0.0.1:")
    assert daemon.tracebacks == []
