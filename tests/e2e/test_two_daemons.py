"""Two daemons on one server: their bots take each other for people, and still come to an end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from e2e.daemon_client import Json, Watch
from e2e.daemon_process import DaemonProcess, Site

from bridge.server.launcher import HOST, EmbeddedServer

pytestmark = [pytest.mark.anyio, pytest.mark.real]

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
