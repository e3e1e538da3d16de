"""One bot of ours, wired as the daemon does, in the real country of the embedded server."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.rig import records_only, run_json, until

from bots.clock import Times, utc_now
from bots.commands.catalogue import commands
from bots.daemon.session import BotRoster, BotSession
from bots.daemon.shared import SharedServices
from bots.observability.trace import TraceLog
from bots.settings.settings import ChatSettings, Settings
from bots.settings.world import SurvivalSettings
from bots.store.database import Store
from bridge.actions import FindBlocks
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.server.launcher import LAY_MS, EmbeddedServer
from bridge.world import BlockSighting, BotName, Position

NAME = BotName("Worker")
SMELT_MS = 500  # vanilla takes 10 s an item
CROP_TICK_MS = 250  # vanilla takes over a minute
STANDS_STILL = SurvivalSettings(enabled=False)
BITE_MS = 500  # vanilla takes 5 s at the soonest


@dataclass
class Crew:
    server: EmbeddedServer
    session: BotSession
    bridge: JSBridge
    trace: TraceLog

    async def run(self, text: str) -> dict[str, Any]:
        """A command's result, from Python."""
        return await run_json(self.session.bot, text)

    async def done(self, text: str) -> dict[str, Any]:
        """The result of a command that must succeed."""
        result = await self.run(text)
        assert result["success"], result
        return result

    async def carries(self) -> Counter[str]:
        """What the server knows the bot carries."""
        carried: Counter[str] = Counter()
        for _, name, count in await self.server.admin("inventory", player=NAME):
            carried[name] += count
        return carried

    async def give(self, **items: int) -> None:
        for item, count in items.items():
            await self.server.admin("give", player=NAME, item=item, count=count)
        await self._knows(items)

    async def _knows(self, items: dict[str, int]) -> None:
        async with asyncio.timeout(30):
            while True:
                world = await self.session.bot.snapshot()
                if all(world.count(item) >= count for item, count in items.items()):
                    return
                await asyncio.sleep(0.02)

    async def sees(self, *blocks: str) -> None:
        """Wait until the bot knows of a block of each kind."""
        async with asyncio.timeout(30):
            for block in blocks:
                found: tuple[BlockSighting, ...] = ()
                while not found:
                    found = await self.session.bot.query(FindBlocks((block,), 64, 1))

    async def set_block(self, where: Position, name: str) -> None:
        await self.server.admin("setblock", x=where.x, y=where.y, z=where.z, block=name)


@asynccontextmanager
async def crew(
    node: Path,
    node_dir: Path,
    folder: Path,
    *,
    lay_ms: int = LAY_MS,
    times: Times | None = None,
    survival: SurvivalSettings = STANDS_STILL,
) -> AsyncIterator[Crew]:
    """A server, a Node and one bot that has joined; for the bot alone it may be another time."""
    server = await EmbeddedServer.start(
        node,
        node_dir,
        smelt_ms=SMELT_MS,
        crop_tick_ms=CROP_TICK_MS,
        bite_ms=BITE_MS,
        lay_ms=lay_ms,
        log_path=folder / "server.log",
    )
    bridge = JSBridge(node, node_dir, folder / "node.log")
    store = await Store.open(folder / "crew.sqlite")
    try:
        await bridge.start()
        shared = await _shared(bridge, server, store, folder, times or _real_times(), survival)
        roster = BotRoster(shared)
        session = roster.add(NAME, lambda name: BotSession(name, shared, records_only))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(session.run()), group.create_task(roster.pump())]
            await until(lambda: session.online, within_s=90)
            yield Crew(server, session, bridge, shared.trace)
            for task in tasks:
                task.cancel()
    finally:
        await bridge.aclose()
        await server.aclose()
        await store.aclose()


async def _shared(
    bridge: JSBridge,
    server: EmbeddedServer,
    store: Store,
    folder: Path,
    times: Times,
    survival: SurvivalSettings,
) -> SharedServices:
    return await SharedServices.open(
        Settings(
            data_dir=folder,
            chat=ChatSettings(pace=False),
            survival=survival,
        ),
        bridge=bridge,
        commands=commands,
        address=lambda: ServerAddress("127.0.0.1", server.port),
        is_ours_alone=True,
        store=store,
        times=times,
        trace=TraceLog(utc_now),
    )


def _real_times() -> Times:
    loop = asyncio.get_running_loop()
    return Times(utc_now, loop.time, asyncio.sleep, random.Random(1))
