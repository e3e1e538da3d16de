"""What every measurement stands on: one server, the daemon on it, one of its bots."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bots.app import Daemon
from bots.bot.bot import Bot
from bots.observability.logs import logging_to
from bots.settings.settings import Settings
from bridge import node
from bridge.js import JSBridge
from bridge.node import NodeRuntime
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, VERSION, EmbeddedServer

HERE = Path(__file__).parent
BOT = "Daemon"


@dataclass(frozen=True, slots=True)
class Stand:
    runtime: NodeRuntime
    server: EmbeddedServer
    bridge: JSBridge
    bot: Bot
    """Of the daemon; it records what it hears, and answers only through handlers."""

    @property
    def address(self) -> ServerAddress:
        return ServerAddress(HOST, self.server.port, VERSION)

    @property
    def environment(self) -> dict[str, str]:
        """What a child needs to find Node and its packages."""
        return {
            "NODE_BIN": str(self.runtime.binary),
            "TOWNSFOLK_NODE_DIR": str(self.runtime.packages_dir),
        }

    def account(self, username: str) -> dict[str, str | int | None]:
        """With what a plain Mineflayer bot joins this server."""
        at = self.address
        return {"host": at.host, "port": at.port, "version": at.version, "username": username}


@asynccontextmanager
async def standing() -> AsyncIterator[Stand]:
    """Everything started, as `townsfolk up` does and with its log, but unpaced and modelless."""
    with TemporaryDirectory(prefix="townsfolk-benchmark-") as folder:
        async with standing_on(Path(folder)) as stand:
            yield stand


@asynccontextmanager
async def standing_on(data_dir: Path, *, survives: bool = False) -> AsyncIterator[Stand]:
    """The same with the daemon's memory in this folder, and reflexes if it `survives`."""
    runtime = await installed()
    os.environ["TOWNSFOLK_HOST_PROBES"] = "1"
    settings = _settings(data_dir, BOT, survives=survives)
    with logging_to_file(settings):
        async with _server(runtime) as server:
            bridge = await started_bridge(runtime, data_dir)
            async with _daemon(settings, bridge, server) as bot:
                yield Stand(runtime, server, bridge, bot)


@asynccontextmanager
async def another_daemon(stand: Stand, bot: str, data_dir: Path) -> AsyncIterator[Bot]:
    """The only bot of a second daemon on the same server, whose memory is in this folder.

    It runs in this process too, and what it logs goes to the log of the first one."""
    bridge = await started_bridge(stand.runtime, data_dir)
    async with _daemon(_settings(data_dir, bot), bridge, stand.server) as its_bot:
        yield its_bot


async def started_bridge(runtime: NodeRuntime, folder: Path) -> JSBridge:
    """A bridge with a Node of its own, which logs to this folder."""
    bridge = JSBridge(runtime.binary, runtime.packages_dir, folder / "node.log")
    await bridge.start()
    return bridge


@contextmanager
def logging_to_file(settings: Settings) -> Iterator[None]:
    """The daemon's log at its usual level; what would go to the terminal goes nowhere."""
    with (
        Path(os.devnull).open("w") as nowhere,
        logging_to(settings.data_dir, settings.log, stream=nowhere),
    ):
        yield


async def installed() -> NodeRuntime:
    """Node and its packages: TOWNSFOLK_NODE_DIR if set, else the user's cache."""
    named = os.environ.get("TOWNSFOLK_NODE_DIR")
    if named:
        return NodeRuntime(node.node_binary(), Path(named))
    return await node.ready(lambda line: None)


def _settings(folder: Path, bot: str, *, survives: bool = False) -> Settings:
    return Settings.model_validate(
        {
            "data_dir": folder,
            "offline": True,
            "bots": {"names": [bot]},
            "chat": {"pace": False},
            "talk": {"small_talk": False},
            "idle": {"enabled": False},
            "survival": {"enabled": survives},
        }
    )


@asynccontextmanager
async def _server(runtime: NodeRuntime) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(runtime.binary, runtime.packages_dir)
    try:
        yield server
    finally:
        await server.aclose()


@asynccontextmanager
async def _daemon(
    settings: Settings, bridge: JSBridge, server: EmbeddedServer
) -> AsyncIterator[Bot]:
    """The only bot of a daemon, which closes the bridge."""
    (name,) = settings.bots.names
    at = {"host": HOST, "port": server.port, "version": VERSION}
    named = settings.model_copy(update={"server": settings.server.model_copy(update=at)})
    async with Daemon(named, bridge=bridge, answers=False) as daemon:
        if not await daemon.all_joined():
            raise TimeoutError(f"{name} did not join port {server.port}")
        yield daemon.bot(name)
