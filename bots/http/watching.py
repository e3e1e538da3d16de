"""The newest of something that changes often; whoever is slow skips what is outdated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """One value, replaced again and again, for any number of readers."""

    def __init__(self) -> None:
        self._value: T | None = None
        self._changed = asyncio.Event()

    def put(self, value: T) -> None:
        self._value = value
        self._changed.set()
        self._changed = asyncio.Event()

    async def read(self) -> AsyncGenerator[T]:
        """The value there is, and then each newest one; never the same twice."""
        while True:
            changed, value = self._changed, self._value
            if value is not None:
                yield value
            if changed is self._changed:
                await changed.wait()
