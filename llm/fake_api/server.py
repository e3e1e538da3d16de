"""The fake API's server: one coroutine a connection, which answers as the script says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Self, TypeAlias

from llm.fake_api.asked import Asked, BadRequest, Counted, read_as
from llm.fake_api.events import OVERLOADED, error_of, events_of, message_of
from llm.fake_api.http import Answer, Request, read_request
from llm.fake_api.steps import Body, Drop, Failure, Reply, Step

Script: TypeAlias = Callable[[Mapping[str, Any]], Step]
"""What to do with the body of a request."""

MODELS = {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}
KEPT = 200  # questions, the newest: each is as long as a whole prompt
_BROKEN_EVENT = b'event: content_block_delta\ndata: {"type": "content_bl\n\n'


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

    def _next_step(self, question: Mapping[str, Any]) -> Step:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            # Whoever asked may be gone at any moment.
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while (request := await read_request(reader)) is not None:
                    await self._serve(request, Answer(writer, f"req_{next(self._numbers)}"))
        finally:
            del self._connections[task]
            writer.close()

    async def _serve(self, request: Request, answer: Answer) -> None:
        try:
            await self._route(request, answer)
        except BadRequest as error:
            await answer.send_failure(Failure(400, message=str(error)))

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
                await answer.send_failure(Failure(404, message=missing))

    async def _messages(self, request: Request, answer: Answer) -> None:
        asked = read_as(Asked, request.body)
        question = json.loads(request.body)
        number = self._keep(question, request.headers)
        match self._decide(question):
            case Failure() as failure:
                await answer.send_failure(failure)
            case Body(text, content_type):
                await answer.send(200, text, content_type)
            case Drop():
                answer.break_off()
            case Reply() as reply:
                await self._pause(reply.slow_s)
                await self._reply(reply, asked, number, answer)

    def _keep(self, question: dict[str, Any], headers: Mapping[str, str]) -> int:
        """Its number."""
        self._asked += 1
        self.requests.append(question)
        self.headers.append(headers)
        del self.requests[:-KEPT], self.headers[:-KEPT]
        return self._asked

    async def _reply(self, reply: Reply, asked: Asked, number: int, answer: Answer) -> None:
        shown = {"shows_thinking": asked.shows_thinking}
        if not asked.stream:
            await answer.send_json(message_of(reply, asked.model, number, **shown))
            return
        answer.begin_stream()
        for sent, event in enumerate(events_of(reply, asked.model, number, **shown)):
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


async def _strike(answer: Answer, reply: Reply, sent: int) -> bool:
    """Do the fault that is due after `sent` events; True when the stream ends by it."""
    if sent == reply.cut_after:
        answer.break_off()
    elif sent == reply.end_after:
        await answer.end_stream()
    elif sent == reply.error_after:
        await answer.send_event(error_of(OVERLOADED, answer.request_id))
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
