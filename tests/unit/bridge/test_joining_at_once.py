"""Few bots are on their way into a world at a time: each keeps Node busy."""

import asyncio
from pathlib import Path

from bridge.errors import SpawnFailed
from bridge.events import Arrivals, BotSpawned
from bridge.js.jspybridge import HostSettings
from bridge.js.node_host import JOINING_AT_ONCE, HostNumber, NamedVersions, NodeHost
from bridge.port import ServerAddress
from bridge.versions import USUAL_SHAPES
from bridge.world import BotName

SERVER, WITHIN_S, CHUNKS = ServerAddress("127.0.0.1", 25565), 20.0, 6


class SlowToJoin(NodeHost):
    """Every join waits until it is let in, and is then refused."""

    def __init__(self) -> None:
        nothing = Path("nothing")
        settings = HostSettings(nothing, nothing, nothing, USUAL_SHAPES)
        only = HostNumber(1, 1)
        super().__init__(only, settings, Arrivals(), NamedVersions(), asyncio.sleep)
        self.joining: list[BotName] = []
        self.may_enter = asyncio.Event()

    async def _spawn(
        self, bot: BotName, server: ServerAddress, timeout_s: float, view_chunks: int
    ) -> BotSpawned:
        self.joining.append(bot)
        await self.may_enter.wait()
        raise SpawnFailed(bot, "error", "full")


async def test_others_wait_for_their_turn_and_get_it_also_after_a_failure() -> None:
    host, count = SlowToJoin(), 3 * JOINING_AT_ONCE
    names = [BotName(f"Bot{number}") for number in range(count)]
    tasks = [asyncio.create_task(host.spawn(name, SERVER, WITHIN_S, CHUNKS)) for name in names]
    for _ in range(count):
        await asyncio.sleep(0)
    assert host.joining == names[:JOINING_AT_ONCE]
    host.may_enter.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ends] == [SpawnFailed] * count
    assert host.joining == names


async def test_one_who_gives_up_waiting_takes_no_turn() -> None:
    host = SlowToJoin()
    names = [BotName(f"Bot{number}") for number in range(JOINING_AT_ONCE + 2)]
    tasks = [asyncio.create_task(host.spawn(name, SERVER, WITHIN_S, CHUNKS)) for name in names]
    await asyncio.sleep(0)
    tasks[-2].cancel()
    host.may_enter.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert names[-2] not in host.joining
    assert names[-1] in host.joining
