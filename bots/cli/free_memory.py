"""Memory that is free goes back to the system.

Pictures and plans need some 30 MB for a moment, in threads, and glibc keeps for each thread what it
once had: a thousand random orders left 50 MB free that never went back. To give it back takes 3 ms
of a thread. Never to keep it (M_MMAP_THRESHOLD) would make a picture take twice as long.
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

Trim: TypeAlias = Callable[[], object]


@asynccontextmanager
async def giving_back_memory() -> AsyncIterator[None]:
    """While the block lasts, where there is a way to."""
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


def trim_of_glibc() -> Trim | None:
    """None where memory is another library's."""
    if sys.platform != "linux":
        return None
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
    return None if trim is None else lambda: trim(0)
