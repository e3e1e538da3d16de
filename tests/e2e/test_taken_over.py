"""Bots whose daemon, machine or broker is gone live on elsewhere, and come home."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

import pytest
from e2e.daemon_process import DaemonProcess, Site, eventually
from e2e.people import People, Player
from support.broker import Broker, running_broker

from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(240)]

QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false", "TOWNSFOLK_GROUP_TALK__BY_WORDS": "false"}
LEASE_S = 6.0
BACK_WITHIN_S = 10.0
LONGER_S = 30.0  # everything at once on few cores
AGAIN_S = 0.5


class Cluster:
    """A broker, a server, a person, and daemons on folders of their own."""

    def __init__(
        self, new_site: Callable[[], Site], broker: Broker, server: EmbeddedServer, steve: Player
    ) -> None:
        self.broker, self.server, self.steve = broker, server, steve
        self._new_site = new_site
        self._sites: dict[str, Site] = {}

    def daemon(self, name: str, *bots: str) -> AbstractAsyncContextManager[DaemonProcess]:
        """With its bots in the world; of the same folder as before, if there was one."""
        site = self._sites.setdefault(name, self._new_site())
        where = f"{HOST}:{self.server.port}"
        flags = ("--cluster", self.broker.url, "--server", where, "--owner", self.steve.name)
        return site.up(*flags, "--bots", ",".join(bots), TOWNSFOLK_CLUSTER__NAME=name, **QUIET)

    async def in_world(self) -> list[str]:
        """The names of all bodies but the person's."""
        rows = await self.server.admin("players")
        return sorted(row["name"] for row in rows if row["name"] != self.steve.name)

    async def until_in_world(self, bots: list[str], within_s: float = LONGER_S) -> None:
        async with asyncio.timeout(within_s):
            while await self.in_world() != bots:  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.05)

    async def answered(self, bot: str, question: str, containing: str = "") -> str:
        """Ask until there is an answer. Raises TimeoutError."""
        async with asyncio.timeout(LONGER_S):
            while True:
                await self.steve.whispers(bot, question)
                try:
                    return await self.steve.hears(bot, AGAIN_S, containing)
                except TimeoutError:
                    continue


@pytest.fixture
async def cluster(
    new_site: Callable[[], Site], people: People, node_binary: Path, node_dir: Path, tmp_path: Path
) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(running_broker(tmp_path / "broker"))
        server = await EmbeddedServer.start(node_binary, node_dir)
        stack.push_async_callback(server.aclose)
        steve = await stack.enter_async_context(people.player(ServerAddress(HOST, server.port)))
        yield Cluster(new_site, broker, server, steve)


async def killed(daemon: DaemonProcess) -> float:
    """When it was killed; with it end its Nodes."""
    daemon.descendants()
    daemon.send_signal(signal.SIGKILL)
    at_s = time.monotonic()
    await daemon.ended()
    await eventually(lambda: daemon.left_behind() == [])
    return at_s


def homes_taken(*daemons: DaemonProcess) -> int:
    logged = [entry["event"] for daemon in daemons for entry in daemon.logged]
    return logged.count("home.moved_in")


async def test_a_killed_daemons_bot_lives_on_elsewhere_and_comes_home(cluster: Cluster) -> None:
    steve = cluster.steve
    async with cluster.daemon("two", "Bob") as two:
        async with cluster.daemon("one", "Alice") as one, one.watching() as watch:
            assert await steve.asks("Alice", "My house is made of birch wood.")
            await steve.whispers("Alice", "!goal inventory.wooden_pickaxe:1")
            await watch.next("goal.step_done", bot="Alice", within_s=LONGER_S)
            killed_at_s = await killed(one)
        assert await steve.hears("Alice", LONGER_S, "I go on with inventory.wooden_pickaxe:1")
        assert time.monotonic() - killed_at_s < BACK_WITHIN_S
        assert await steve.hears("Alice", LONGER_S, "Done: inventory.wooden_pickaxe:1")
        assert "birch" in await cluster.answered("Alice", "What did I say about birch?", "birch")
        elsewhere = await two.history("Alice", username=steve.name)
        async with cluster.daemon("one", "Alice") as one:
            assert homes_taken(two) == 1
            at_home = await one.history("Alice", username=steve.name)
            assert "birch" in at_home[0]["content"]
            assert at_home[: len(elsewhere)] == elsewhere
            assert await cluster.answered("Alice", "Where are you?", "I am at")
            assert await cluster.in_world() == ["Alice", "Bob"]
            assert (one.tracebacks, two.tracebacks) == ([], [])


async def test_one_of_three_daemons_is_killed_and_its_home_moves(cluster: Cluster) -> None:
    async with cluster.daemon("two", "Bob") as two, cluster.daemon("three", "Cara") as three:
        async with cluster.daemon("one", "Alice") as one:
            await killed(one)
        assert await cluster.answered("Alice", "Where are you?", "I am at")
        assert await cluster.in_world() == ["Alice", "Bob", "Cara"]
        assert homes_taken(two, three) == 1


async def test_bots_leave_the_world_without_a_broker_and_come_back(cluster: Cluster) -> None:
    async with cluster.daemon("one", "Alice") as one, cluster.daemon("two", "Bob"):
        assert await cluster.steve.asks("Alice", "My house is made of birch wood.")
        await cluster.broker.kill()
        await cluster.until_in_world([], within_s=LEASE_S + 2)
        await cluster.broker.start()
        await cluster.until_in_world(["Alice", "Bob"])
        await one.ready()  # it tells so again
        kept = await one.history("Alice", username=cluster.steve.name)
        assert "birch" in kept[0]["content"]


async def test_bots_of_a_daemon_that_is_told_to_end_move_on_at_once(cluster: Cluster) -> None:
    async with cluster.daemon("two", "Bob") as two:
        async with cluster.daemon("one", "Alice") as one:
            one.send_signal(signal.SIGINT)
            assert await one.ended() == 0
            ended_s = time.monotonic()
            assert await cluster.answered("Alice", "Where are you?", "I am at")
        assert time.monotonic() - ended_s < LEASE_S
        assert homes_taken(two) == 1
