"""The fake API's server: one coroutine a connection, which answers as the script says.

Written on asyncio streams because a fault is a matter of bytes: a framework would not cut a
chunk in two or close a connection without a word."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from itertools import count
from typing import Any, Self, TypeAlias

from llm.fake_api import steps
from llm.fake_api.script import Asked, BadRequest, Counted, read_as

Script: TypeAlias = Callable[[Mapping[str, Any]], steps.Step]
"""What to do with the body of a request."""

MODELS = {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}
KEPT = 200  # questions, the newest: each is as long as a whole prompt
_BROKEN_EVENT = b'event: content_block_delta\ndata: {"type": "content_bl\n\n'


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one request: whole, or piece by piece."""

    writer: asyncio.StreamWriter
    request_id: str

    async def send_json(self, body: Mapping[str, Any]) -> None:
        await self.send(HTTPStatus.OK, json.dumps(body), "application/json")

    async def send_failure(self, failure: steps.Failure) -> None:
        body = json.dumps(steps.error_of(failure, self.request_id))
        await self.send(failure.status, body, "application/json", failure.headers)

    async def send(
        self, status: int, text: str, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        body = text.encode()
        self._begin(status, content_type, {"content-length": f"{len(body)}", **(headers or {})})
        self.writer.write(body)
        await self.writer.drain()

    def begin_stream(self) -> None:
        headers = {"cache-control": "no-cache", "transfer-encoding": "chunked"}
        self._begin(HTTPStatus.OK, "text/event-stream; charset=utf-8", headers)

    async def send_event(self, event: steps.Event) -> None:
        await self.send_chunk(steps.sse(event))

    async def send_chunk(self, piece: bytes) -> None:
        self.writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await self.writer.drain()

    async def end_stream(self) -> None:
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    def break_off(self) -> None:
        """Close the connection without a word."""
        self.writer.transport.abort()

    def _begin(self, status: int, content_type: str, headers: Mapping[str, str]) -> None:
        always = {"content-type": content_type, "request-id": self.request_id}
        lines = [f"HTTP/1.1 {status} {_phrase(status)}"]
        lines += [f"{name}: {value}" for name, value in {**always, **headers}.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))


async def read_request(reader: asyncio.StreamReader) -> Request | None:
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
    return Request(method, path, headers, body)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:  # 529 is the vendor's own
        return "Overloaded"


class FakeClaude:
    """Each question takes the next step of the script; the last one stays. Or a function
    of the question decides. The newest questions are kept, with their headers."""

    def __init__(self, *script: steps.Step, decide: Script | None = None) -> None:
        self.script = list(script) or [steps.Reply()]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.url = ""
        self._decide = decide or self._next_step
        self._asked = 0
        self._numbers = count(1)
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
                writer.transport.abort()
            await asyncio.gather(*self._connections)
            await server.wait_closed()

    def _next_step(self, question: Mapping[str, Any]) -> steps.Step:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            # Whoever asked may be gone at any moment.
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while (request := await read_request(reader)) is not None:
                    answer = Answer(writer, f"req_{next(self._numbers)}")
                    try:
                        await self._route(request, answer)
                    except BadRequest as error:
                        await answer.send_failure(steps.Failure(400, message=str(error)))
        finally:
            del self._connections[task]
            writer.close()

    async def _route(self, request: Request, answer: Answer) -> None:
        """Raises BadRequest for a body that is no question."""
        match request.method, request.path.partition("?")[0]:
            case "POST", "/v1/messages":
                await self._messages(request, answer)
            case "POST", "/v1/messages/count_tokens":
                read_as(Counted, request.body)
                await answer.send_json({"input_tokens": len(request.body) // 4})
            case "GET", "/v1/models":
                await answer.send_json(_models())
            case _:
                missing = f"no {request.method} {request.path}"
                await answer.send_failure(steps.Failure(404, message=missing))

    async def _messages(self, request: Request, answer: Answer) -> None:
        asked = read_as(Asked, request.body)
        question = json.loads(request.body)
        self._asked += 1
        number = self._asked
        self.requests.append(question)
        self.headers.append(request.headers)
        del self.requests[:-KEPT], self.headers[:-KEPT]
        match self._decide(question):
            case steps.Failure() as failure:
                await answer.send_failure(failure)
            case steps.Body(text, content_type):
                await answer.send(200, text, content_type)
            case steps.Drop():
                answer.break_off()
            case steps.Reply() as reply:
                await self._pause(reply.slow_s)
                await self._reply(reply, asked, number, answer)

    async def _reply(self, reply: steps.Reply, asked: Asked, number: int, answer: Answer) -> None:
        shown = {"shows_thinking": asked.shows_thinking}
        if not asked.stream:
            await answer.send_json(steps.message_of(reply, asked.model, number, **shown))
            return
        answer.begin_stream()
        for sent, event in enumerate(steps.events_of(reply, asked.model, number, **shown)):
            if await _strike(answer, reply, sent):
                return
            await answer.send_event(event)
            await self._pause(reply.drip_s)
        await answer.end_stream()

    async def _pause(self, seconds: float) -> None:
        """Sleep, but end when the server does."""
        if seconds:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), seconds)


async def _strike(answer: Answer, reply: steps.Reply, sent: int) -> bool:
    """Do the fault that is due after `sent` events; True when the stream ends by it."""
    if sent == reply.cut_after:
        answer.break_off()
    elif sent == reply.end_after:
        await answer.end_stream()
    elif sent == reply.error_after:
        await answer.send_event(steps.error_of(steps.OVERLOADED, answer.request_id))
        await answer.end_stream()
    elif sent == reply.garbage_after:
        await answer.send_chunk(_BROKEN_EVENT)
        return False
    else:
        return False
    return True


def _models() -> dict[str, Any]:
    rows = [
        {
            "type": "model",
            "id": id_,
            "display_name": id_,
            "created_at": "2026-10-07T00:00:00Z",
            "lifecycle": "active",
            "deprecated_at": None,
            "retires_at": None,
            "capabilities": None,
            "line": line,
            "max_input_tokens": 1_000_000,
            "max_tokens": 128_000,
        }
        for line, id_ in MODELS.items()
    ]
    return {"data": rows, "has_more": False, "first_id": rows[0]["id"], "last_id": rows[-1]["id"]}
