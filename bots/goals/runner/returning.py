"""Coming back: what a run does when the bot was out of the world, or has just come into it."""

from __future__ import annotations

from contextlib import suppress

from bots.bot.jobs import Job
from bots.clock import Sleep
from bots.errors import JobEnded
from bridge.errors import BotError, BridgeDown, BridgeError, BridgeTimeout, NotConnected
from bridge.scanning import ScanBlocks
from bridge.world import WorldSnapshot

MAX_INTERRUPTIONS = 20
"""A run gives up when the bot was out of the world more often."""
LOOK_EVERY_S = 0.5
LOADED_WITHIN_S = 10.0
"""So long it waits for the land around, which comes after the bot."""
_NEAR = 48  # blocks; chunks come from near to far
_LAND = ScanBlocks((), _NEAR, -_NEAR, _NEAR, max_checks=1_000_000_000, limit=0)


def is_lost(error: BotError) -> bool:
    """Whether the bot, or the link to it, is gone: it comes back by itself."""
    if isinstance(error, JobEnded):
        return error.reason == "disconnected"
    return isinstance(error, NotConnected | BridgeDown | BridgeTimeout)


async def until_back(job: Job, sleep: Sleep) -> WorldSnapshot:
    """Wait until the bot is in the world and sees the land; the job's deadline ends the wait."""
    while True:
        job.look_again()
        with suppress(BridgeError):
            await job.snapshot()
            await until_land_is_loaded(job, sleep)
            return await job.snapshot()
        await sleep(LOOK_EVERY_S)


async def until_land_is_loaded(job: Job, sleep: Sleep) -> None:
    """Wait until no more land comes in: before, anything might be missing around."""
    known = 0
    for _ in range(round(LOADED_WITHIN_S / LOOK_EVERY_S)):
        seen = sum(kind.count for kind in (await job.query(_LAND)).counts)
        if seen and seen == known:
            return
        known = seen
        await sleep(LOOK_EVERY_S)
        job.look_again()
