"""What steps took is learnt from at once and outlives the program."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.full_disk import full_disk
from support.rig import until

from bots.goals.plan import Step
from bots.goals.rates import CLIMB, KEPT, Work
from bots.goals.runner.journeys import StepTime, StepTimes, time_of_step
from bots.store.database import FILE_NAME, Store

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OAK = Work("gather", "oak_log", "stone_axe")
DIGGING = Step(
    "gather", "oak_log", 3, tool="stone_axe", produces={"oak_log": 3}, cost_s=99, model_s=100.0
)
SMELTING = Step("smelt", "iron_ingot", 3, station="furnace", cost_s=33.0, model_s=33.0)


def dug(took_s: float) -> StepTime:
    return time_of_step(NOW, "Alice", DIGGING, took_s=took_s)


@asynccontextmanager
async def keeping(path: Path) -> AsyncIterator[tuple[StepTimes, Store]]:
    store = await Store.open(path / FILE_NAME)
    times = StepTimes()
    await times.load(store)
    task = asyncio.create_task(times.keep(store))
    yield times, store
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await store.aclose()


async def rows(store: Store) -> int:
    def count(connection: sqlite3.Connection) -> int:
        (number,) = connection.execute("SELECT count(*) FROM step_times").fetchone()
        return int(number)

    return await store.read(count)


async def until_rows(store: Store, count: int) -> None:
    async with asyncio.timeout(5):
        written = -1
        while written != count:
            written = await rows(store)


async def test_the_times_of_steps_outlive_the_program(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (times, store):
        assert times.rates.of(OAK) == 1
        times.add(dug(200.0))
        learnt = times.rates.of(OAK)
        assert learnt > 1.5
        await until_rows(store, 1)
    async with keeping(tmp_path) as (times, _):
        assert times.rates.of(OAK) == pytest.approx(learnt)


async def test_of_one_piece_of_work_only_the_newest_times_are_kept(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (times, store):
        for _ in range(KEPT + 5):
            times.add(dug(50.0))
        times.add(time_of_step(NOW, "Alice", SMELTING, took_s=33.0))
        await until_rows(store, KEPT + 1)


async def test_a_step_that_ends_far_higher_up_teaches_how_long_climbing_takes() -> None:
    times = StepTimes()
    times.add(time_of_step(NOW, "Alice", SMELTING, took_s=33.0 + 60.0, climbed=30.0))
    assert times.rates.of(Work("smelt", "furnace")) == 1
    assert times.rates.of(CLIMB) > 1.5


async def test_a_full_disk_drops_times_and_ends_nothing(tmp_path: Path) -> None:
    """The daemon ended when a goal's step was done on a full disk: a statistic was written by a
    task whose failure ended the program."""
    async with keeping(tmp_path) as (times, store):
        with full_disk():
            times.add(dug(10.0))
            await until(lambda: store.trouble is not None)
        times.add(dug(20.0))
        await until_rows(store, 1)  # the first was dropped
