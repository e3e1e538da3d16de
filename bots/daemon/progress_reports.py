"""What the one who gave a long command hears before its end: that it began, and how far it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bots.bot.jobs import Job
from bots.clock import Sleep

LONG_S = 2.0  # what ends sooner tells its end alone
MILESTONE_EVERY_S = 60.0
THOUGHT_S, LONGEST_THOUGHTS = 0.5, 20  # then the start is told without what it sets out to do
WORTH_WAITING_S = 5.0  # a report that would be said later than this is stale

Say: TypeAlias = Callable[[str], Awaitable[None]]


async def report(job: Job, say: Say, sleep: Sleep, quiet: Callable[[], bool]) -> None:
    """Say the start of a long job and its milestones, until cancelled.

    `quiet` is asked before each line; a milestone is said only when there is progress."""
    await sleep(LONG_S)
    await _until_thought_about(job, sleep)
    if not quiet():
        await say(f"On it: {job.intent or job.name}. I tell you when it is done.")
    told = None
    while True:
        await sleep(MILESTONE_EVERY_S)
        if job.latest != told and not quiet():
            told = job.latest
            await say(f"Still at {job.name}: {told}.")


async def _until_thought_about(job: Job, sleep: Sleep) -> None:
    for _ in range(LONGEST_THOUGHTS):
        if job.intent is not None:
            return
        await sleep(THOUGHT_S)
