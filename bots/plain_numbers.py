"""Numbers as JSON shows them."""

from __future__ import annotations


def whole(value: float) -> int | float:
    """A finite number, without a fraction when it has none: 15.0 is shown as 15."""
    return int(value) if value == int(value) else value
