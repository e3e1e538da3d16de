"""The events nobody has read yet, for one reader."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable

from bridge.events import BridgeEvent


class Arrivals:
    """First in, first out. Its bound is kept at the source: Node holds events back while
    many wait here (host/outbox.cjs)."""

    def __init__(self) -> None:
        self._unread: deque[BridgeEvent] = deque()
        self._woken = asyncio.Event()
        self._is_closed = self._is_taken = False

    def unread(self) -> int:
        """How many wait; right in any thread."""
        return len(self._unread)

    def put(self, events: Iterable[BridgeEvent]) -> None:
        self._unread.extend(events)
        self._woken.set()

    def close(self) -> None:
        """End the stream once what is unread has been read."""
        self._is_closed = True
        self._woken.set()

    async def read(self) -> AsyncIterator[BridgeEvent]:
        """Every event until closed. Raises RuntimeError for a second reader."""
        if self._is_taken:
            raise RuntimeError("events() has one reader")
        self._is_taken = True
        try:
            while await self._has_more():
                yield self._unread.popleft()
        finally:
            self._is_taken = False

    async def _has_more(self) -> bool:
        while not self._unread and not self._is_closed:
            self._woken.clear()
            await self._woken.wait()
        return bool(self._unread)
