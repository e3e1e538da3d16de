"""What a running daemon serves, over HTTP and as a stream, to whoever has its token."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bridge.port import ServerAddress

COMMAND_WITHIN_S = 30.0

Json = dict[str, Any]


class DaemonClient:
    """Finds the daemon of a data folder by its daemon.json."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._http: httpx2.AsyncClient | None = None

    @property
    def file(self) -> Json:
        """daemon.json."""
        file: Json = json.loads((self._data_dir / "daemon.json").read_text())
        return file

    @property
    def minecraft(self) -> ServerAddress:
        server = self.file["server"]
        return ServerAddress(server["host"], server["port"])

    @property
    def http(self) -> httpx2.AsyncClient:
        """A client with the token."""
        if self._http is None:
            dashboard = self.file["dashboard"]
            self._http = httpx2.AsyncClient(
                base_url=dashboard["url"],
                headers={"Authorization": f"Bearer {dashboard['token']}"},
                timeout=COMMAND_WITHIN_S,
                trust_env=False,
            )
        return self._http

    async def get(self, path: str, **query: str | int) -> Json:
        return _of(await self.http.get(path, params=query))

    async def post(self, path: str, body: Json | None = None) -> Json:
        return _of(await self.http.post(path, json=body))

    async def command(self, bot: str, text: str) -> Json:
        return await self.post(f"/api/bots/{bot}/commands", {"text": text})

    async def history(self, bot: str, **query: str | int) -> list[Json]:
        found = await self.get(f"/api/bots/{bot}/history", **query)
        return list(found["history"])

    async def last_decision(self, speaker: str) -> Json:
        """The newest decision on what this speaker said."""
        made: list[Json] = (await self.get("/api/decisions"))["decisions"]
        return [decision for decision in made if decision["speaker"] == speaker][-1]

    async def bots(self) -> dict[str, Json]:
        """State of every bot by name."""
        return {bot["name"]: bot for bot in (await self.get("/api/bots"))["bots"]}

    async def all_online(self) -> bool:
        return all(bot["state"] == "online" for bot in (await self.bots()).values())

    @asynccontextmanager
    async def watching(self, last: int | None = None) -> AsyncIterator["Watch"]:
        """The WebSocket: what happens from now on, or from `last` (0: all that is kept)."""
        dashboard = self.file["dashboard"]
        address = dashboard["url"].replace("http", "ws", 1) + "ws"
        async with connect(
            address if last is None else f"{address}?last={last}",
            additional_headers={"Authorization": f"Bearer {dashboard['token']}"},
            close_timeout=0.5,
            proxy=None,
        ) as socket:
            watch = Watch()
            reading = asyncio.create_task(watch.read(socket))
            try:
                yield watch
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def hang_up(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.aclose()


class Watch:
    """The trace as it comes. It is read at once, however late a test looks: a watcher that does
    not read is hung up on."""

    def __init__(self) -> None:
        self._read = asyncio.Queue[str | None]()  # None: the stream has ended

    async def read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                self._read.put_nowait(str(await socket.recv()))
        self._read.put_nowait(None)

    async def next(self, name: str, *, within_s: float = 15.0, **facts: Any) -> Json:
        """The next trace of this name and facts; those before it are dropped."""
        async with asyncio.timeout(within_s):
            async for trace in self:
                if trace["name"] == name and facts.items() <= trace.items():
                    return trace
        raise AssertionError(f"the stream ended before {name}")

    async def all_back(self, *bots: str, within_s: float = 20.0) -> list[Json]:
        """Each bot's next time online, in any order."""
        found: dict[str, Json] = {}
        async with asyncio.timeout(within_s):
            while len(found) < len(bots):
                trace = await self.next("connection.changed", state="online", within_s=within_s)
                found.setdefault(trace["bot"], trace)
        return list(found.values())

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Json:
        text = await self._read.get()
        if text is None:
            self._read.put_nowait(None)
            raise StopAsyncIteration
        trace: Json = json.loads(text)
        return trace


def _of(reply: httpx2.Response) -> Json:
    value = reply.json()
    assert isinstance(value, dict)
    return value
