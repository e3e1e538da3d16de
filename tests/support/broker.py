"""A NATS broker of a test's own, on a free port and with a folder of its own."""

import asyncio
import re
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import randbelow  # pytest seeds `random` alike in all its workers
from typing import TypeVar

import pytest

from bots.cluster.bus import BusUnavailable
from bots.cluster.nats_bus import NatsBus
from bots.errors import SettingsError

T = TypeVar("T")

READY_WITHIN_S = 30.0
ELECTED_WITHIN_S = 90.0  # servers take 4 to 10 s for it, and again where they do not agree
AGAIN_S = 0.1
LONG_LEASE_S = 60.0
ANY_PORT = -1
ROUTE_PORT = 26222  # of addresses that no other test has, below those that any socket may get
NEWEST = str(Path(sys.executable).parent)  # a package of Python brings one


class Broker:
    """A broker that can be killed, and started again on its port with what it has stored."""

    def __init__(self, program: str, folder: Path, *options: str) -> None:
        self._program, self._folder, self._options = program, folder, options
        self._port = ANY_PORT
        self._process: asyncio.subprocess.Process | None = None
        self._said: asyncio.Task[bytes] | None = None

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
        assert self._process.stderr is not None
        # Read all that it says: it would stand still before a full pipe.
        self._said = asyncio.create_task(self._process.stderr.read())

    async def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            await process.wait()
        if self._said is not None:
            await self._said

    def freeze(self) -> None:
        """Answer nothing, and close nothing, as when its machine is gone."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    async def _until_ready(self, process: asyncio.subprocess.Process) -> str:
        assert process.stderr is not None
        said = ""
        while "Server is ready" not in said:
            line = (await process.stderr.readline()).decode()
            assert line, f"the broker ended: {said}"
            said += line
        return said


@asynccontextmanager
async def running_broker(
    folder: Path, *, jetstream: bool = True, config: str = ""
) -> AsyncIterator[Broker]:
    """A broker while the block lasts; the test is skipped where there is none to start."""
    options: tuple[str, ...] = ("-js", "-sd", str(folder)) if jetstream else ()
    if config:
        (folder / "broker.conf").write_text(config)
        options = ("-c", str(folder / "broker.conf"))
    async with _running(Broker(_program("", "/usr/sbin", NEWEST), folder, *options)) as broker:
        yield broker


@asynccontextmanager
async def three_brokers(folder: Path) -> AsyncIterator[list[Broker]]:
    """Three that are one NATS cluster, of a version that may hold things three times."""
    program = _program(NEWEST)
    net = f"127.{randbelow(250) + 1}.{randbelow(250) + 1}"  # Linux has them all; nobody is there
    routes = [f"nats://{net}.{number}:{ROUTE_PORT}" for number in (1, 2, 3)]
    async with AsyncExitStack() as stack:
        brokers = []
        for number, route in enumerate(routes):
            of_cluster = ("--cluster_name", "test", "--cluster", route, "--routes")
            name = ("-n", f"b{number}", "-js", "-sd", str(folder / str(number)))
            broker = Broker(program, folder, *name, *of_cluster, ",".join(routes))
            brokers.append(await stack.enter_async_context(_running(broker)))
        yield brokers


async def once_ready(brokers: Sequence[Broker], replicas: int | None) -> NatsBus:
    """Connect; servers of a cluster need a moment to find one another."""
    urls = [broker.url for broker in brokers]
    connecting = partial(NatsBus.connect, urls, "test", LONG_LEASE_S, replicas)
    return await until_done(connecting, (BusUnavailable, SettingsError))


async def until_done(
    call: Callable[[], Awaitable[T]], failures: tuple[type[Exception], ...] = (BusUnavailable,)
) -> T:
    """Ask again while the servers that are left agree on who leads."""
    async with asyncio.timeout(ELECTED_WITHIN_S):
        while True:
            with suppress(*failures):
                return await call()
            await asyncio.sleep(AGAIN_S)


@asynccontextmanager
async def _running(broker: Broker) -> AsyncIterator[Broker]:
    try:
        await broker.start()
        yield broker
    finally:
        await broker.kill()


def _program(*folders: str) -> str:
    """The broker of the first folder that has one; "" for those that the shell looks into."""
    for folder in folders:
        if found := shutil.which("nats-server", path=folder or None):
            return found
    pytest.skip("no NATS broker on this machine: apt-get install nats-server")
