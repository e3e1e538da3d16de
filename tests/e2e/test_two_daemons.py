"""Two daemons on one server: their bots hear each other, taken for people or known as bots."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from e2e.daemon_client import Json, Watch
from e2e.daemon_process import DaemonProcess, Site

from bots.app import Daemon
from bots.settings.settings import BotsSettings, DashboardSettings, LlmSettings, Settings
from bots.settings.talk import TalkSettings
from bots.settings.world import ServerSettings
from bridge.server.launcher import HOST, EmbeddedServer

pytestmark = pytest.mark.real

QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false"}
HANDFUL = 6  # talk.max_turns_without_person
SILENT_S = 3.0  # they answered each other every second
MOST_LEFT = 3  # lines that were on their way


async def lines(daemon: DaemonProcess, bot: str) -> int:
    return len(await daemon.history(bot, type="conversation"))


async def first_of(*watches: Watch) -> Json:
    """The first line that either daemon leaves unanswered."""
    waiting = [asyncio.create_task(watch.next("line.withheld", within_s=30)) for watch in watches]
    done, left = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    await asyncio.wait(left)
    return done.pop().result()


async def is_silent(watch: Watch) -> bool:
    """Whether some seconds pass in which nobody says anything."""
    for _ in range(MOST_LEFT):
        try:
            await watch.next("message.heard", within_s=SILENT_S)
        except TimeoutError:
            return True
    return False


async def test_bots_of_two_daemons_end_their_talk(
    new_site: Callable[[], Site], node_binary: Path, node_dir: Path
) -> None:
    server = await EmbeddedServer.start(node_binary, node_dir)
    where = f"{HOST}:{server.port}"
    try:
        async with (
            new_site().starting("--server", where, "--bots", "Alice", **QUIET) as ours,
            new_site().starting("--server", where, "--bots", "Carl", **QUIET) as theirs,
        ):
            await asyncio.gather(ours.ready(), theirs.ready())
            async with ours.watching() as watch, theirs.watching() as other:
                said = await ours.command("Alice", "!chat Carl Hello there!")
                assert said["success"] is True, said
                assert await first_of(watch, other)
            async with ours.watching() as watch:
                assert await is_silent(watch)
            assert HANDFUL < await lines(ours, "Alice") <= 2 * (HANDFUL + 4)
            assert await lines(theirs, "Carl") <= 2 * (HANDFUL + 4)
    finally:
        await server.aclose()


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
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    server = await EmbeddedServer.start(node_binary, node_dir)
    ours, theirs = (daemon_of(name, tmp_path, server.port) for name in ("Alice", "Carl"))
    try:
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
    finally:
        await server.aclose()
