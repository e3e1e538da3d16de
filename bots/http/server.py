"""Serves HTTP in the daemon's event loop, and leaves signals alone."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import uvicorn
from starlette.types import ASGIApp

from bots.errors import SettingsError
from bots.http.app import Cluster, create_app
from bots.http.connections import AT_ONCE, BoundedConnection, CleanWebSocket
from bots.http.keys import Keys
from bots.http.port import OperatorPort, WatchPort
from bots.http.requests import BODY_BYTES
from bots.http.security import OwnAddresses
from bots.owned_tasks import OwnedTasks
from bots.settings.fields import LOOPBACK_NAMES
from bots.settings.settings import DashboardSettings

START_WITHIN_S = 5.0
CLOSE_WITHIN_S = 0.6  # for answers under way; then connections are cut
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})

MakeApp: TypeAlias = Callable[[int, asyncio.Event], ASGIApp]
"""Makes an app for this port; the event is set when the server closes."""


class _Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # The daemon owns SIGINT and SIGTERM: it ends the bots before it ends HTTP.
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


class HttpServer:
    """A running server; `start` makes one, `aclose` ends it within a second."""

    def __init__(
        self,
        address: tuple[str, int],
        server: _Uvicorn,
        bound: socket.socket,
        closing: asyncio.Event,
    ) -> None:
        self.host, self.port = address
        self._server, self._closing = server, closing
        self._tasks = OwnedTasks()  # the bots go on without HTTP; its failure is in the log
        self._serving = self._tasks.start(server.serve([bound]), "http server")

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        host = "127.0.0.1" if self.host in ANY_ADDRESS else self.host
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    @classmethod
    async def start(
        cls,
        operator: OperatorPort,
        watch: WatchPort,
        settings: DashboardSettings,
        keys: Keys,
        secrets: Iterable[str] = (),
        cluster: Cluster | None = None,
    ) -> HttpServer:
        """No answer will hold the token or one of these secrets. With a `cluster` the bots of
        its other daemons are shown and commanded here too.

        Raises SettingsError when the port cannot be opened."""

        def app(port: int, closing: asyncio.Event) -> ASGIApp:
            own = _own_addresses(settings, port)
            return create_app(operator, watch, own, keys, secrets, closing, cluster)

        return await cls.serve(app, settings.host, settings.port, "--dashboard-port")

    @classmethod
    async def serve(cls, make_app: MakeApp, host: str, port: int, flag: str) -> HttpServer:
        """Serve any app; `flag` sets the port. Raises SettingsError like `start`."""
        bound = _bind(host, port, flag)
        port, closing = bound.getsockname()[1], asyncio.Event()
        config = uvicorn.Config(
            make_app(port, closing),
            http=BoundedConnection,
            backlog=AT_ONCE,
            ws=CleanWebSocket,
            ws_max_size=BODY_BYTES,
            # To this machine itself bytes cost less than pressing them together for each reader.
            ws_per_message_deflate=host not in LOOPBACK_NAMES,
            lifespan="off",
            log_config=None,
            # Addresses may hold the token.
            access_log=False,
            server_header=False,
            proxy_headers=False,
        )
        http = cls((host, port), _Uvicorn(config), bound, closing)
        try:
            async with asyncio.timeout(START_WITHIN_S):
                await http._server.listening.wait()
        except TimeoutError:
            await http.aclose()
            raise SettingsError(f"HTTP did not start within {START_WITHIN_S:g} s") from None
        return http

    async def aclose(self) -> None:
        """Answer unfinished requests with `shutting_down`, close every WebSocket, and end."""
        self._closing.set()
        self._server.should_exit = True
        await asyncio.wait({self._serving}, timeout=CLOSE_WITHIN_S)
        for request in list(self._server.server_state.tasks):
            request.cancel()
        self._server.force_exit = True
        await asyncio.wait({self._serving})


def _bind(host: str, port: int, flag: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        bound = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        hint = f"choose another with {flag}, or 0 for any free one"
        raise SettingsError(f"cannot listen on {host} port {port}: {reason}; {hint}") from error
    # Connections inherit it. Head and body of an answer are two packets; the second would wait
    # 40 ms until the first is acknowledged.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def _own_addresses(settings: DashboardSettings, port: int) -> OwnAddresses:
    names = {name.lower() for name in settings.host_names}
    return OwnAddresses(port, frozenset(names | {f"{settings.host}:{port}".lower()}))
