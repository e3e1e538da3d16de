"""Looks at the world with a deadline, for callers that can do without the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from bridge.errors import BridgeError

T = TypeVar("T")


async def in_time(answer: Awaitable[T], within_s: float) -> T | None:
    """The answer, or None when it takes too long or the bridge fails."""
    try:
        async with asyncio.timeout(within_s):
            return await answer
    except (BridgeError, TimeoutError):
        return None
