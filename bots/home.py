"""The server the bots live on: one that was named, or the embedded one, kept alive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import structlog

from bots.clock import Sleep
from bridge.errors import ServerFailed
from bridge.node import NodeRuntime
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer

log = structlog.get_logger()

RESTART_AFTER_S = 0.5  # a port needs a moment to be free again


class Home(Protocol):
    @property
    def address(self) -> ServerAddress: ...

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Keep the server there until cancelled; `on_ready` after each return of it."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class NamedServer:
    """Somebody else's server: it comes and goes as it likes."""

    address: ServerAddress

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Nothing to keep."""

    async def aclose(self) -> None:
        """Nothing to end."""


@dataclass(frozen=True, slots=True)
class EmbeddedPlan:
    """How the embedded server is started, again and again alike."""

    runtime: NodeRuntime
    spam_checked: tuple[str, ...]
    """Names under the vanilla spam rule: our own bots."""
    port: int
    version: str
    seed: int
    world_folder: Path | None
    log_path: Path

    async def start(self, port: int) -> EmbeddedServer:
        return await EmbeddedServer.start(
            self.runtime.binary,
            self.runtime.packages_dir,
            port=port,
            version=self.version,
            seed=self.seed,
            spam_checked=self.spam_checked,
            world_folder=self.world_folder,
            log_path=self.log_path,
        )


class EmbeddedHome:
    """Our own server, started again on the same port when it ends."""

    def __init__(self, plan: EmbeddedPlan, server: EmbeddedServer, sleep: Sleep) -> None:
        self.server = server
        self._plan, self._sleep = plan, sleep

    @classmethod
    async def open(cls, plan: EmbeddedPlan, sleep: Sleep) -> EmbeddedHome:
        """Start the server. Raises `ServerFailed` with the reason."""
        return cls(plan, await plan.start(plan.port), sleep)

    @property
    def address(self) -> ServerAddress:
        return ServerAddress(HOST, self.server.port, self._plan.version)

    async def run(self, on_ready: Callable[[], None]) -> None:
        while True:
            code = await self.server.exited()
            log.warning("server.ended", code=code, port=self.server.port)
            await self._revive()
            log.info("server.restarted", port=self.server.port)
            on_ready()

    async def aclose(self) -> None:
        await self.server.aclose()

    async def _revive(self) -> None:
        port = self.server.port
        await self.server.aclose()
        while True:
            await self._sleep(RESTART_AFTER_S)
            try:
                self.server = await self._plan.start(port)
            except ServerFailed as failure:
                log.warning("server.not_restarted", why=str(failure))
            else:
                return
