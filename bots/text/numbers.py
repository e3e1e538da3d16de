"""Numbers as they are shown, in JSON and in words."""

from __future__ import annotations

import math

_SHORT_S, _LONG_S = 90, 5_400  # told in seconds below the one, in hours from the other on


def whole(value: float) -> int | float:
    """A finite number, without a fraction when it has none: 15.0 is shown as 15."""
    return int(value) if value == int(value) else value


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
