"""Asks the daemon that runs on a data folder now, and reads its WebSocket, across restarts."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonFile, NoDaemon
from bridge.foreign_json import NotJson, read_object

ANSWERS_WITHIN_S = 3.0
LONGEST_COMMAND_S = 3_600.0  # each command has its own, shorter deadline in the daemon
Json: TypeAlias = dict[str, Any]
Query: TypeAlias = dict[str, str | int]
KEPT = 200  # events; older ones are dropped, and `skipped` says how many
LOOK_AGAIN_S = 1.0
FOUND, LOST = "daemon.found", "daemon.lost"
"""Events of ours: the daemon is there, or gone."""
Event: TypeAlias = dict[str, Any]
Take: TypeAlias = Callable[[Event], None]


class RunningDaemon:
    """Every answer is a JSON object; that no daemon runs is an answer too. Close it at the end."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        # No proxy from the environment may stand between us and this machine.
        self._http = httpx2.AsyncClient(trust_env=False)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def bots(self) -> Json:
        """`bots`: each of them, and how it is."""
        return await self._get("/api/bots")

    async def history(self, bot: str, query: Query) -> Json:
        return await self._get(_of_bot(bot, "history"), query)

    async def message(self, bot: str, text: str, name: str | None) -> Json:
        """What the bot answers to an operator, who may have a name."""
        return await self._post(_of_bot(bot, "messages"), {"text": text, "name": name})

    async def command(self, bot: str, text: str) -> Json:
        """The command's result. A caller that is cancelled ends the command."""
        return await self._post(_of_bot(bot, "commands"), {"text": text, "attached": True})

    async def begin(self, bot: str, text: str) -> Json:
        """Begin a command that goes on by itself."""
        return await self._post(_of_bot(bot, "commands"), {"text": text, "wait": False})

    async def _get(self, path: str, query: Query | None = None) -> Json:
        return await self._answer("GET", path, ANSWERS_WITHIN_S, params=query)

    async def _post(self, path: str, body: Json) -> Json:
        """What may take long is sent to a daemon only that has just shown that it answers."""
        health = await self._answer("GET", "/healthz", ANSWERS_WITHIN_S)
        if "reason" in health:
            return health
        return await self._answer("POST", path, LONGEST_COMMAND_S, json=body)

    async def _answer(self, method: str, path: str, within_s: float, **sent: Any) -> Json:
        try:
            daemon = daemon_file.read(self._data_dir)
        except NoDaemon as none:
            return refusal("no_daemon", str(none))
        url, headers = daemon.dashboard.url.rstrip("/") + path, daemon.dashboard.bearer
        timeout = httpx2.Timeout(within_s, connect=ANSWERS_WITHIN_S)
        try:
            reply = await self._http.request(method, url, headers=headers, timeout=timeout, **sent)
            return read_object(reply.content)
        except httpx2.TransportError:
            return refusal("daemon_silent", str(daemon.silent()))
        except NotJson:
            return refusal("daemon_silent", str(daemon.foreign()))


def refusal(reason: str, message: str) -> Json:
    return {"success": False, "reason": reason, "message": message}


def _of_bot(bot: str, what: str) -> str:
    return f"/api/bots/{quote(bot, safe='')}/{what}"


class EventFeed:
    """The newest events, and whoever wants to hear of each. `run` is owned by the server."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._listeners: list[Take] = []
        self._process = 0
        self.connected = asyncio.Event()

    async def run(self) -> None:
        """Read until cancelled."""
        while True:
            try:
                daemon = daemon_file.read(self._data_dir)
                async with self._connected(daemon) as socket:
                    async for line in socket:
                        event = _event(line)
                        self._kept.append(event)
                        self._tell(event)
            except (NoDaemon, OSError, InvalidHandshake, ConnectionClosed, NotJson):
                pass  # calls say what is wrong; this looks for the next daemon
            await asyncio.sleep(LOOK_AGAIN_S)

    @contextmanager
    def heard_by(self, take: Take) -> Iterator[None]:
        """Call `take` with each event while the block lasts; it must not wait."""
        self._listeners.append(take)
        try:
            yield
        finally:
            self._listeners.remove(take)

    def since(self, sequence: int | None) -> list[Event]:
        """What is kept, or of it what came after an event, oldest first."""
        if sequence is None or sequence > self._newest:  # one of an earlier daemon
            return list(self._kept)
        newer = takewhile(lambda event: event["sequence"] > sequence, reversed(self._kept))
        events = list(newer)[::-1]
        if not events:
            return []
        missed = events[0]["sequence"] - sequence - 1
        return [{**events[0], "skipped": missed}, *events[1:]]

    @property
    def _newest(self) -> int:
        """The number of the newest event; 0 before the first."""
        return int(self._kept[-1]["sequence"]) if self._kept else 0

    @asynccontextmanager
    async def _connected(self, daemon: DaemonFile) -> AsyncIterator[ClientConnection]:
        if daemon.pid != self._process:  # another one, which counts from 1
            self._kept.clear()
            self._process = daemon.pid
        async with connect(
            f"{daemon.dashboard.stream}?last={self._newest}",
            additional_headers=daemon.dashboard.bearer,
            open_timeout=ANSWERS_WITHIN_S,
            close_timeout=LOOK_AGAIN_S,
            proxy=None,
        ) as socket:
            self.connected.set()
            self._tell({"name": FOUND})
            try:
                yield socket
            finally:
                self.connected.clear()
                self._tell({"name": LOST})

    def _tell(self, event: Event) -> None:
        for take in list(self._listeners):
            take(event)


def _event(line: str | bytes) -> Event:
    """Raises NotJson, also for what no daemon of ours would send."""
    event = read_object(line)
    if not isinstance(event.get("sequence"), int) or not isinstance(event.get("name"), str):
        raise NotJson("it is no event")
    return event
