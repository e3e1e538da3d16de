"""Time comes in by argument: the real clock here, a hand-moved one in tests."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Protocol, TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Aware UTC time, for what is recorded."""
Stopwatch: TypeAlias = Callable[[], float]
"""Seconds that never go back, for pacing and deadlines."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]


MS_PER_S = 1_000
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


def microseconds_or_none(at: datetime | None) -> int | None:
    return None if at is None else microseconds(at)


def moment_or_none(at_us: int | None) -> datetime | None:
    return None if at_us is None else moment(at_us)


@dataclass(frozen=True, slots=True)
class Uptime:
    """How long a machine has run, by a clock that nobody can set."""

    boot: str
    """Another one after each start of the machine."""
    seconds: float
    """Since then, sleep included."""


def machine_uptime() -> Uptime | None:
    """This machine's; None where it does not tell (it does on Linux)."""
    try:
        return Uptime(_boot_id(), time.clock_gettime(time.CLOCK_BOOTTIME))
    except (OSError, AttributeError):
        return None


@cache
def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def steady(start: datetime, stopwatch: Stopwatch) -> Clock:
    """A clock that shows `start` now and runs evenly, even if the machine's clock is set."""
    begun_s = stopwatch()
    return lambda: start + timedelta(seconds=stopwatch() - begun_s)


def _passed() -> Stopwatch:
    """Of the machine, its sleep included where it tells: others may have taken over meanwhile."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return partial(time.clock_gettime, time.CLOCK_BOOTTIME)
    return time.monotonic


real_sleep: Sleep = asyncio.sleep
real_stopwatch: Stopwatch = _passed()


class Moved(Protocol):
    """A clock that is moved by hand, as `bridge.fake.VirtualClock`."""

    def now(self) -> datetime: ...
    def monotonic(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...
    def hold_while(self, is_at_work: Callable[[], bool]) -> None:
        """Stand still while this is true."""
        ...


HoldWhile: TypeAlias = Callable[[Callable[[], bool]], None]


def _runs_on(_is_at_work: Callable[[], bool]) -> None:
    """Real time waits for nobody."""


@dataclass(frozen=True, slots=True)
class Times:
    """Where time and chance come from."""

    clock: Clock
    stopwatch: Stopwatch
    sleep: Sleep
    rng: random.Random
    hold_while: HoldWhile = _runs_on
    """Is told of threads that a simulated time is to wait for."""

    @classmethod
    def real(cls) -> Times:
        return cls(utc_now, real_stopwatch, real_sleep, random.Random())

    @classmethod
    def of(cls, clock: Moved, seed: int = 0) -> Times:
        """The time of a simulated world: what is recorded, paced and waited for agrees with it."""
        rng = random.Random(seed)
        return cls(clock.now, clock.monotonic, clock.sleep, rng, clock.hold_while)


NO_MOMENT = "write a day or a time, as 2026-11-21 or 2026-11-21T18:30, or milliseconds since 1970"


def read_moment(given: object) -> datetime | None:
    """A moment as somebody writes it; without a zone it is the machine's. Raises ValueError."""
    try:
        match given:
            case None | datetime():
                return given
            case int() if not isinstance(given, bool):
                return moment(given * 1_000)
            case str() if given.isdecimal():
                return moment(int(given) * 1_000)
            case str():
                return datetime.fromisoformat(given).astimezone()
    except (ValueError, OverflowError, OSError):
        pass
    raise ValueError(NO_MOMENT)
