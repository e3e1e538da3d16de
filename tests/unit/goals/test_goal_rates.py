"""What steps took is learnt from at once, and outlives the program."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.full_disk import full_disk
from support.rig import until

from benchmarks import goals_live
from benchmarks.goals_live import GOALS, Played, StepRow, figures, measure, table
from bots.goals.plan import Step
from bots.goals.rates import CLIMB, KEPT, MOST, Experience, Took, Work
from bots.goals.runner.journeys import StepTime, StepTimes, time_of_step
from bots.store.database import FILE_NAME, Store

OAK = Work("gather", "oak_log", "stone_axe")
BIRCH = Work("gather", "birch_log", "stone_axe")
IRON = Work("gather", "iron_ore", "stone_pickaxe")
COAL = Work("gather", "coal_ore", "stone_pickaxe")
DEEP_IRON = Work("gather", "deepslate_iron_ore", "stone_pickaxe")
SAND = Work("gather", "sand")
CRAFT = Work("craft", "crafting_table")
A_LOT_S = 1_000.0


BY_HAND = Work("gather", "oak_log")


@pytest.mark.parametrize(
    ("of", "times", "slower"),
    [
        (OAK, [], 1),
        (OAK, [(OAK, A_LOT_S, 0.5)], 0.5),
        (OAK, [(OAK, 1.0, 3)], 1.1),
        (BIRCH, [(OAK, A_LOT_S, 3), (SAND, A_LOT_S, 1)], 3),
        (DEEP_IRON, [(IRON, A_LOT_S, 3), (COAL, A_LOT_S, 1)], 3),
        (BY_HAND, [(OAK, A_LOT_S, 3)], 3),
        (SAND, [(OAK, A_LOT_S, 3)], 3),
        (CRAFT, [(OAK, A_LOT_S, 3)], 1),
        (OAK, [(OAK, A_LOT_S, 1), (BY_HAND, A_LOT_S, 2)], 1),
        (BY_HAND, [(OAK, A_LOT_S, 1), (BY_HAND, A_LOT_S, 2)], 2),
        (OAK, [*[(OAK, A_LOT_S, 4)] * 5, *[(OAK, A_LOT_S, 1)] * KEPT], 1),
    ],
    ids=["the model holds", "much is believed", "one short step says little",
         "all woods are one kind", "so is an ore in any stone",
         "unknown work leans on what is like it", "on digging at all",
         "and not on digging to craft", "a tool goes by its own", "and so does the hand",
         "only the newest count"],
)  # fmt: skip
def test_a_rate_is_learnt_from_what_is_like_it(
    of: Work, times: list[tuple[Work, float, float]], slower: float
) -> None:
    took = (Took(work, model_s, model_s * by) for work, model_s, by in times)
    assert Experience(took).rates.of(of) == pytest.approx(slower, rel=0.04)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([OAK, BIRCH, IRON, SAND, CRAFT]), st.floats(0, 1e4), st.floats(0, 1e6)
        ),
        max_size=30,
    )
)
def test_no_rate_leaves_its_bounds(times: list[tuple[Work, float, float]]) -> None:
    rates = Experience(Took(*one) for one in times).rates
    for work in (OAK, BIRCH, IRON, DEEP_IRON, SAND, CRAFT):
        assert 1 / MOST <= rates.of(work) <= MOST


# --- the record -----------------------------------------------------------------------


NOW = datetime(2026, 1, 1, tzinfo=UTC)
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
    async with asyncio.timeout(30):
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


# --- the benchmark of live goals ------------------------------------------------------


def played(
    took_s: float, estimate_s: float = 100.0, *, place: int = 0, success: bool = True
) -> Played:
    rows = [{"target": f"seen at {place}"}]
    return Played("stick", place, success, took_s, estimate_s, 3, 0, "Done.", rows)


async def test_the_second_pass_knows_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[int, set[str]]] = []

    async def play_all(
        self: object,
        goals: Sequence[str],
        places: Sequence[int],
        known: Mapping[int, list[StepRow]],
    ) -> list[Played]:
        told.append({place: {row["target"] for row in rows} for place, rows in known.items()})
        return [played(90.0, place=place) for place in places]

    monkeypatch.setattr(goals_live.Arenas, "play_all", play_all)
    report = await measure(["stick"], [0, 1, 4])
    assert [*report] == ["cold", "learnt"]
    assert told == [
        {},
        {
            0: {"seen at 1", "seen at 4"},
            1: {"seen at 0", "seen at 4"},
            4: {"seen at 0", "seen at 1"},
        },
    ]


def test_the_bounds_hold_for_the_median_and_for_the_worst() -> None:
    good = [played(100.0), played(120.0), played(80.0)]
    assert figures(good)["holds"] is True
    assert figures([*good, played(250.0)])["holds"] is False  # beyond twice as long
    assert figures([*good, played(45.0)])["holds"] is False  # and beyond half as long
    assert figures([played(70.0), played(130.0)])["median_error"] == 0.3
    assert figures([played(70.0), played(130.0)])["holds"] is False


def test_what_was_not_reached_says_nothing_of_estimates() -> None:
    assert figures([played(900.0, success=False)]) == {"reached": 0}


def test_the_table_tells_ratio_and_why_a_goal_was_not_reached() -> None:
    _, done, missed = table([played(150.0), played(9.0, 0.0, place=1, success=False)])
    assert "1.50" in done
    assert missed.endswith("Done.")


def test_twelve_goals_are_played() -> None:
    assert len(GOALS) == 12
