"""Time comes in by argument: the real clock here, a hand-moved one in tests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Aware UTC time, for what is recorded."""
Stopwatch: TypeAlias = Callable[[], float]
"""Monotonic seconds, for pacing and deadlines."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]


def utc_now() -> datetime:
    return datetime.now(UTC)


real_sleep: Sleep = asyncio.sleep
