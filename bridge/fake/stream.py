"""The events nobody has read yet."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable

from bridge.errors import BridgeError
from bridge.events import ActionProgress, BridgeEvent, HealthChanged

UNREAD_EVENTS = 300_000


class TooManyUnread(BridgeError):
    """More events wait than the stream holds: whoever should read them does not."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} events wait unread")
        self.limit = limit


class EventStream:
    """First in, first out, for one reader. Of unread progress and health only the newest
    waits, in its newest place; beyond `limit` the next event raises `TooManyUnread` where
    it happens, because losing it silently would hide the fault."""

    def __init__(self, limit: int = UNREAD_EVENTS) -> None:
        self._unread: OrderedDict[Hashable, BridgeEvent] = OrderedDict()
        self._numbers = itertools.count()
        self._limit = limit
        self._woken = asyncio.Event()
        self._is_closed = self._is_awaited = False

    def put(self, event: BridgeEvent) -> None:
        """Add an event; after `close` it is dropped."""
        if self._is_closed:
            return
        if len(self._unread) >= self._limit:
            raise TooManyUnread(self._limit)
        key = self._key(event)
        self._unread.pop(key, None)
        self._unread[key] = event
        self._woken.set()

    def close(self) -> None:
        """End the stream once what is unread has been read."""
        self._is_closed = True
        self._woken.set()

    async def read(self) -> AsyncIterator[BridgeEvent]:
        """Every event, until closed. A reader that stopped may be followed by another; one
        that comes while another waits gets a RuntimeError."""
        while await self._has_more():
            yield self._unread.popitem(last=False)[1]

    async def _has_more(self) -> bool:
        while not self._unread and not self._is_closed:
            await self._wait()
        return bool(self._unread)

    async def _wait(self) -> None:
        if self._is_awaited:
            raise RuntimeError("events() has one reader")
        self._is_awaited = True
        self._woken.clear()
        try:
            await self._woken.wait()
        finally:
            self._is_awaited = False

    def _key(self, event: BridgeEvent) -> Hashable:
        match event:
            case HealthChanged(health=health) if health > 0:
                return "health", event.bot
            case ActionProgress():
                return "progress", event.action_id
            case _:
                return next(self._numbers)
