"""Numbers as they are shown, in JSON and in words."""

from __future__ import annotations

import math


def whole(value: float) -> int | float:
    """A finite number, without a fraction when it has none: 15.0 is shown as 15."""
    return int(value) if value == int(value) else value


def blocks(distance: float) -> int:
    """A distance as it is shown: floored."""
    return math.floor(distance)
