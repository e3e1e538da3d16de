"""A night with monsters on the embedded server, for a bot that is left alone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from itertools import product
from pathlib import Path
from typing import TypeAlias

import pytest

from bots.app import Daemon
from bots.bot.bot import Bot
from bots.settings.settings import Settings
from bridge.js import JSBridge
from bridge.server.launcher import HOST, VERSION, EmbeddedServer
from bridge.world import Position

pytestmark = [pytest.mark.real]

NIGHT = 14_000
WITHIN_S = 40.0
GROUND_Y, HIGH_Y = 64, 90
WALLED = 14  # blocks around a body
NEXT_BLOWS_S = 3.0

Life: TypeAlias = Callable[[], AbstractAsyncContextManager[Bot]]


@pytest.fixture
async def server(node_binary: Path, node_dir: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(node_binary, node_dir, difficulty="normal")
    try:
        for x in range(4, 13):
            for z in range(4, 13):
                for y in range(GROUND_Y - 4, GROUND_Y):
                    await server.admin("setblock", x=x, y=y, z=z, block="dirt")
        yield server
    finally:
        await server.aclose()


@pytest.fixture
async def life(
    server: EmbeddedServer,
    node_binary: Path,
    node_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Life:
    """Starts a daemon with Alice; the next one remembers what the one before did."""
    monkeypatch.setattr("bots.reflexes.reflexes.LEFT_ALONE_S", 1.0)
    monkeypatch.setattr("bots.reflexes.reflexes.LOOK_EVERY_S", 0.5)
    settings = Settings.model_validate(
        {
            "data_dir": tmp_path,
            "server": {"host": HOST, "port": server.port, "version": VERSION},
            "bots": {"names": ("Alice",)},
            "talk": {"small_talk": False},
            "idle": {"enabled": False},
            "survival": {"enabled": True},
        }
    )

    @asynccontextmanager
    async def live() -> AsyncIterator[Bot]:
        bridge = JSBridge(node_binary, node_dir, tmp_path / "node.log")
        await bridge.start()
        async with Daemon(settings, bridge=bridge, answers=False) as daemon:
            assert await daemon.all_joined(30)
            yield daemon.bot("Alice")

    return live


@pytest.mark.parametrize("is_started_anew", [False, True])
async def test_it_sits_the_night_out_below_a_lid_and_leaves_the_ground_as_it_was(
    server: EmbeddedServer, life: Life, is_started_anew: bool
) -> None:
    async def feet_y(alice: Bot) -> float:
        return (await alice.snapshot()).position.y

    async def ground(at: Position) -> list[str]:
        return [
            await server.admin("block", x=int(at.x), y=y, z=int(at.z))
            for y in range(GROUND_Y - 3, GROUND_Y)
        ]

    async with AsyncExitStack() as stack:
        alice = await stack.enter_async_context(life())
        edge = {"x": 8.05, "y": GROUND_Y, "z": 8.95}
        await server.admin("teleport", player="Alice", **edge)
        await server.admin("time", value=NIGHT)
        at = (await alice.snapshot()).position.block
        async with asyncio.timeout(WITHIN_S):
            while await feet_y(alice) != GROUND_Y - 3 or (await ground(at))[-1] != "dirt":
                await alice.times.sleep(0.2)
        if is_started_anew:
            await stack.aclose()
            alice = await stack.enter_async_context(life())
        await server.admin("summon", kind="zombie", x=at.x + 2, y=GROUND_Y, z=at.z)
        await alice.times.sleep(NEXT_BLOWS_S)
        assert (await alice.snapshot()).health == 20
        await server.admin("difficulty", level="peaceful")
        async with asyncio.timeout(WITHIN_S):
            while await feet_y(alice) != GROUND_Y or not alice.actions.is_calm:
                await alice.times.sleep(0.2)
        assert await ground(at) == ["dirt"] * 3


@pytest.mark.parametrize("is_started_anew", [False, True])
async def test_where_nothing_can_be_dug_it_sits_between_blocks_and_takes_them_back(
    server: EmbeddedServer, life: Life, is_started_anew: bool
) -> None:
    for x, z in product(range(4, 13), repeat=2):
        await server.admin("setblock", x=x, y=HIGH_Y - 1, z=z, block="packed_ice")

    async def placed() -> int:
        cells = product(range(7, 10), range(HIGH_Y, HIGH_Y + 3), range(7, 10))
        found = [await server.admin("block", x=x, y=y, z=z) for x, y, z in cells]
        return found.count("cobblestone")

    async with AsyncExitStack() as stack:
        alice = await stack.enter_async_context(life())
        for item, count in {"cobblestone": 20, "stone_pickaxe": 1}.items():
            await server.admin("give", player="Alice", item=item, count=count)
        await server.admin("teleport", player="Alice", x=8.5, y=HIGH_Y, z=8.5)
        await server.admin("time", value=NIGHT)
        async with asyncio.timeout(WITHIN_S):
            while await placed() < WALLED:
                await alice.times.sleep(0.2)
        if is_started_anew:
            await stack.aclose()
            alice = await stack.enter_async_context(life())
        await server.admin("summon", kind="zombie", x=10.5, y=HIGH_Y, z=8.5)
        await alice.times.sleep(NEXT_BLOWS_S)
        world = await alice.snapshot()
        assert (world.health, world.position.y, await placed()) == (20, HIGH_Y, WALLED)
        await server.admin("difficulty", level="peaceful")
        async with asyncio.timeout(WITHIN_S):
            while await placed() or not alice.actions.is_calm:
                await alice.times.sleep(0.2)
        assert (await alice.snapshot()).count("cobblestone") == 20
