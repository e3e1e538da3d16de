"""Asks the world with a deadline, for whoever can do without the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from bridge.errors import BridgeError

T = TypeVar("T")


async def in_time(answer: Awaitable[T], within_s: float) -> T | None:
    """The answer; None when it takes longer, or the bridge cannot give it."""
    try:
        async with asyncio.timeout(within_s):
            return await answer
    except (BridgeError, TimeoutError):
        return None
