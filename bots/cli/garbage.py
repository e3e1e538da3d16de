"""Collections of garbage are short: all bots stand still while one lasts.

CPython's full collection walks everything that is old: with a hundred bots 30 to 70 ms, six times
a minute. Here full collections come often and find little: what one leaves is frozen, so that no
later one walks it. A cycle that is given up after it was frozen stays until everything is thawed
and collected, which happens a few times an hour.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from bots.clock import Sleep
from bots.owned_tasks import OwnedTasks

EVERYTHING_EVERY_S = 900.0
_THRESHOLDS = (700, 5, 1)
_FULL = 2


@asynccontextmanager
async def short_collections() -> AsyncIterator[None]:
    """While the block lasts; after it all is as it was, and nothing is frozen."""
    tasks, thresholds = OwnedTasks(), gc.get_threshold()
    gc.set_threshold(*_THRESHOLDS)
    gc.callbacks.append(_freeze_what_is_left)
    tasks.start(keep_collecting(asyncio.sleep), "garbage-collector")
    try:
        yield
    finally:
        await tasks.aclose()
        gc.callbacks.remove(_freeze_what_is_left)
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def keep_collecting(sleep: Sleep) -> None:
    """Until cancelled."""
    while True:
        await sleep(EVERYTHING_EVERY_S)
        collect_everything()


def collect_everything() -> None:
    """Also what is frozen, which takes 0.15 s; what is left is frozen again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    # CPython lets the next full collection wait until a quarter of what the last one left has been
    # added. This one leaves next to nothing.
    gc.collect()


def _freeze_what_is_left(phase: str, facts: Mapping[str, Any]) -> None:
    if phase == "stop" and facts["generation"] == _FULL:
        gc.freeze()
