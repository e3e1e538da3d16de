"""A data folder on which a stub of the daemon runs, and clients of the MCP server over it."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client
from mcp.server import Server
from mcp_types import CallToolResult, LoggingMessageNotificationParams
from support.http_stub import TOKEN, StubDaemon

from bots.commands.catalogue import commands
from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonFile, DashboardAddress, ServerAddress
from bots.http.security import Keys
from bots.http.server import HttpServer
from bots.mcp.serving import Services, make_server
from bots.settings.settings import DashboardSettings

WITHIN_S = 10.0

Era = Literal["legacy", "auto"]
EARLIER = pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")
"""For methods of earlier protocols, which most clients still speak."""


class McpSite:
    """One data folder; `daemon` is the stub that runs on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.daemon = StubDaemon()
        self._http: HttpServer | None = None

    async def start(self, token: str = TOKEN) -> StubDaemon:
        """Another daemon, on a port of its own."""
        self.daemon = StubDaemon()
        self._http = await HttpServer.start(self.daemon, DashboardSettings(), Keys(token))
        file = DaemonFile(
            pid=os.getpid(),
            server=ServerAddress(host="127.0.0.1", port=25565, version="1.16.5"),
            dashboard=DashboardAddress(url=self._http.url, token=token),
            bots=("Alice", "Bob"),
        )
        daemon_file.write(self.folder, file)
        return self.daemon

    async def end(self, *, leaves_file: bool = False) -> None:
        if self._http is not None:
            await self._http.aclose()
            self._http = None
        if not leaves_file:
            daemon_file.remove(self.folder)

    @property
    def server(self) -> Server[Services]:
        return make_server(self.folder, commands)

    @asynccontextmanager
    async def client(self, mode: Era = "auto", **callbacks: Any) -> AsyncIterator[Client]:
        async with asyncio.timeout(60), Client(self.server, mode=mode, **callbacks) as client:
            yield client

    async def read_events(self) -> None:
        """Wait until the server's WebSocket reads what happens."""
        async with asyncio.timeout(WITHIN_S):
            await asyncio.to_thread(self.daemon.watched.read.wait, WITHIN_S)


def result_of(called: CallToolResult) -> dict[str, Any]:
    assert isinstance(called.structured_content, dict)
    return called.structured_content


class Heard:
    """What callbacks got, and the wait for it."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._woken = asyncio.Event()

    async def take(self, fact: Any) -> None:
        self.all.append(fact)
        self._woken.set()

    async def notice(self, message: object) -> None:
        await self.take(message)

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        await self.take(message)

    async def first(self, wanted: Callable[[Any], object] = lambda _: True) -> Any:
        """The first that is wanted; waited for."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                for one in self.all:
                    if wanted(one):
                        return one
                self._woken.clear()
                await self._woken.wait()


def data_of(message: LoggingMessageNotificationParams) -> dict[str, Any]:
    assert isinstance(message.data, dict)
    return message.data
