"""One bridge over several Nodes, watched; bots are spread over them, each user hears of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
import structlog

from bots.settings.settings import Settings
from bridge import wire
from bridge.errors import BridgeDown, NodeSetupError, NotConnected
from bridge.events import BotDisconnected, BotSpawned, BridgeEvent, BridgeLost, BridgeRestored
from bridge.js import JSBridge
from bridge.js import link as watch
from bridge.js.bridge import BACK_SOON_S, Placement
from bridge.js.jspybridge import HostSettings
from bridge.js.link import Link
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


# --- placement ------------------------------------------------------------------------


ALICE = BotName("Alice")


@dataclass(eq=False)
class Host:
    bots: set[str] = field(default_factory=set)
    away_s: float = 0.0

    @property
    def load(self) -> int:
        return len(self.bots)

    def holds(self, bot: BotName) -> bool:
        return bot in self.bots


def join(placement: Placement[Host], *names: str) -> None:
    for name in names:
        placement.place(BotName(name)).bots.add(name)


def names(count: int) -> list[str]:
    return [f"Bot{number}" for number in range(count)]


def test_each_bot_goes_where_the_fewest_are() -> None:
    hosts = [Host(), Host(), Host()]
    join(Placement(hosts), *names(8))
    assert [host.load for host in hosts] == [3, 3, 2]


def test_one_that_was_never_placed_is_asked_for_at_the_first_host() -> None:
    hosts = [Host(), Host()]
    assert Placement(hosts).host_of(ALICE) is hosts[0]


def test_a_bot_in_its_world_stays_where_it_is() -> None:
    hosts = [Host(), Host()]
    placement = Placement(hosts)
    join(placement, "Alice")
    hosts[0].bots |= {"Bob", "Carol"}
    assert placement.place(ALICE) is placement.host_of(ALICE) is hosts[0]


def test_a_bot_out_of_its_world_joins_where_fewer_are_and_else_where_it_was() -> None:
    hosts = [Host(), Host()]
    placement = Placement(hosts)
    join(placement, "Bob", "Alice")
    hosts[1].bots.clear()
    hosts[0].bots.clear()
    assert placement.place(ALICE) is hosts[1]
    hosts[1].bots.add("Carol")
    assert placement.place(ALICE) is placement.host_of(ALICE) is hosts[0]


def test_bots_of_a_host_that_died_return_to_it_unless_it_stays_away() -> None:
    hosts = [Host(), Host()]
    placement = Placement(hosts)
    join(placement, *names(4))
    lost, hosts[1].bots = hosts[1].bots, set()
    hosts[1].away_s = 0.1
    assert {placement.place(BotName(name)) for name in lost} == {hosts[1]}
    hosts[1].away_s = BACK_SOON_S
    assert {placement.place(BotName(name)) for name in lost} == {hosts[0]}


def test_while_no_host_is_there_a_bot_is_placed_all_the_same() -> None:
    hosts = [Host(away_s=9.0), Host({"Bob"}, away_s=9.0)]
    assert Placement(hosts).place(ALICE) is hosts[0]


@pytest.mark.parametrize(
    ("bots", "cores", "hosts"),
    [(0, 8, 1), (2, 8, 1), (25, 8, 1), (26, 8, 2), (100, 8, 4), (100, 2, 2), (100, 1, 1)],
)
def test_few_bots_share_one_host_and_many_one_a_core(bots: int, cores: int, hosts: int) -> None:
    assert Settings().bridge.host_count(bots, cores) == hosts


def test_a_number_of_hosts_is_kept_whatever_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWNSFOLK_BRIDGE__HOSTS", "3")
    assert Settings().host_count == 3


# --- watching -------------------------------------------------------------------------


class SilentLink:
    """A link to a Node that sends nothing; counts how often somebody looks."""

    def __init__(self, *, is_joining: bool, is_crossing: bool = False) -> None:
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.is_joining, self.is_crossing = is_joining, is_crossing
        self.crossings, self.looks = 1, 0

    @property
    def pushes(self) -> int:
        self.looks += 1
        return self.looks if self.is_crossing else 0

    def fail(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_result(why)


@pytest.mark.parametrize("is_crossing", [False, True])
@pytest.mark.parametrize("is_joining", [False, True])
async def test_node_may_be_silent_for_longer_while_a_bot_joins(
    monkeypatch: pytest.MonkeyPatch, *, is_joining: bool, is_crossing: bool
) -> None:
    most = watch.JOINING_TICKS if is_joining else watch.STILL_TICKS
    monkeypatch.setattr(watch, "TICK_S", watch.TICK_S / 1000)
    link = SilentLink(is_joining=is_joining, is_crossing=is_crossing)
    async with asyncio.timeout(10):
        await watch.watch(cast(Link, link))
    told = "kept a batch for" if is_crossing else "been silent for"
    assert link.ended.result().startswith(f"Node has {told}")
    assert link.looks == most + 1


async def test_a_link_is_joining_while_a_spawn_is_under_way() -> None:
    link = Link(lambda events: None, lambda: 0)
    assert not link.is_joining
    spawning = asyncio.create_task(link.command("spawn", "Alice", {}, 5.0))
    await asyncio.sleep(0)
    assert link.is_joining
    link.fail("enough")
    with pytest.raises(BridgeDown, match="enough"):
        await spawning
    assert not link.is_joining
