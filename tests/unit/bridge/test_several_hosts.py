"""One bridge over two Nodes: commands go to a bot's own, and one that dies takes its bots alone."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import structlog

from bridge import wire
from bridge.errors import BridgeDown, NodeSetupError, NotConnected
from bridge.events import BotDisconnected, BotSpawned, BridgeEvent, BridgeLost, BridgeRestored
from bridge.js import JSBridge
from bridge.js.jspybridge import HostSettings
from bridge.js.node_host import Life
from bridge.port import ServerAddress
from bridge.world import BotName

SERVER = ServerAddress("127.0.0.1", 25565)
AT_MS = 1_800_000_000_000
LEFT = {"ending": "requested", "text": "", "key": ""}
WITHIN_S = 10.0
LOG = Path("log") / "node.log"


class FakeNode:
    """A Node and the link to it: whoever joins is in a world at once."""

    lived_s = 60.0
    crossings = 0

    def __init__(self, settings: HostSettings, deliver: Callable[[Sequence[wire.Wire]], None]):
        self.log_path, self._deliver = settings.log_path, deliver
        self.link = self
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.ran: list[tuple[str, str]] = []

    async def command(
        self, operation: str, bot: str, args: Mapping[str, Any], timeout_s: float
    ) -> Any:
        self.ran.append((operation, bot))
        if operation != "spawn":
            return None
        spawned = {
            "t": "spawned",
            "bot": bot,
            "version": "1.16.5",
            "position": [0, 64, 0],
            "at": AT_MS,
        }
        self._deliver([spawned])
        return spawned

    def die(self) -> None:
        self.ended.set_result("it died")

    async def end(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_result(why)

    async def leave(self) -> None:
        for bot in [bot for operation, bot in self.ran if operation == "spawn"]:
            self._deliver([{"t": "disconnected", "bot": bot, "at": AT_MS, **LEFT}])
        await self.end("the bridge is closed")


class Nodes:
    """Every Node that was started, oldest first."""

    def __init__(self) -> None:
        self.started: list[FakeNode] = []
        self.broken: set[str] = set()
        """Log files of those that do not start."""

    async def begin(
        self,
        settings: HostSettings,
        deliver: Callable[[Sequence[wire.Wire]], None],
        unread: Callable[[], int],
    ) -> Any:
        if settings.log_path.name in self.broken:
            raise NodeSetupError("no memory")
        self.started.append(FakeNode(settings, deliver))
        return self.started[-1]


class Restarts:
    """Node is started again only once it may."""

    def __init__(self) -> None:
        self.may_begin = asyncio.Event()

    async def wait(self, delay_s: float) -> None:
        await self.may_begin.wait()


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Nodes:
    nodes = Nodes()
    monkeypatch.setattr(Life, "begin", nodes.begin)
    return nodes


@pytest.fixture
def restarts() -> Restarts:
    return Restarts()


@pytest.fixture
async def bridge(nodes: Nodes, restarts: Restarts) -> AsyncIterator[JSBridge]:
    """Alice and Carol are on the first host, Bob is on the second."""
    bridge = two_hosts(restarts)
    await bridge.start()
    for name in ("Alice", "Bob", "Carol"):
        await bridge.spawn(BotName(name), SERVER)
    yield bridge
    await bridge.aclose()


def two_hosts(restarts: Restarts) -> JSBridge:
    nothing = Path("nothing")
    return JSBridge(nothing, nothing, LOG, hosts=2, sleep=restarts.wait)


async def some(events: AsyncIterator[BridgeEvent], count: int) -> list[BridgeEvent]:
    async with asyncio.timeout(WITHIN_S):
        return [await anext(events) for _ in range(count)]


async def test_each_command_goes_to_the_host_of_its_bot(bridge: JSBridge, nodes: Nodes) -> None:
    for name in ("Alice", "Bob", "Carol"):
        await bridge.chat(BotName(name), "Hello")
    spoke = [[bot for operation, bot in node.ran if operation == "chat"] for node in nodes.started]
    assert spoke == [["Alice", "Carol"], ["Bob"]]


async def test_events_of_all_hosts_come_in_one_stream(bridge: JSBridge) -> None:
    joined = await some(bridge.events(), 3)
    assert [event.bot for event in joined if isinstance(event, BotSpawned)] == [
        "Alice",
        "Bob",
        "Carol",
    ]


async def test_each_host_has_a_log_of_its_own(bridge: JSBridge, nodes: Nodes) -> None:
    assert [node.log_path.name for node in nodes.started] == ["node.log", "node-2.log"]


async def test_a_host_that_dies_takes_its_bots_alone_and_they_return_to_it(
    bridge: JSBridge, nodes: Nodes, restarts: Restarts
) -> None:
    events = bridge.events()
    await some(events, 3)
    with structlog.testing.capture_logs() as logged:
        nodes.started[0].die()
        lost, *gone = await some(events, 3)
        with pytest.raises(BridgeDown):
            await bridge.spawn(BotName("Alice"), SERVER)
        with pytest.raises(NotConnected):
            await bridge.chat(BotName("Alice"), "Hello")
        await bridge.chat(BotName("Bob"), "Hello")
        restarts.may_begin.set()
        (back,) = await some(events, 1)
    assert isinstance(lost, BridgeLost)
    assert (lost.why, lost.bots, lost.host, lost.hosts) == ("it died", ("Alice", "Carol"), 1, 2)
    assert [(it.bot, it.ending) for it in gone if isinstance(it, BotDisconnected)] == [
        ("Alice", "node_died"),
        ("Carol", "node_died"),
    ]
    assert isinstance(back, BridgeRestored)
    assert (back.host, back.hosts) == (1, 2)
    told = [(it["event"], it["host"]) for it in logged if it["event"].startswith("bridge.")]
    assert told == [("bridge.lost", 1), ("bridge.restored", 1)]
    await bridge.spawn(BotName("Alice"), SERVER)
    assert nodes.started[2].ran == [("spawn", "Alice")]


async def test_closing_tells_the_ends_of_all_hosts_bots(nodes: Nodes, restarts: Restarts) -> None:
    bridge = two_hosts(restarts)
    await bridge.start()
    for name in ("Alice", "Bob"):
        await bridge.spawn(BotName(name), SERVER)
    await bridge.aclose()
    ends = [event async for event in bridge.events() if isinstance(event, BotDisconnected)]
    assert {event.bot for event in ends} == {"Alice", "Bob"}


async def test_where_one_host_does_not_start_none_is_left(nodes: Nodes, restarts: Restarts) -> None:
    nodes.broken = {"node-2.log"}
    with pytest.raises(NodeSetupError, match="no memory"):
        await two_hosts(restarts).start()
    (first,) = nodes.started
    assert first.ended.done()
