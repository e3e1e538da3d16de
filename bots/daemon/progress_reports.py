"""Progress reports: tells whoever gave a long command that it began, and how far it is; and the
whisper by which they hear of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.clock import Sleep
from bots.errors import SpeechRefused
from bridge.errors import BridgeError

log = structlog.get_logger()

LONG_S = 2.0  # a job that ends sooner is reported only at its end
MILESTONE_EVERY_S = 60.0
INTENT_EVERY_S, INTENT_TRIES = 0.5, 20  # then the start is reported without the intent
WORTH_WAITING_S = 5.0  # a report that would be said later than this is stale

Say: TypeAlias = Callable[[str], Awaitable[None]]


async def whisper(bot: Bot, to: str, *lines: str, max_wait_s: float | None = None) -> None:
    """Whisper these lines up to the first that does not go out, which is logged."""
    try:
        for line in lines:
            await bot.speak(to, line, max_wait_s=max_wait_s, gives_way=True)
    except (SpeechRefused, BridgeError) as error:
        log.warning("rendering.not_whispered", bot=bot.name, to=to, why=str(error))


async def report(job: Job, say: Say, sleep: Sleep, quiet: Callable[[], bool]) -> None:
    """Say the start of a long job and its milestones, until cancelled.

    `quiet` is asked before each line; a milestone is said only when there is progress. Of a job
    without any its `headway` tells."""
    await sleep(LONG_S)
    for _ in range(INTENT_TRIES):
        if job.intent is not None:
            break
        await sleep(INTENT_EVERY_S)
    if not quiet():
        then = "" if job.spec.ended_by else " I tell you when it is done."
        job.told()
        await say(f"On it: {job.intent or job.name}.{then}")
    reported = None
    while True:
        await sleep(MILESTONE_EVERY_S)
        if job.latest and job.latest.done and job.latest != reported and not quiet():
            reported = job.latest
            at = job.stage.whole if job.stage else job.name
            job.told()
            await say(f"Still at {at}: {reported}.")
