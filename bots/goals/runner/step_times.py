"""Stores how long each step of a goal was estimated to take and took, to tune the cost model."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from bots.clock import microseconds
from bots.errors import StoreError
from bots.observability.trace import Trace, TraceLog
from bots.store.database import Store


@dataclass(frozen=True, slots=True)
class StepTime:
    """Estimated and real time of one completed step."""

    at: datetime
    bot: str
    action: str
    target: str
    count: int
    tool: str | None
    estimate_s: float
    took_s: float


_COLUMNS = "at, bot, action, target, count, tool, estimate_s, took_s"


def add_step_time(connection: sqlite3.Connection, step: StepTime) -> None:
    at_us = microseconds(step.at)
    what = (step.bot, step.action, step.target, step.count, step.tool)
    connection.execute(
        f"INSERT INTO step_times ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (at_us, *what, step.estimate_s, step.took_s),
    )


def mean_times(connection: sqlite3.Connection) -> Iterator[tuple[str, str, int, float, float]]:
    """Action, target, steps, mean estimate and mean time in seconds; the most frequent first."""
    return iter(
        connection.execute(
            "SELECT action, target, count(*) AS steps, avg(estimate_s), avg(took_s)"
            " FROM step_times GROUP BY action, target ORDER BY steps DESC, action, target"
        ).fetchall()
    )


async def keep_step_times(trace: TraceLog, store: Store) -> None:
    """Store the time of each completed step, until cancelled.

    What cannot be written is dropped: the store logs why, and one lost row does no harm."""
    with trace.reading() as reader:
        async for one in reader:
            if one.name == "goal.step_done":
                with suppress(StoreError):
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
