"""The server the bots join: an external one, or the embedded one, which is kept running."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import structlog

from bots.access.permissions import is_loopback
from bots.clock import Sleep
from bridge.errors import ServerFailed
from bridge.node import NodeRuntime
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, VERSION, EmbeddedServer
from bridge.world import Difficulty

log = structlog.get_logger()

EVERY_NETWORK = "0.0.0.0"
ROUTED = ("192.0.2.1", 9)  # nobody's: of the documentation's network
RESTART_AFTER_S = 0.5  # a port needs a moment to be free again
ASKED_EVERY_S = 5.0
SILENT_S = 8.0  # a busy server takes 1 or 2
ASKED_AGAIN = 2  # one silence may be our own: after a pause of this process all deadlines are over
NOTICED_WITHIN_S = ASKED_EVERY_S + ASKED_AGAIN * SILENT_S
"""A server that hangs is ended by then; docs/running.md says so."""


class ServerHost(Protocol):
    @property
    def address(self) -> ServerAddress: ...

    @property
    def is_ours_alone(self) -> bool:
        """Whether we run it and nobody but this machine can join."""
        ...

    @property
    def lan_address(self) -> ServerAddress | None:
        """Where other devices in this network join, if we let them."""
        ...

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Keep the server running until cancelled; calls `on_ready` after each restart."""
        ...

    async def take_in(self, name: str) -> None:
        """Prepare the server for one more of our bots."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ExternalServer:
    """A server that somebody else runs."""

    address: ServerAddress
    is_ours_alone: bool = False
    lan_address: None = None

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Do nothing: others run it."""

    async def take_in(self, name: str) -> None:
        """Nothing to prepare."""

    async def aclose(self) -> None:
        """Nothing to end: others run it."""


@dataclass(frozen=True, slots=True)
class EmbeddedPlan:
    """How the embedded server is started, the first time and after each end."""

    runtime: NodeRuntime
    spam_checked: tuple[str, ...]
    """Names under the vanilla spam rule: our own bots, where they are paced."""
    is_paced: bool
    owners: tuple[str, ...]
    """Who operates the server where others can join it; else everybody but our bots does."""
    host: str
    port: int
    seed: int
    world_folder: Path | None
    difficulty: Difficulty
    log_path: Path

    async def start(self, port: int) -> EmbeddedServer:
        return await EmbeddedServer.start(
            self.runtime.binary,
            self.runtime.packages_dir,
            host=self.host,
            port=port,
            seed=self.seed,
            spam_checked=self.spam_checked,
            operators=None if is_loopback(self.host) else self.owners,
            world_folder=self.world_folder,
            difficulty=self.difficulty,
            log_path=self.log_path,
        )


class EmbeddedServerHost:
    """Our own server, restarted on the same port when it ends or hangs."""

    def __init__(
        self,
        plan: EmbeddedPlan,
        server: EmbeddedServer,
        sleep: Sleep,
        *,
        asked_every_s: float = ASKED_EVERY_S,
        silent_s: float = SILENT_S,
    ) -> None:
        self.server = server
        self._plan, self._sleep = plan, sleep
        self._asked_every_s, self._silent_s = asked_every_s, silent_s

    @classmethod
    async def open(cls, plan: EmbeddedPlan, sleep: Sleep) -> EmbeddedServerHost:
        """Start the server. Raises `ServerFailed` with the reason."""
        return cls(plan, await plan.start(plan.port), sleep)

    @property
    def address(self) -> ServerAddress:
        host = HOST if self._plan.host == EVERY_NETWORK else self._plan.host
        return ServerAddress(host, self.server.port, VERSION)

    @property
    def is_ours_alone(self) -> bool:
        return is_loopback(self._plan.host)

    @property
    def lan_address(self) -> ServerAddress | None:
        if self.is_ours_alone:
            return None
        host = _host_in_network() if self._plan.host == EVERY_NETWORK else self._plan.host
        return ServerAddress(host, self.server.port, VERSION) if host else None

    async def run(self, on_ready: Callable[[], None]) -> None:
        while True:
            code = await self._ended()
            log.warning("server.ended", code=code, port=self.server.port)
            await self._revive()
            log.info("server.restarted", port=self.server.port)
            on_ready()

    async def take_in(self, name: str) -> None:
        """Apply the spam limit of paced bots to this name."""
        if not self._plan.is_paced or name in self._plan.spam_checked:
            return
        self._plan = replace(self._plan, spam_checked=(*self._plan.spam_checked, name))
        try:
            await self.server.admin("own", player=name)
        except ServerFailed as failure:  # the next one is started with the name
            log.warning("server.not_told", name=name, why=str(failure))

    async def aclose(self) -> None:
        await self.server.aclose()

    async def _ended(self) -> int:
        """Wait for the server to end, and end it when it hangs; its exit code."""
        ended = asyncio.ensure_future(self.server.exited())  # this call owns it: see finally
        try:
            while not (await asyncio.wait({ended}, timeout=self._asked_every_s))[0]:
                if await self._hangs():
                    log.warning("server.hung", port=self.server.port, silent_s=self._silent_s)
                    self.server.kill()
            return ended.result()
        finally:
            ended.cancel()

    async def _hangs(self) -> bool:
        for _ in range(ASKED_AGAIN):
            if await self.server.answers(self._silent_s) or not self.server.alive:
                return False
        return True

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


def _host_in_network() -> str | None:
    """This machine's address where its traffic leaves it; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ROUTED)  # sends nothing
        except OSError:
            return None
        host: str = probe.getsockname()[0]
    return host
