"""Memory that is free goes back to the system.

Pictures and plans need some 30 MB for a moment, in threads, and glibc keeps for each thread what it
once had: a thousand random orders left 50 MB free that never went back. To give it back takes 3 ms
of a thread. Never to keep it (M_MMAP_THRESHOLD) would make a picture take twice as long. Threads
share one heap besides, so that what one has freed is there for the next.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

from bots.clock import Sleep
from bots.owned_tasks import OwnedTasks

EVERY_S = 60.0
M_ARENA_MAX = -8  # malloc.h of glibc

Trim: TypeAlias = Callable[[], object]


@asynccontextmanager
async def giving_back_memory() -> AsyncIterator[None]:
    """While the block lasts, where there is a way to; threads begun in it share one heap."""
    share_one_heap()
    tasks, trim = OwnedTasks(), trim_of_glibc()
    if trim is not None:
        tasks.start(keep_trimming(trim, asyncio.sleep), "memory-trimmer")
    try:
        yield
    finally:
        await tasks.aclose()


async def keep_trimming(trim: Trim, sleep: Sleep) -> None:
    """Until cancelled."""
    while True:
        await sleep(EVERY_S)
        await asyncio.to_thread(trim)


def share_one_heap() -> None:
    """Nothing where memory is another library's."""
    mallopt = _of_glibc("mallopt")
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)


def trim_of_glibc() -> Trim | None:
    """None where memory is another library's."""
    trim = _of_glibc("malloc_trim")
    return None if trim is None else lambda: trim(0)


def _of_glibc(name: str) -> Callable[..., object] | None:
    """musl has none of them."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
