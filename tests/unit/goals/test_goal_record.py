"""The estimated and real times of steps are stored."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from support.full_disk import full_disk
from support.rig import until

from bots.clock import utc_now
from bots.goals.plan import Step
from bots.goals.runner.step_times import keep_step_times, mean_times
from bots.observability.trace import TraceLog
from bots.store.database import FILE_NAME, Store

pytestmark = pytest.mark.anyio


async def test_the_times_of_steps_outlive_the_program(tmp_path: Path) -> None:
    trace = TraceLog(utc_now)
    store = await Store.open(tmp_path / FILE_NAME)
    keeping = asyncio.create_task(keep_step_times(trace, store))
    await asyncio.sleep(0)
    digging = Step("gather", "stone", 3, tool="wooden_pickaxe", produces={"cobblestone": 3})
    trace.note("message.heard", "Alice", speaker="Steve", text="hello")
    for took_s in (10.0, 20.0):
        facts = {"step": digging.as_json(), "estimateS": 12.0, "tookS": took_s}
        trace.note("goal.step_done", "Alice", **facts)
    async with asyncio.timeout(5):
        kept: list[Any] = []
        while not kept or kept[0][2] < 2:
            kept = list(await store.read(mean_times))
    keeping.cancel()
    await store.aclose()
    again = await Store.open(tmp_path / FILE_NAME)
    assert list(await again.read(mean_times)) == [("gather", "stone", 2, 12.0, 15.0)]
    await again.aclose()


async def test_a_full_disk_drops_times_and_ends_nothing(tmp_path: Path) -> None:
    """The daemon ended when a goal's step was done on a full disk: a statistic was written by a
    task whose failure ended the program."""
    trace = TraceLog(utc_now)
    store = await Store.open(tmp_path / FILE_NAME)
    keeping = asyncio.create_task(keep_step_times(trace, store))
    await asyncio.sleep(0)
    step = Step("gather", "stone", 3, tool=None, produces={"cobblestone": 3}).as_json()
    facts = {"step": step, "estimateS": 12.0, "tookS": 10.0}
    with full_disk():
        trace.note("goal.step_done", "Alice", **facts)
        await until(lambda: store.trouble is not None)
        assert not keeping.done()
    trace.note("goal.step_done", "Alice", **facts)
    async with asyncio.timeout(5):
        kept: list[Any] = []
        while not kept:
            kept = list(await store.read(mean_times))
    assert kept[0][2] == 1  # the first was dropped
    keeping.cancel()
    await store.aclose()
