"""A NATS broker of a test's own, on a free port and with a folder of its own."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

READY_WITHIN_S = 30.0
ANY_PORT = -1


class Broker:
    """A broker that can be killed, and started again on its port with what it has stored."""

    def __init__(self, program: str, folder: Path, *options: str) -> None:
        self._program, self._folder, self._options = program, folder, options
        self._port = ANY_PORT
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(self._program, "-a", "127.0.0.1", "-p", str(self._port), *self._options),
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(READY_WITHIN_S):
            said = await self._until_ready(self._process)
        if found := re.search(r"client connections on 127\.0\.0\.1:(\d+)", said):
            self._port = int(found[1])

    async def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            await self._process.communicate()
            self._process = None

    async def _until_ready(self, process: asyncio.subprocess.Process) -> str:
        assert process.stderr is not None
        said = ""
        while "Server is ready" not in said:
            line = (await process.stderr.readline()).decode()
            assert line, f"the broker ended: {said}"
            said += line
        return said


@asynccontextmanager
async def running_broker(folder: Path, *, jetstream: bool = True) -> AsyncIterator[Broker]:
    """A broker while the block lasts; the test is skipped where there is none to start."""
    program = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
    if program is None:
        pytest.skip("no NATS broker on this machine: apt-get install nats-server")
    options = ("-js", "-sd", str(folder)) if jetstream else ()
    broker = Broker(program, folder, *options)
    try:
        await broker.start()
        yield broker
    finally:
        await broker.kill()
