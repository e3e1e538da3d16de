"""What happens in the daemon, as it happens: its WebSocket, found again after every restart."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonFile, NoDaemon
from bots.mcp.running_daemon import ANSWERS_WITHIN_S
from bridge.foreign_json import NotJson, read_object

KEPT = 200  # events; older ones are dropped, and `skipped` says how many
LOOK_AGAIN_S = 1.0
FOUND, LOST = "daemon.found", "daemon.lost"
"""Events of ours: the daemon is there, or gone."""

Event: TypeAlias = dict[str, Any]
Take: TypeAlias = Callable[[Event], None]


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
                        self._take(_event(line))
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

    def _take(self, event: Event) -> None:
        self._kept.append(event)
        self._tell(event)

    def _tell(self, event: Event) -> None:
        for take in list(self._listeners):
            take(event)


def _event(line: str | bytes) -> Event:
    """Raises NotJson, also for what no daemon of ours would send."""
    event = read_object(line)
    if not isinstance(event.get("sequence"), int) or not isinstance(event.get("name"), str):
        raise NotJson("it is no event")
    return event
