"""Limits idle connections: how many there may be, and how long they may wait.

Anybody on this machine may connect; only a whole request shows whether they hold the token. What
is no request is refused in words, and its connection ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

import structlog
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

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
        everybody = list(_of(self.connections))
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
            self._refuse()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self.conn.fail(1007, "text must be UTF-8")
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True  # it was refused, and that is all

    def _refuse(self) -> None:
        self.transport.write(_NO_WEBSOCKET)
        self.handshake_complete = self.close_sent = True
        self.transport.close()


_WHY = b"this is no request for a WebSocket"
_NO_WEBSOCKET = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(_WHY), _WHY)
)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _of(connections: Iterable[object]) -> Iterator[BoundedConnection]:
    return (c for c in connections if isinstance(c, BoundedConnection))


def _host(connection: BoundedConnection) -> str:
    return connection.client[0] if connection.client else ""
