"""The one queue: bounded, in order, for a single reader; whoever puts something in never waits."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, Literal, Self, TypeAlias, TypeVar

T = TypeVar("T")

WhenFull: TypeAlias = Literal["drop_oldest", "refuse"]
"""What a full queue gives up: its oldest item, or the new one."""


class BoundedQueue(Generic[T]):
    """First in, first out. `async for` reads it until it is closed and empty."""

    def __init__(self, limit: int, when_full: WhenFull) -> None:
        self.lost = 0
        """Items that a full queue dropped or refused."""
        self._limit, self._when_full = limit, when_full
        self._items: deque[T] = deque()
        self._changed = asyncio.Event()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: T) -> bool:
        """Add an item; False when it was refused, as every item is after `close`."""
        if self._is_closed:
            return False
        if len(self._items) >= self._limit:
            self.lost += 1
            if self._when_full == "refuse":
                return False
            self._items.popleft()
        self._items.append(item)
        self._changed.set()
        return True

    def close(self) -> None:
        """Take nothing more; what waits may still be read."""
        self._is_closed = True
        self._changed.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        if not await self._has_more():
            raise StopAsyncIteration
        return self._items.popleft()

    async def drain(self) -> list[T]:
        """All that waits, as soon as there is any; [] once it is closed and empty."""
        await self._has_more()
        return self.taken()

    def taken(self) -> list[T]:
        """All that waits now."""
        items = list(self._items)
        self._items.clear()
        return items

    async def _has_more(self) -> bool:
        while not self._items and not self._is_closed:
            self._changed.clear()
            await self._changed.wait()
        return bool(self._items)
