"""The fake API's server: one coroutine a connection, which writes the bytes itself.

Written on asyncio streams because a fault is a matter of bytes: a framework would not cut a
chunk in two or close a connection without a word.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self, TypeAlias

from llm.fake_api.events import OVERLOADED, events_of, sse
from llm.fake_api.steps import Body, Drop, Failure, Reply, Step

Script: TypeAlias = Callable[[Mapping[str, Any]], Step]
"""What to do with the body of a request."""

MODELS = {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}
KEPT = 200  # questions, the newest: each is as long as a whole prompt
_END_OF_CHUNKS = b"0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class FakeClaude:
    """Each question takes the next step of the script; the last one stays. Or a function
    of the question decides. The newest questions are kept, with their headers."""

    def __init__(self, *script: Step, decide: Script | None = None) -> None:
        self.script = list(script) or [Reply()]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.url = ""
        self._decide = decide or self._next_step
        self._asked = 0
        self._closing = asyncio.Event()
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    @asynccontextmanager
    async def serving(self, port: int = 0) -> AsyncIterator[Self]:
        """Listen on loopback for as long as the block lasts; 0 = any free port."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", port)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            self._closing.set()
            server.close()
            # Broken, not cancelled: asyncio would log a cancelled connection as a fault.
            for writer in self._connections.values():
                _break(writer)
            await asyncio.gather(*self._connections)
            await server.wait_closed()

    def _next_step(self, question: Mapping[str, Any]) -> Step:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            # Whoever asked may be gone at any moment.
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while (request := await _read(reader)) is not None:
                    await self._answer(request, writer)
        finally:
            del self._connections[task]
            writer.close()

    async def _answer(self, request: _Request, writer: asyncio.StreamWriter) -> None:
        match request.method, request.path.partition("?")[0]:
            case "POST", "/v1/messages":
                await self._messages(request, writer)
            case "POST", "/v1/messages/count_tokens":
                await _send_json(writer, {"input_tokens": len(request.body) // 4})
            case "GET", "/v1/models":
                await _send_json(writer, _models())
            case _:
                fault = Failure(404, "not_found_error", f"no {request.method} {request.path}")
                await _send_failure(writer, fault)

    async def _messages(self, request: _Request, writer: asyncio.StreamWriter) -> None:
        question = json.loads(request.body)
        self._keep(question, request.headers)
        match self._decide(question):
            case Failure() as failure:
                await _send_failure(writer, failure)
            case Body(text, content_type):
                await _send(writer, HTTPStatus.OK, text.encode(), content_type)
            case Drop():
                _break(writer)
            case Reply() as reply:
                await self._pause(reply.slow_s)
                await self._stream(writer, reply, question["model"])

    def _keep(self, question: dict[str, Any], headers: Mapping[str, str]) -> None:
        self._asked += 1
        self.requests.append(question)
        self.headers.append(headers)
        del self.requests[:-KEPT], self.headers[:-KEPT]

    async def _stream(self, writer: asyncio.StreamWriter, reply: Reply, model: str) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        for sent, event in enumerate(events_of(reply, model, self._asked)):
            if await _strike(writer, reply, sent):
                return
            await _chunk(writer, sse(event))
            await self._pause(reply.drip_s)
        writer.write(_END_OF_CHUNKS)
        await writer.drain()

    async def _pause(self, seconds: float) -> None:
        """Sleep, but end when the server does."""
        if seconds:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), seconds)


async def _strike(writer: asyncio.StreamWriter, reply: Reply, sent: int) -> bool:
    """Do the fault that is due after `sent` events; True when the stream ends by it."""
    if sent == reply.cut_after:
        _break(writer)
    elif sent == reply.end_after:
        writer.write(_END_OF_CHUNKS)
    elif sent == reply.error_after:
        await _chunk(writer, sse(OVERLOADED))
        writer.write(_END_OF_CHUNKS)
    elif sent == reply.garbage_after:
        await _chunk(writer, b'event: content_block_delta\ndata: {"type": "content_bl\n\n')
        return False
    else:
        return False
    return True


async def _read(reader: asyncio.StreamReader) -> _Request | None:
    """The next request of a connection; None when it has none left."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return _Request(method, path, headers, body)


async def _chunk(writer: asyncio.StreamWriter, piece: bytes) -> None:
    writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
    await writer.drain()


async def _send_failure(writer: asyncio.StreamWriter, failure: Failure) -> None:
    error = {"type": failure.kind, "message": failure.message}
    body = {"type": "error", "error": error, "request_id": "req_1"}
    await _send_json(writer, body, failure.status, failure.headers)


async def _send_json(
    writer: asyncio.StreamWriter,
    body: Mapping[str, Any],
    status: int = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
) -> None:
    await _send(writer, status, json.dumps(body).encode(), "application/json", headers)


async def _send(
    writer: asyncio.StreamWriter,
    status: int,
    body: bytes,
    content_type: str,
    headers: Mapping[str, str] | None = None,
) -> None:
    all_headers = {
        "content-type": content_type,
        "content-length": str(len(body)),
        **(headers or {}),
    }
    lines = [f"HTTP/1.1 {status} {_phrase(status)}"]
    lines += [f"{name}: {value}" for name, value in all_headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
    await writer.drain()


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:  # 529 is the vendor's own
        return "Overloaded"


def _break(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


def _models() -> dict[str, Any]:
    rows = [
        {
            "type": "model",
            "id": id_,
            "display_name": id_,
            "created_at": "2026-10-07T00:00:00Z",
            "lifecycle": "active",
            "line": line,
            "max_input_tokens": 1_000_000,
            "max_tokens": 128_000,
        }
        for line, id_ in MODELS.items()
    ]
    return {"data": rows, "has_more": False, "first_id": rows[0]["id"], "last_id": rows[-1]["id"]}
