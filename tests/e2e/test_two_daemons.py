"""Two daemons on one server: their bots hear each other, taken for people or known as bots, and
make room for what is handed over."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from e2e.daemon_client import Watch
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import People

from bots.app import Daemon
from bots.settings.settings import BotsSettings, DashboardSettings, LlmSettings, Settings
from bots.settings.talk import TalkSettings
from bots.settings.world import ServerSettings
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer
from bridge.world import Position

pytestmark = pytest.mark.real

QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false"}
MOST = 8
"""Lines that two strangers say to each other before they know what they are."""
LANDED = {"x": 6.3, "y": 64, "z": 8.5}
"""Where falls what Steve throws."""
SILENT_S = 3.0  # they answered each other every second


async def lines(daemon: DaemonProcess, bot: str) -> int:
    return len(await daemon.history(bot, type="conversation"))


async def is_silent(watch: Watch) -> bool:
    """Whether some seconds pass in which its bot hears nothing."""
    for _ in range(MOST):
        try:
            await watch.next("message.heard", within_s=SILENT_S)
        except TimeoutError:
            return True
    return False


@pytest.fixture
async def server(node_binary: Path, node_dir: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(node_binary, node_dir)
    yield server
    await server.aclose()


@asynccontextmanager
async def ours_and_theirs(
    new_site: Callable[[], Site], server: EmbeddedServer
) -> AsyncIterator[tuple[DaemonProcess, DaemonProcess]]:
    """Alice's daemon, and Carl's."""
    where = f"{HOST}:{server.port}"
    async with (
        new_site().starting("--server", where, "--bots", "Alice", **QUIET) as ours,
        new_site().starting("--server", where, "--bots", "Carl", **QUIET) as theirs,
    ):
        await asyncio.gather(ours.ready(), theirs.ready())
        yield ours, theirs


async def test_what_is_handed_over_reaches_whom_it_is_for_beside_a_strangers_bot(
    new_site: Callable[[], Site], server: EmbeddedServer, people: People
) -> None:
    where = ServerAddress(HOST, server.port)
    async with (
        ours_and_theirs(new_site, server) as (ours, theirs),
        people.player(where, "Tim") as tim,
        people.player(where) as steve,
    ):
        await server.admin("give", player="Alice", item="bread", count=2)
        assert (await theirs.command("Carl", f"!go {tim.name}"))["success"]
        given = await ours.command("Alice", f"!navigation dropItem bread 2 {tim.name}")
        assert (given["success"], given.get("taken")) == (True, {tim.name: 2}), given

        await server.admin("give", player=steve.name, item="apple", count=2)
        for name, x in ((steve.name, 3.5), (tim.name, 9.0), ("Alice", 40.5), ("Carl", 14.5)):
            await server.admin("teleport", player=name, x=x, y=64, z=8.5)
        async with theirs.watching() as watch:
            await steve.throws("apple", 2, to=Position(9.0, 65, 8.5))
            await server.admin("teleport", player="Carl", **LANDED)
            handed = await watch.next("item.handed_on", within_s=30)
        assert (handed["to"], handed["count"], handed["reason"]) == (tim.name, 2, None), handed
        assert (await tim.sees()).count("apple") == 2


async def test_bots_of_two_daemons_end_their_talk(
    new_site: Callable[[], Site], server: EmbeddedServer
) -> None:
    async with ours_and_theirs(new_site, server) as (ours, theirs):
        for words in ("Hello there!", "I have no answer to that."):
            before = await lines(ours, "Alice")
            async with ours.watching() as watch:
                said = await ours.command("Alice", f"!chat Carl {words}")
                assert said["success"] is True, said
                assert await is_silent(watch)
            assert 1 <= await lines(ours, "Alice") - before <= MOST
        for one, bot in ((ours, "Alice"), (theirs, "Carl")):
            assert await lines(one, bot) <= 2 * MOST


def daemon_of(name: str, folder: Path, port: int) -> Daemon:
    """A daemon with one bot that often has something to say."""
    return Daemon(
        Settings(
            data_dir=folder / name,
            bots=BotsSettings(names=(name,)),
            server=ServerSettings(host=HOST, port=port),
            dashboard=DashboardSettings(enabled=False),
            llm=LlmSettings(enabled="off"),
            talk=TalkSettings(small_talk_every_s=1.0),
        )
    )


async def says(daemon: Daemon, lines: int) -> None:
    """Wait until its bot has made so much small talk."""
    with daemon.trace.reading() as reader:
        async for traced in reader:
            lines -= traced.name == "smalltalk.said"
            if lines == 0:
                return


@pytest.mark.timeout(180)
async def test_bots_that_know_each_other_as_bots_make_small_talk_that_nobody_answers(
    server: EmbeddedServer, tmp_path: Path
) -> None:
    ours, theirs = (daemon_of(name, tmp_path, server.port) for name in ("Alice", "Carl"))
    async with ours, theirs:
        ours._shared.bots_elsewhere.add("Carl")
        theirs._shared.bots_elsewhere.add("Alice")
        async with asyncio.timeout(120):
            await asyncio.gather(says(ours, 2), says(theirs, 2))
        for name, daemon in (("Carl", ours), ("Alice", theirs)):
            heard = daemon.bot("Alice" if name == "Carl" else "Carl").attended_history()
            chatter = [one for one in heard if one.speaker == name]
            assert chatter
            assert {one.utterance.kind for one in chatter} == {"small_talk"}
            assert not [one for one in chatter if "(small talk" in (one.text or "")]
            for answered in ("message.heard", "reply.sent", "line.withheld"):
                assert list(daemon.trace.recent(answered)) == []
