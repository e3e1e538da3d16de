"""Idle connections are ended and never keep others out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx2
import pytest
from structlog.testing import capture_logs
from support.http_stub import BEARER, TOKEN, StubDaemon

from bots.http import server as connections
from bots.http.security import Keys
from bots.http.server import HttpServer
from bots.settings.settings import DashboardSettings

HALF = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
WITHIN_S = 30.0


@pytest.fixture
async def server(daemon: StubDaemon) -> AsyncIterator[HttpServer]:
    server = await HttpServer.start(daemon, DashboardSettings(port=0), Keys(TOKEN))
    yield server
    await server.aclose()


class HalfOpen:
    """Connections that never finish their request."""

    def __init__(self, server: HttpServer) -> None:
        self._port = server.port
        self._stack = AsyncExitStack()
        self.readers: list[asyncio.StreamReader] = []

    async def __aenter__(self) -> "HalfOpen":
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._stack.aclose()

    async def more(self, count: int, sent: bytes = HALF) -> None:
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            self._stack.callback(writer.close)
            writer.write(sent)
            self.readers.append(reader)

    async def closed(self, number: int) -> None:
        """Wait until the server has ended the connection of this number."""
        async with asyncio.timeout(WITHIN_S):
            assert await self.readers[number].read() == b""


@pytest.mark.parametrize("sent", [b"", HALF])
async def test_who_does_not_ask_in_time_is_cut_off(
    server: HttpServer, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    """Half requests were held for ever."""
    monkeypatch.setattr(connections, "HEADER_WITHIN_S", 0.1)
    async with HalfOpen(server) as half:
        await half.more(1, sent)
        await half.closed(0)


async def test_a_byte_now_and_then_buys_no_time(
    server: HttpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADER_WITHIN_S", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    ended = asyncio.create_task(reader.read())
    async with asyncio.timeout(WITHIN_S):
        while not ended.done():
            writer.write(b"X")
            await asyncio.wait([ended], timeout=0.05)
    writer.close()


async def test_three_hundred_half_requests_keep_nobody_out(
    server: HttpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing limited half-open connections: each took a descriptor until there were none."""
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 64)
    async with HalfOpen(server) as half:
        with capture_logs() as logged:
            await half.more(300)
            await half.closed(0)  # the oldest
            async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
                assert (await http.get("/healthz")).status_code == 200
        open_now = [reader for reader in half.readers if not reader.at_eof()]
    assert len(open_now) <= connections.MOST_OF_ADDRESS
    assert logged[0]["event"] == "http.connections_full"


async def test_what_is_being_answered_makes_no_room(
    server: HttpServer, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 3)
    daemon.hold = asyncio.Event()
    async with HalfOpen(server) as half, httpx2.AsyncClient(base_url=server.url) as http:
        asked = http.post("/api/bots/Alice/commands", json={"text": "!help"}, headers=BEARER)
        asking = asyncio.create_task(asked)
        await daemon.started.wait()
        await half.more(9)
        await half.closed(0)
        daemon.hold.set()
        assert (await asking).status_code == 200
