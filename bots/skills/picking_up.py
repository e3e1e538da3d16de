"""Picking up what a piece of work is for, and then what else fell."""

from __future__ import annotations

from collections.abc import Iterable

from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bridge.actions import CollectDrops


async def pick_up(job: Job, wanted: Iterable[str], radius: float, within_s: float) -> None:
    """Pick up what is wanted, and the rest only where a slot is left for it.

    Raises ActionFailed died, and inventory_full for what is wanted."""
    for item in wanted:
        await _collect(job, CollectDrops(radius, item), within_s, must_fit=True)
    if (await job.snapshot()).free_slots:
        await _collect(job, CollectDrops(radius), within_s, must_fit=False)


async def _collect(job: Job, action: CollectDrops, within_s: float, *, must_fit: bool) -> None:
    try:
        await job.act(action, deadline_s=within_s)
    except ActionFailed as failed:
        if failed.reason == "died" or (must_fit and failed.reason == "inventory_full"):
            raise
