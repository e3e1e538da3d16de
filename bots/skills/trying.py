"""Actions that may fail: for some reasons the work goes on without them."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager

from bots.errors import ActionFailed


@contextmanager
def unless(*reasons: str) -> Iterator[None]:
    """Go on behind the block when an action in it fails, unless for one of these reasons."""
    try:
        yield
    except ActionFailed as failed:
        if failed.reason in reasons:
            raise


async def succeeds(action: Awaitable[object], *may_fail: str) -> bool:
    """Do something; False when it fails for one of these reasons. Raises ActionFailed for
    others."""
    try:
        await action
    except ActionFailed as failed:
        if failed.reason not in may_fail:
            raise
        return False
    return True


async def finds_way(way: Awaitable[object]) -> bool:
    """Do a walk; False when there is no path. Raises ActionFailed for other failures."""
    return await succeeds(way, "no_path")
