"""SQL of what the steps of goals were thought to take and took, for tuning the cost model."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bots.conversation.message import EPOCH


@dataclass(frozen=True, slots=True)
class StepTime:
    """One step that was done as planned."""

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
    at_us = round((step.at - EPOCH).total_seconds() * 1_000_000)
    what = (step.bot, step.action, step.target, step.count, step.tool)
    connection.execute(
        f"INSERT INTO step_times ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (at_us, *what, step.estimate_s, step.took_s),
    )


def mean_times(connection: sqlite3.Connection) -> Iterator[tuple[str, str, int, float, float]]:
    """Action, target, how many steps, mean estimate and mean time in seconds; most often first."""
    return iter(
        connection.execute(
            "SELECT action, target, count(*) AS steps, avg(estimate_s), avg(took_s)"
            " FROM step_times GROUP BY action, target ORDER BY steps DESC, action, target"
        ).fetchall()
    )
