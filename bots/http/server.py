"""Serves HTTP in the daemon's event loop, leaves signals alone, and limits idle connections.

Anybody on this machine may connect; only a whole request shows whether they hold the token. What
is no request is refused in words, and its connection ends.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import structlog
import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bots.daemon.operator import OperatorService
from bots.errors import SettingsError
from bots.http.app import create_app
from bots.http.requests import BODY_BYTES
from bots.http.security import Keys, OwnAddresses
from bots.http.shared_traces import Cluster
from bots.owned_tasks import OwnedTasks
from bots.settings.fields import LOOPBACK_NAMES
from bots.settings.settings import DashboardSettings

START_WITHIN_S = 5.0
CLOSE_WITHIN_S = 0.6  # for answers under way; then connections are cut
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})
MakeApp: TypeAlias = Callable[[int, asyncio.Event], ASGIApp]
"""Makes an app for this port; the event is set when the server closes."""


try:
    import resource
except ImportError:  # Windows, where there is no such limit
    descriptors = 1 << 20
else:
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
log = structlog.get_logger()
HEADER_WITHIN_S = 10.0  # from a connection's opening, or a request's first byte, to its header
AT_ONCE = 32  # taken in one go: without descriptors each of them is an error in the log
FEWEST, MOST = 64, 512  # connections of one address
MOST_OF_ADDRESS = max(FEWEST, min(MOST, descriptors // 4))
"""A quarter of the descriptors: two hundred readers at once are served where there are 1,024."""
MOST_IN_ALL = MOST_OF_ADDRESS * 3 // 2


class BoundedConnection(H11Protocol):
    """An HTTP connection that must ask for something soon, or make room for others.

    Where there are too many, the one goes that has waited longest without a whole request."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._opened_s = self.loop.time()
        self._set_deadline()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._drop_deadline()

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered, and none by a WebSocket that took this over."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.transport.get_protocol() is self

    def _set_deadline(self) -> None:
        if not self._waits:
            self._drop_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_WITHIN_S, self._end)

    def _drop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self) -> None:
        self._deadline = None
        if self._waits:
            self.transport.close()

    def _make_room(self) -> None:
        everybody = [c for c in self.connections if isinstance(c, BoundedConnection)]
        of_address = [c for c in everybody if _host(c) == _host(self)]
        for rivals, most in ((of_address, MOST_OF_ADDRESS), (everybody, MOST_IN_ALL)):
            if len(rivals) > most:
                waiting = [c for c in rivals if c._waits and not c.transport.is_closing()]
                min(waiting, key=lambda c: c._opened_s).transport.close()  # oneself at least
                log.warning("http.connections_full", address=_host(self), most=most)
                return


class CleanWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that answers whatever is no WebSocket.

    expected: uvicorn refuses what cannot be parsed. actual: a request with a body, or with too
    many or too long headers, is never answered nor closed; text that is no UTF-8 is a traceback;
    a refusal by the app is logged as a mistake. remove when: it does (0.54 does not)."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(_NO_WEBSOCKET)
            self.handshake_complete = self.close_sent = True
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self.conn.fail(1007, "text must be UTF-8")
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True  # it was refused, and that is all


_WHY = b"this is no request for a WebSocket"
_NO_WEBSOCKET = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(_WHY), _WHY)
)


def _host(connection: BoundedConnection) -> str:
    return connection.client[0] if connection.client else ""


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
        operator: OperatorService,
        settings: DashboardSettings,
        keys: Keys,
        secrets: Iterable[str] = (),
        cluster: Cluster | None = None,
    ) -> HttpServer:
        """No answer will hold the token or one of these secrets. With a `cluster` the bots of
        its other daemons are shown and commanded here too.

        Raises SettingsError when the port cannot be opened."""

        def app(port: int, closing: asyncio.Event) -> ASGIApp:
            names = {name.lower() for name in (*settings.host_names, f"{settings.host}:{port}")}
            own = OwnAddresses(port, frozenset(names))
            return create_app(operator, own, keys, secrets, closing, cluster)

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
