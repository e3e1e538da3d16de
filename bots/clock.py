"""Time comes in by argument: the real clock here, a hand-moved one in tests."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Protocol, TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Aware UTC time, for what is recorded."""
Stopwatch: TypeAlias = Callable[[], float]
"""Monotonic seconds, for pacing and deadlines."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def utc_now() -> datetime:
    return datetime.now(UTC)


def microseconds(at: datetime) -> int:
    """A moment as the database stores it: whole microseconds since 1970, UTC."""
    return (at - EPOCH) // _MICROSECOND


def moment(at_us: int) -> datetime:
    """The moment of so many microseconds since 1970."""
    return EPOCH + at_us * _MICROSECOND


real_sleep: Sleep = asyncio.sleep


class Moved(Protocol):
    """A clock that is moved by hand, as `bridge.fake.VirtualClock`."""

    def now(self) -> datetime: ...
    def monotonic(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Times:
    """Where time and chance come from."""

    clock: Clock
    stopwatch: Stopwatch
    sleep: Sleep
    rng: random.Random

    @classmethod
    def real(cls) -> Times:
        return cls(utc_now, monotonic, real_sleep, random.Random())

    @classmethod
    def of(cls, clock: Moved, seed: int = 0) -> Times:
        """The time of a simulated world: what is recorded, paced and waited for agrees with it."""
        return cls(clock.now, clock.monotonic, clock.sleep, random.Random(seed))
