"""Keeps what every step of a goal was thought to take, and what it took."""

from __future__ import annotations

from functools import partial

from bots.store.database import Store
from bots.store.step_times import StepTime, add_step_time
from bots.trace import Trace, TraceLog


async def keep_step_times(trace: TraceLog, store: Store) -> None:
    """Store each done step, until cancelled."""
    with trace.reading() as reader:
        async for one in reader:
            if one.name == "goal.step_done":
                await store.write(partial(add_step_time, step=_step_time(one)))


def _step_time(trace: Trace) -> StepTime:
    step = trace.facts["step"]
    return StepTime(
        at=trace.at,
        bot=trace.bot or "",
        action=step["action"],
        target=step["target"],
        count=step["count"],
        tool=step["tool"],
        estimate_s=trace.facts["estimateS"],
        took_s=trace.facts["tookS"],
    )
