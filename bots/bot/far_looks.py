"""Which looks need more land than a bot has around it while nobody wants anything of it."""

from __future__ import annotations

from typing import Any

from bridge.actions import FindBlocks, Query
from bridge.looking import Behold, ReadRegion, ScanBlocks

NARROW_CHUNKS = 3
NARROW = 16 * (NARROW_CHUNKS - 1)
"""Blocks that it sees at least with these, wherever in its own chunk it stands."""


def looks_far(query: Query[Any]) -> bool:
    """Whether a query is about more than the narrow view."""
    match query:
        case FindBlocks() | ScanBlocks():
            return query.radius > NARROW
        case Behold() | ReadRegion():
            return query.reach > NARROW
        case _:
            return False
