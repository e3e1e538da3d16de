"""Readers of the WebSocket of a stub daemon, without a network."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.types import Message, Scope
from support.http_stub import BEARER, HOST, PORT
from support.two_webs import Web

from bots.daemon.shapes import Json
from bots.queues import BoundedQueue

WITHIN_S = 20.0


class Reader:
    """What one reader of the WebSocket has got."""

    def __init__(self) -> None:
        self._messages = BoundedQueue[Json](1_000, "drop_oldest")
        self.got: list[Json] = []
        self.leaves, self.is_in = asyncio.Event(), asyncio.Event()
        self._is_greeted = False

    async def receive(self) -> Message:
        if not self._is_greeted:
            self._is_greeted = True
            return {"type": "websocket.connect"}
        await self.leaves.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(self, message: Message) -> None:
        self.is_in.set()
        if message["type"] == "websocket.send":
            self._messages.put(json.loads(message["text"]))
        if message["type"] == "websocket.close":
            self._messages.close()

    async def until(self, is_it: Callable[[Json], bool]) -> Json:
        async with asyncio.timeout(WITHIN_S):
            async for found in self._messages:
                self.got.append(found)
                if is_it(found):
                    return found
        raise AssertionError(f"the stream ended with {self.got}")

    async def until_named(self, name: str) -> Json:
        return await self.until(lambda found: found["name"] == name)

    async def rest(self) -> list[Json]:
        async with asyncio.timeout(WITHIN_S):
            return [found async for found in self._messages]


@asynccontextmanager
async def reading(web: Web, query: str = "") -> AsyncIterator[Reader]:
    reader = Reader()
    scope: Scope = {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "scheme": "ws",
        "path": "/ws",
        "raw_path": b"/ws",
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", HOST.encode()), (b"authorization", BEARER["authorization"].encode())],
        "subprotocols": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", PORT),
        "state": {},
        "extensions": {"websocket.http.response": {}},
    }
    serving = asyncio.ensure_future(web.app(scope, reader.receive, reader.send))
    async with asyncio.timeout(WITHIN_S):
        await reader.is_in.wait()
    try:
        yield reader
    finally:
        reader.leaves.set()
        async with asyncio.timeout(WITHIN_S):
            await serving
