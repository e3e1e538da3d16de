"""Numbers and times as they are shown, in JSON and in words, and as programs give them."""

from __future__ import annotations

import math
from datetime import datetime
from typing import SupportsFloat, SupportsIndex

_SHORT_S, _LONG_S = 90, 5_400  # told in seconds below the one, in hours from the other on

_STEPS = (
    (60, 1, "second"),
    (90 * 60, 60, "minute"),
    (36 * 3_600, 3_600, "hour"),
    (14 * 86_400, 86_400, "day"),
    (60 * 86_400, 7 * 86_400, "week"),
    (730 * 86_400, 30 * 86_400, "month"),
)
"""Until how many seconds each unit is used, its seconds, and its name."""
_NOW_S = 10


def whole(value: float) -> int | float:
    """A finite number, without a fraction when it has none: 15.0 is shown as 15."""
    return int(value) if value == int(value) else value


def as_whole(given: object) -> int | None:
    """A whole number of Python, numpy, Decimal or Fraction; None for anything else."""
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        return given.__index__()
    number = as_real(given)
    return int(number) if number is not None and number.is_integer() else None


def as_real(given: object) -> float | None:
    """A number of any of those libraries; None for anything else."""
    if isinstance(given, bool) or not isinstance(given, SupportsFloat | SupportsIndex):
        return None
    return float(given)


def blocks(distance: float) -> int:
    """A distance as it is shown: floored."""
    return math.floor(distance)


def duration(seconds: float) -> str:
    """A time as people say it: `40 s`, `3 min`, `2 h`."""
    if seconds < _SHORT_S:
        return f"{max(5, 5 * round(seconds / 5))} s"
    if seconds < _LONG_S:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3_600)} h"


def in_blocks(distance: float) -> str:
    """A distance with its unit: `1 block`, `4 blocks`."""
    return f"{distance:g} block{'' if distance == 1 else 's'}"


def ago(then: datetime, now: datetime) -> str:
    """`just now`, `3 minutes ago`, `2 weeks ago`."""
    return seconds_ago((now - then).total_seconds())


def seconds_ago(seconds: float) -> str:
    """The same of a number of seconds."""
    if seconds < _NOW_S:
        return "just now"
    for until, unit, name in _STEPS:
        if seconds < until:
            return _counted(round(seconds / unit), name)
    return _counted(round(seconds / (365 * 86_400)), "year")


def _counted(number: int, name: str) -> str:
    return f"{max(1, number)} {name}{'s' if number > 1 else ''} ago"
