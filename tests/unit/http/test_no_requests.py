"""What is no request is refused in words or cut off, at once, and leaves no traceback."""

import asyncio
import json
import logging
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.http_stub import TOKEN, StubDaemon

from bots.daemon.data_folder import MCP_NAME
from bots.http.security import Keys
from bots.http.server import HttpServer
from bots.mcp.serving import over_http
from bots.settings.settings import DashboardSettings

pytestmark = pytest.mark.slow

WITHIN_S = 20.0
UPGRADE = (
    *(b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13"),
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
CHUNKED = b"Transfer-Encoding: chunked"
LONG = b"x" * 20_000


class Site:
    """A server, and raw connections to it."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token

    def request(
        self, line: bytes, *headers: bytes, body: bytes = b"", entitled: bool = True
    ) -> bytes:
        head = [line, b"Host: 127.0.0.1:%d" % self.port, *headers]
        if entitled:
            head.append(b"Authorization: Bearer " + self.token.encode())
        if body and CHUNKED not in headers:
            head.append(b"Content-Length: %d" % len(body))
        return b"\r\n".join(head) + b"\r\n\r\n" + body

    async def told(self, sent: bytes, then: bytes = b"") -> bytes:
        """All that is answered until the server ends the connection; `then` is sent once something
        was."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            async with asyncio.timeout(WITHIN_S):
                writer.write(sent)
                first = await reader.read(64 * 1024)
                writer.write(then)
                return first + await reader.read()
        except ConnectionResetError:
            return b"cut off"
        finally:
            writer.close()

    async def hang_up_after(self, sent: bytes) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(sent)
        await writer.drain()
        writer.transport.abort()


@pytest.fixture
async def daemon() -> AsyncIterator[Site]:
    stub = StubDaemon()
    http = await HttpServer.start(stub, DashboardSettings(), Keys(TOKEN))
    yield Site(http.port, TOKEN)
    await http.aclose()


@pytest.fixture
async def mcp(tmp_path: Path) -> AsyncIterator[Site]:
    ready = asyncio.Event()
    serving = asyncio.ensure_future(over_http(tmp_path, 0, lambda _line: ready.set()))
    async with asyncio.timeout(WITHIN_S):
        await ready.wait()
    found = json.loads((tmp_path / MCP_NAME).read_text(encoding="utf-8"))
    yield Site(int(found["url"].split(":")[2].split("/")[0]), found["token"])
    serving.cancel()
    await asyncio.wait({serving})


def frame(kind: int, payload: bytes) -> bytes:
    """A whole frame of a client, masked with zeros; ping and text are the kinds used here."""
    length = bytes([0x80 | len(payload)])
    if len(payload) > 125:
        length = b"\xfe" + struct.pack(">H", len(payload))
    return bytes([0x80 | kind]) + length + b"\0\0\0\0" + payload


@pytest.mark.parametrize(
    ("line", "headers", "body"),
    [
        (b"POST /ws HTTP/1.1", UPGRADE, b"abc"),
        (b"GET /ws HTTP/1.1", UPGRADE, b"abc"),
        (b"GET /ws HTTP/1.1", (*UPGRADE, CHUNKED), b"3\r\nabc\r\n0\r\n\r\n"),
        (b"GET /ws?last=" + b"1" * 20_000 + b" HTTP/1.1", UPGRADE, b""),
        (b"GET /ws HTTP/1.1", (*UPGRADE, b"X: " + LONG), b""),
        (b"GET /ws HTTP/1.1", (*UPGRADE, *(b"X%d: 1" % number for number in range(200))), b""),
        (b"GET /ws HTTP/1.1", UPGRADE[:3], b""),
        (b"GET /ws HTTP/1.1", (*UPGRADE[:3], b"Sec-WebSocket-Key: \xff"), b""),
        (b"GET /ws HTTP/1.1", (*UPGRADE, UPGRADE[3]), b""),
        (b"GET /ws HTTP/1.1", (*UPGRADE, b"Sec-WebSocket-Protocol: ,,\xff"), b""),
    ],
)
@pytest.mark.parametrize("entitled", [True, False])
async def test_what_is_no_request_for_a_websocket_is_refused_and_ends(
    daemon: Site,
    caplog: pytest.LogCaptureFixture,
    line: bytes,
    headers: tuple[bytes, ...],
    body: bytes,
    entitled: bool,
) -> None:
    told = await daemon.told(daemon.request(line, *headers, body=body, entitled=entitled))
    assert told.startswith(b"HTTP/1.1 4"), told[:80]
    assert not mistakes(caplog)


async def test_a_reader_without_the_token_is_no_mistake_of_ours(
    daemon: Site, caplog: pytest.LogCaptureFixture
) -> None:
    told = await daemon.told(daemon.request(b"GET /ws HTTP/1.1", *UPGRADE, entitled=False))
    assert told.startswith(b"HTTP/1.1 401")
    assert b'"unauthorised"' in told
    assert not mistakes(caplog)


@pytest.mark.parametrize(
    "sent",
    [
        frame(1, b"\xff\xfe"),
        frame(1, b"\xed\xa0\x80"),
        frame(5, b"?"),
        frame(0, b"no beginning"),
        frame(9, b"x" * 200),
        b"\xf1" + frame(1, b"x")[1:],
        b"\x81\xff" + b"\xff" * 8,
        b"\x88\x81\0\0\0\0\0",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
async def test_a_frame_that_is_none_closes_its_websocket_with_the_reason(
    daemon: Site, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    told = await daemon.told(daemon.request(b"GET /ws HTTP/1.1", *UPGRADE), then=sent)
    head, _, frames = told.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101")
    assert frames[:1] == b"\x88", "a close frame"
    assert frames[2:4] in {struct.pack(">H", code) for code in (1002, 1007, 1009)}
    assert not mistakes(caplog)


@pytest.mark.parametrize(
    ("line", "headers", "body"),
    [
        (b"POST /api/bots/Alice/commands HTTP/1.1", (), b"[" * 60_000),
        (b"POST /api/bots/Alice/commands HTTP/1.1", (), b'{"text": "\xff"}'),
        (b"POST /api/bots/Alice/messages HTTP/1.1", (), b'{"text": "\\ud800"}'),
        (b"POST /api/bots/Alice/messages HTTP/1.1", (CHUNKED,), b"zz\r\n"),
        (b"GET /api/bots/%ed%a0%80/goals HTTP/1.1", (), b""),
        (b"GET /api/bots HTTP/1.1", (b"Origin: http://[v1.",), b""),
        (b"G\xc3T / HTTP/1.1", (), b""),
        (b"\x16\x03\x01\x02", (), b""),
    ],
)
async def test_what_is_no_request_of_ours_is_refused(
    daemon: Site,
    caplog: pytest.LogCaptureFixture,
    line: bytes,
    headers: tuple[bytes, ...],
    body: bytes,
) -> None:
    sent = daemon.request(line, b"Connection: close", *headers, body=body)
    assert (await daemon.told(sent)).startswith(b"HTTP/1.1 4")
    assert not mistakes(caplog)


KINDS = (b"Content-Type: application/json", b"Accept: application/json, text/event-stream")


@pytest.mark.parametrize(
    ("line", "headers", "body"),
    [
        (b"POST /mcp HTTP/1.1", KINDS, b"[" * 100_000),
        (b"POST /mcp HTTP/1.1", KINDS, b'{"jsonrpc": "\xff"}'),
        (b"POST /mcp HTTP/1.1", KINDS, b'{"jsonrpc": "2.0", "id": {}, "method": 5}'),
        (b"POST /mcp HTTP/1.1", KINDS, b'{"x": "' + b"x" * 2**20 + b'"}'),
        (b"POST /mcp HTTP/1.1", (*KINDS, CHUNKED), b"zz\r\n"),
        (b"GET /mcp HTTP/1.1", (*KINDS, b"Last-Event-ID: \xff", b"Mcp-Session-Id: \xff"), b""),
        (b"GET /mcp HTTP/1.1", (*KINDS, b"Last-Event-ID: 1", b"MCP-Protocol-Version: 1"), b""),
        (b"GET /mcp HTTP/1.1", UPGRADE, b"abc"),
    ],
)
async def test_what_is_no_request_for_mcp_is_refused(
    mcp: Site,
    caplog: pytest.LogCaptureFixture,
    line: bytes,
    headers: tuple[bytes, ...],
    body: bytes,
) -> None:
    close = () if headers == UPGRADE else (b"Connection: close",)
    assert (await mcp.told(mcp.request(line, *close, *headers, body=body))).startswith(
        b"HTTP/1.1 4"
    )
    assert not mistakes(caplog)


async def test_whoever_hangs_up_within_a_request_for_mcp_leaves_no_traceback(
    mcp: Site, caplog: pytest.LogCaptureFixture
) -> None:
    sent = mcp.request(b"POST /mcp HTTP/1.1", *KINDS, body=b"{" + LONG)
    await mcp.hang_up_after(sent[:-100])
    assert (await mcp.told(mcp.request(b"GET / HTTP/1.1", b"Connection: close"))).startswith(
        b"HTTP/1.1 404"
    )
    assert not mistakes(caplog)


async def test_a_wish_to_go_on_with_a_stream_of_mcp_that_is_not_kept_is_refused(
    mcp: Site, caplog: pytest.LogCaptureFixture
) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a test", "version": "1"},
        },
    }
    asked = mcp.request(
        b"POST /mcp HTTP/1.1", b"Connection: close", *KINDS, body=json.dumps(hello).encode()
    )
    begun = await mcp.told(asked)
    session = next(line for line in begun.split(b"\r\n") if line.startswith(b"mcp-session-id"))
    headers = (*KINDS, session, b"Last-Event-ID: 7", b"Connection: close")
    told = await mcp.told(mcp.request(b"GET /mcp HTTP/1.1", *headers))
    assert told.startswith(b"HTTP/1.1 400")
    assert b'"bad_request"' in told
    assert not mistakes(caplog)


def mistakes(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Of ours: errors and tracebacks in the log."""
    found = [one for one in caplog.records if one.levelno >= logging.ERROR or one.exc_info]
    return [one.getMessage() for one in found]
