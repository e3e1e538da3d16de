"""A Messages API on loopback that answers by script, faults included; records requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Reply:
    """A streamed answer; the faults strike after so many events were sent."""

    text: str = "Hello there."
    thinking: str = ""
    stop: str = "end_turn"
    slow_s: float = 0.0
    """Silence before the first byte."""
    drip_s: float = 0.0
    """Silence after every event."""
    cut_after: int | None = None
    """The connection breaks."""
    end_after: int | None = None
    """The stream ends as if it were complete."""
    error_after: int | None = None
    """An error event follows."""
    garbage_after: int | None = None
    """An event with broken JSON follows."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error status as the API words it."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Body:
    """Status 200 with a body that is no stream."""

    text: str
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection closes before any answer."""


Step = Reply | Failure | Body | Drop
Event = tuple[str, dict[str, Any]]


class FakeClaude:
    """Each request takes the next step of the script; the last one stays."""

    def __init__(self, *script: Step) -> None:
        self.script = list(script) or [Reply()]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.url = ""
        self._closing = asyncio.Event()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Self]:
        app = web.Application()
        app.router.add_post("/v1/messages", self._messages)
        runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            self.url = f"http://{host}:{port}"
            yield self
        finally:
            self._closing.set()
            await runner.cleanup()

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(await request.json())
        self.headers.append(dict(request.headers))
        match self.script.pop(0) if len(self.script) > 1 else self.script[0]:
            case Failure() as failure:
                return _error(failure)
            case Body(text, content_type):
                return web.Response(text=text, content_type=content_type)
            case Drop():
                _break(request)
                return web.Response()
            case Reply() as reply:
                await self._pause(reply.slow_s)
                return await self._stream(request, reply)

    async def _stream(self, request: web.Request, reply: Reply) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        with suppress(ConnectionResetError):  # whoever asked has gone
            await self._write(request, response, reply)
        return response

    async def _write(
        self, request: web.Request, response: web.StreamResponse, reply: Reply
    ) -> None:
        await response.prepare(request)
        for number, event in enumerate(_events(reply, self.requests[-1]["model"])):
            if await self._strike(request, response, reply, number):
                return
            await _send(response, event)
            await self._pause(reply.drip_s)
        await response.write_eof()

    async def _strike(
        self, request: web.Request, response: web.StreamResponse, reply: Reply, sent: int
    ) -> bool:
        """Do the fault that is due after `sent` events; True when the stream ends by it."""
        if sent == reply.cut_after:
            _break(request)
        elif sent == reply.end_after:
            await response.write_eof()
        elif sent == reply.error_after:
            fault = {"type": "overloaded_error", "message": "Overloaded"}
            await _send(response, ("error", {"type": "error", "error": fault}))
            await response.write_eof()
        elif sent == reply.garbage_after:
            await response.write(b'event: content_block_delta\ndata: {"type": "content_bl\n\n')
            return False
        else:
            return False
        return True

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than this server lives."""
        if seconds:
            closing = asyncio.ensure_future(self._closing.wait())
            await asyncio.wait({closing}, timeout=seconds)
            closing.cancel()


def _break(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


def _error(failure: Failure) -> web.Response:
    error = {"type": failure.kind, "message": failure.message}
    body = {"type": "error", "error": error, "request_id": "req_1"}
    return web.json_response(body, status=failure.status, headers=failure.headers)


async def _send(response: web.StreamResponse, event: Event) -> None:
    name, data = event
    await response.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())


def _events(reply: Reply, model: str) -> Iterable[Event]:
    """Eight or more events: start, ping, the blocks, delta, stop."""
    usage: dict[str, Any] = {"input_tokens": 20, "cache_read_input_tokens": 5, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model}
    head: dict[str, Any] = {
        **message,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield "message_start", {"type": "message_start", "message": head}
    yield "ping", {"type": "ping"}
    blocks = [("thinking", reply.thinking)] if reply.thinking else []
    for index, (kind, text) in enumerate([*blocks, ("text", reply.text)]):
        yield from _block(index, kind, text)
    ended = {"stop_reason": reply.stop, "stop_sequence": None}
    usage_end = {"output_tokens": 9}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": usage_end}
    yield "message_stop", {"type": "message_stop"}


def _block(index: int, kind: str, text: str) -> Iterable[Event]:
    empty = {"type": kind, kind: ""} | ({"signature": ""} if kind == "thinking" else {})
    start = {"type": "content_block_start", "index": index, "content_block": empty}
    yield "content_block_start", start
    for at in range(0, len(text), 4):
        delta = {"type": f"{kind}_delta", kind: text[at : at + 4]}
        event = {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_delta", event
    yield "content_block_stop", {"type": "content_block_stop", "index": index}
