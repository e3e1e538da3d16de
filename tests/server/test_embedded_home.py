"""The embedded server as the daemon keeps it: it comes back, and knows all bots of ours."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from contract.arena import EventLog

from bots.daemon.server import EmbeddedPlan, EmbeddedServerHost
from bridge.errors import BridgeError
from bridge.events import BotDisconnected, BridgeEvent, ChatHeard
from bridge.js import JSBridge
from bridge.node import NodeRuntime
from bridge.server.launcher import EmbeddedServer
from bridge.world import BotName

pytestmark = pytest.mark.real

ASKED_EVERY_S, SILENT_S = 0.3, 6.0  # busy machines answer late
BACK_WITHIN_S = 20.0
TOO_MANY_LINES = 15  # at once; eleven are a kick


@pytest.fixture
def plan(node_binary: Path, node_dir: Path, tmp_path: Path) -> EmbeddedPlan:
    return EmbeddedPlan(
        NodeRuntime(node_binary, node_dir),
        spam_checked=(),
        is_paced=True,
        owners=(),
        host="127.0.0.1",
        port=0,
        seed=1,
        world_folder=None,
        difficulty="peaceful",
        log_path=tmp_path / "server.log",
    )


class KeptHome:
    """A home that is being kept alive, and each of its returns."""

    def __init__(self, home: EmbeddedServerHost) -> None:
        self.home = home
        self.back = asyncio.Event()

    @classmethod
    @asynccontextmanager
    async def of(cls, plan: EmbeddedPlan) -> AsyncIterator["KeptHome"]:
        server = await plan.start(0)
        home = EmbeddedServerHost(
            plan, server, asyncio.sleep, asked_every_s=ASKED_EVERY_S, silent_s=SILENT_S
        )
        kept = cls(home)
        keeping = asyncio.create_task(home.run(kept.back.set))
        yield kept
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping
        await home.aclose()

    async def returns(self) -> EmbeddedServer:
        async with asyncio.timeout(BACK_WITHIN_S):
            await self.back.wait()
        self.back.clear()
        return self.home.server


async def test_the_world_is_as_dangerous_as_planned(plan: EmbeddedPlan) -> None:
    async with KeptHome.of(replace(plan, difficulty="hard")) as kept:
        assert await kept.home.server.admin("difficulty") == "hard"


async def test_a_server_that_only_pauses_is_left_alone(plan: EmbeddedPlan) -> None:
    async with KeptHome.of(plan) as kept:
        server = kept.home.server
        process = psutil.Process(server.pid)
        process.suspend()
        await asyncio.wait({asyncio.create_task(kept.back.wait())}, timeout=SILENT_S)
        process.resume()
        for _ in range(3):
            assert await server.answers()
        assert (server.alive, kept.home.server is server) == (True, True)


@pytest.mark.parametrize("is_paced", [True, False])
async def test_a_bot_taken_in_later_is_under_the_spam_rule_of_ours(
    plan: EmbeddedPlan, tmp_path: Path, is_paced: bool
) -> None:
    async with KeptHome.of(replace(plan, is_paced=is_paced)) as kept:
        await kept.home.take_in("Carol")
        assert await is_thrown_out(plan, kept, tmp_path) is is_paced


async def test_a_bot_taken_in_is_known_to_the_next_server_too(
    plan: EmbeddedPlan, tmp_path: Path
) -> None:
    async with KeptHome.of(plan) as kept:
        await kept.home.take_in("Carol")
        kept.home.server.kill()
        await kept.returns()
        assert await is_thrown_out(plan, kept, tmp_path)


async def is_thrown_out(plan: EmbeddedPlan, kept: KeptHome, folder: Path) -> bool:
    """Whether Carol is, who says too much at once; Wanda hears the last line of it, or not."""
    carol, wanda = BotName("Carol"), BotName("Wanda")
    bridge = JSBridge(plan.runtime.binary, plan.runtime.packages_dir, folder / "node.log")
    await bridge.start()
    log = EventLog(bridge)
    reading = asyncio.create_task(log.read())
    try:
        for bot in (carol, wanda):
            await bridge.spawn(bot, kept.home.address)
        with suppress(BridgeError):
            for number in range(TOO_MANY_LINES):
                await bridge.chat(carol, f"line {number}")
        last = f"line {TOO_MANY_LINES - 1}"
        outcomes = (log.first(BotDisconnected, bot=carol), log.first(ChatHeard, text=last))
        return isinstance(await first_of(*outcomes), BotDisconnected)
    finally:
        await bridge.aclose()
        await reading


async def first_of(*waited: Coroutine[Any, Any, BridgeEvent]) -> BridgeEvent:
    tasks = [asyncio.ensure_future(one) for one in waited]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    return done.pop().result()
