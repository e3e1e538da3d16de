"""Few file descriptors, and somebody who opens connections to take them all."""

import asyncio
import resource
from contextlib import AsyncExitStack
from dataclasses import replace

import psutil
import pytest
from e2e.daemon_process import Site
from e2e.people import People

pytestmark = [pytest.mark.real, pytest.mark.slow]

FEW = 256
WITH_FEW = ("sh", "-c", f'ulimit -n {FEW} && exec "$@"', "sh")
HALF = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
MOST_LOGGED = 20_000  # bytes: a start takes about 2,000


async def test_three_hundred_half_requests_disturb_no_bot(site: Site, people: People) -> None:
    """With 256 descriptors and 300 half requests, whispers were answered with an apology, a dead
    Node stayed dead, and the log grew by a megabyte a second."""
    async with (
        replace(site, program=(*WITH_FEW, *site.program)).up(
            TOWNSFOLK_TALK__SMALL_TALK="false"
        ) as daemon,
        AsyncExitStack() as held,
    ):
        steve = await held.enter_async_context(people.player(daemon.minecraft))
        host, port = daemon.http.base_url.host, daemon.http.base_url.port
        for _ in range(300):
            _reader, writer = await asyncio.open_connection(host, port)
            held.callback(writer.close)
            writer.write(HALF)
        assert "Sorry" not in await steve.asks("Alice", "Where are you?")
        async with daemon.watching() as watch:
            daemon.bots_node.kill()
            await watch.all_back("Alice", "Bob")
        assert (await daemon.get("/healthz"))["ok"] is True
        assert psutil.Process(daemon.pid).num_fds() < FEW / 2
        assert len(daemon.stderr) < MOST_LOGGED
    assert daemon.tracebacks == []


async def test_the_first_goal_needs_no_descriptor(site: Site) -> None:
    """The solver was loaded for the first goal. Without descriptors half of it was, and no goal
    was planned any more until the next start."""
    async with site.up(TOWNSFOLK_TALK__SMALL_TALK="false") as daemon:
        assert (await daemon.get("/healthz"))["ok"] is True  # over the connection that is kept
        process = psutil.Process(daemon.pid)
        before = process.rlimit(resource.RLIMIT_NOFILE)
        process.rlimit(resource.RLIMIT_NOFILE, (process.num_fds(), before[1]))
        made = await daemon.command("Alice", "!goal inventory.oak_planks:4")
        process.rlimit(resource.RLIMIT_NOFILE, before)
    assert made["success"] is True, made
    assert daemon.tracebacks == []
