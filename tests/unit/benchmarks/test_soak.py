"""Verdicts of benchmarks: what grows, what is lost, what lags."""

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from faults.testbed import BOTS
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from benchmarks.crowd.lag import Lag, p99_at_most_ms
from benchmarks.soak.__main__ import ENDING_A_PROCESS, WARMING, in_rounds
from benchmarks.soak.judging import broken, exits, grown, judge, late_share
from benchmarks.soak.readings import FILE_NAME, Reading, lag_of, readings_of
from benchmarks.soak.showing import draw, verdict_of
from benchmarks.soak.slopes import Floats, Life, Slope, Verdict, slope_of, verdict
from benchmarks.soak.visits import names_of
from benchmarks.takeovers import Talk, Witness, faults
from benchmarks.unattended import GOALS, WANTED_ITEMS, Stay, holds, table
from bots.bot.events import StepDone
from bots.bot.result import Failure
from bots.observability.meters import Meters
from bridge.world import Position

HOUR_S, EVERY_S = 3_600, 20
BROKEN = "the daemon ended by itself with 1"


def readings(
    grows_mb: float = 0.0,
    node_restarts: bool = False,
    warm_up_share: float = 0.0,
    compiles_mb: float = 0.0,
) -> Iterator[Reading]:
    """Of an hour, with memory that grows by so much in it."""
    for number in range(HOUR_S // EVERY_S):
        share = number * EVERY_S / HOUR_S
        is_new = node_restarts and share > 0.5
        yield {
            "at_s": number * EVERY_S,
            "daemon": 1,
            "is_warm_up": share < warm_up_share,
            "lines": number,
            "broken": [],
            "processes": {
                "daemon": {"pid": 1, "rss_mb": 150 + grows_mb * share + number % 3 / 10},
                "node": {
                    "pid": 3 if is_new else 2,
                    "rss_mb": (200 if is_new else 120) + compiles_mb * share,
                    "compiled_mb": compiles_mb * share,
                },
            },
            "files_mb": {"database": 30 * share, "log": 1},
            "lag": {"looks": 40 * number, "sum_s": 0.04 * number, "late": number // 10},
        }


def verdicts(found: list[Reading]) -> dict[str, Verdict | None]:
    return {one.measure.name: one.verdict for one in judge(found)}


def test_what_stays_is_flat_and_what_was_never_read_is_unsure() -> None:
    found = verdicts(list(readings()))
    assert found["daemon memory"] is Verdict.FLAT
    assert found["mean event loop lag"] is Verdict.FLAT
    assert found["node handles"] is Verdict.UNSURE


def test_what_grows_is_named() -> None:
    assert grown(judge(list(readings(grows_mb=12)))) == ["daemon memory"]
    assert grown(judge(list(readings(grows_mb=1)))) == []


def test_what_is_kept_on_purpose_has_a_slope_and_no_verdict() -> None:
    (database,) = [one for one in judge(list(readings())) if one.measure.name == "database"]
    assert database.verdict is None
    assert database.slope is not None
    assert database.slope.rate == pytest.approx(30)


def test_what_v8_compiles_is_no_growth_of_its_process() -> None:
    by_name = {one.measure.name: one for one in judge(list(readings(compiles_mb=12)))}
    assert by_name["node memory"].verdict is Verdict.FLAT
    code = by_name["node compiled code"]
    assert (code.slope is not None, code.verdict) == (True, None)


def test_a_process_that_was_started_anew_with_more_memory_does_not_grow() -> None:
    assert verdicts(list(readings(node_restarts=True)))["node memory"] is Verdict.FLAT


def test_bots_that_all_come_in_again_begin_a_life_of_nodes_memory_and_none_of_its_data() -> None:
    found = list(readings())
    for number, reading in enumerate(found):
        came_again = number > len(found) // 2
        reading["processes"]["server"] = {"pid": 5 if came_again else 4}
        reading["processes"]["node"] |= {"data_mb": 80, "rss_mb": 260 if came_again else 190}
    assert verdicts(found)["node memory"] is Verdict.FLAT
    for reading in found[len(found) // 2 :]:
        reading["processes"]["node"]["data_mb"] = 85
    by_name = {one.measure.name: one for one in judge(found)}
    assert (len(by_name["node memory"].lives), len(by_name["node data"].lives)) == (2, 1)
    assert by_name["node data"].verdict is not Verdict.FLAT


def test_what_fills_at_the_start_is_left_out() -> None:
    found = list(readings())
    for reading in found[:20]:
        reading["processes"]["daemon"]["rss_mb"] -= 60
    assert verdicts(found)["daemon memory"] is Verdict.FLAT
    assert judge(found)[0].lives[0].times[0] == pytest.approx(1 / 6)


@pytest.mark.parametrize("node_restarts", [False, True])
def test_who_lived_through_the_warm_up_is_judged_from_its_end(node_restarts: bool) -> None:
    found = list(readings(node_restarts=node_restarts, warm_up_share=0.2))
    for reading in found[:36]:
        reading["processes"]["daemon"]["rss_mb"] -= 60
    by_name = {one.measure.name: one for one in judge(found)}
    assert by_name["daemon memory"].verdict is Verdict.FLAT
    assert by_name["daemon memory"].lives[0].times[0] == pytest.approx(0.2, abs=0.01)
    begun = [life.times[0] for life in by_name["node memory"].lives]
    warm_h = 1 / 6  # of who was born later
    assert begun == pytest.approx([0.2, 0.5 + warm_h] if node_restarts else [0.2], abs=0.02)
    assert "48 minutes after 12 of warm-up" in verdict_of(found)[1]


def test_the_mean_lag_is_that_between_two_readings() -> None:
    (lag,) = [one for one in judge(list(readings())) if one.measure.name == "mean event loop lag"]
    assert lag.last == pytest.approx(1.0)
    assert late_share(list(readings())) == pytest.approx(17 / (179 * 40))


def test_the_time_in_which_garbage_is_collected_is_no_lag() -> None:
    found = list(readings())
    found[60]["lag_from_here"] = {**found[60]["lag"], "sum_s": found[60]["lag"]["sum_s"] + 30}
    for reading in found[61:]:
        reading["lag"]["sum_s"] += 30
    assert verdicts(found)["mean event loop lag"] is Verdict.FLAT


def test_the_lag_is_read_as_the_daemon_tells_it() -> None:
    registry = CollectorRegistry()
    lags = Meters(registry).loop_lags
    for late_s in (0.01, 0.2):
        lags.observe(late_s)
    told = generate_latest(registry).decode()
    assert lag_of(told) == {"looks": 2, "sum_s": pytest.approx(0.21), "late": 1}


def test_an_exit_and_a_broken_promise_are_no_lasting() -> None:
    found = list(readings())
    assert verdict_of(found)[0]
    found[-1] |= {"daemon": 2, "broken": [BROKEN]}
    assert (exits(found), broken(found)) == (1, [BROKEN])
    lasted, text = verdict_of(found)
    assert not lasted
    assert BROKEN in text


@pytest.mark.slow
def test_a_run_that_was_killed_is_reported_from_its_file(tmp_path: Path) -> None:
    lines = [json.dumps(reading) for reading in islice(readings(), 90)]
    (tmp_path / FILE_NAME).write_text("\n".join([*lines, lines[0][:40]]))
    found = readings_of(tmp_path)
    assert len(found) == 90
    draw(found, tmp_path / "soak.png")
    assert (tmp_path / "soak.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("count", [1, 4, 20])
def test_the_bots_that_people_name_are_always_among_them(count: int) -> None:
    names = names_of(count, BOTS)
    assert names[: len(BOTS)] == BOTS
    assert len(set(names)) == max(count, len(BOTS))


def test_what_ends_a_process_comes_first_in_each_round_and_the_others_take_their_time() -> None:
    first, others, again = 4, len(WARMING), 2
    played = list(islice(in_rounds(7, 12), first + others + again))
    ending = {number for number, one in enumerate(played) if one.kind in ENDING_A_PROCESS}
    assert ending == {0, 1, 2, 3, first + others, first + others + 1}
    assert len({one.kind for one in played}) == first + others
    assert [one.number for one in played] == list(range(1, len(played) + 1))
    assert sum(one.after_s for one in played[:first]) < 120
    assert 240 < sum(one.after_s for one in played[first : first + others]) / others < 360
    assert list(in_rounds(7, 0)) == []


# --- slopes ---------------------------------------------------------------------------


HOURS = np.linspace(0, 1, 60)
SERIES = 100


def life(values: Floats, times: Floats = HOURS) -> Life:
    return Life(times.tolist(), values.tolist())


def found(*lives: Life) -> Slope:
    slope = slope_of(lives)
    assert slope is not None
    return slope


@pytest.mark.parametrize("rate", [-3.0, 0.0, 12.5])
def test_a_straight_line_has_its_slope_without_doubt(rate: float) -> None:
    slope = found(life(100 + rate * HOURS))
    assert (slope.rate, slope.low, slope.high) == pytest.approx((rate, rate, rate))


def test_the_slope_of_a_small_example_is_the_median_by_hand() -> None:
    # slopes of the ten pairs: -1, 0, 0.5, 2/3, 1, 1, 1, 1.5, 2, 3
    slope = found(Life([0, 1, 2, 3, 4], [0, 1, 0, 3, 4]))
    assert slope.rate == pytest.approx(1.0)


def test_outliers_do_not_bend_it() -> None:
    values = 100 + 5 * HOURS
    values[::10] += 1_000
    assert found(life(values)).rate == pytest.approx(5.0, abs=0.5)


def test_a_step_between_two_lives_is_no_growth() -> None:
    dice = np.random.default_rng(7)
    before, after = (dice.normal(level, 1, 60) for level in (100.0, 300.0))
    slope = found(life(before), life(after, HOURS + 1))
    assert slope.low < 0 < slope.high
    assert found(life(np.concatenate([before, after]), np.linspace(0, 2, 120))).rate > 50


@pytest.mark.parametrize("resembles", [0.0, 0.7])
@pytest.mark.parametrize("rate", [0.0, 4.0])
def test_the_interval_holds_the_true_slope_as_often_as_said(resembles: float, rate: float) -> None:
    held = sum(
        slope.low <= rate <= slope.high
        for slope in (found(life(noisy(seed, rate, resembles))) for seed in range(SERIES))
    )
    assert held / SERIES == pytest.approx(0.95, abs=0.1)


def noisy(seed: int, rate: float, resembles: float) -> Floats:
    """A line with noise of which each value resembles the one before."""
    steps = np.random.default_rng(seed).normal(0, 1, len(HOURS))
    values = np.empty(len(HOURS))
    value = 0.0
    for at, step in enumerate(steps):
        value = resembles * value + step
        values[at] = value + rate * HOURS[at]
    return values


def test_few_points_say_nothing() -> None:
    assert slope_of([]) is None
    assert slope_of([Life([0, 1, 2, 3], [0, 1, 2, 3])]) is None
    assert verdict(None, 1.0) is Verdict.UNSURE


def test_what_never_changes_is_flat() -> None:
    slope = found(life(np.full(60, 7.0)))
    assert slope == Slope(0.0, 0.0, 0.0)
    assert verdict(slope, 0.0) is Verdict.FLAT


def test_many_points_are_thinned_and_have_the_same_slope() -> None:
    times = np.linspace(0, 10, 9_000)
    assert found(life(3 * times, times)).rate == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("slope", "says"),
    [
        (Slope(0.1, -0.5, 0.9), Verdict.FLAT),
        (Slope(0.9, 0.1, 1.0), Verdict.FLAT),
        (Slope(1.0, 0.5, 1.5), Verdict.UNSURE),
        (Slope(2.0, 1.1, 3.0), Verdict.GROWS),
        (Slope(-9.0, -20.0, -1.0), Verdict.FLAT),
    ],
)
def test_it_grows_when_the_whole_interval_does(slope: Slope, says: Verdict) -> None:
    assert verdict(slope, 1.0) is says


# --- the loop -------------------------------------------------------------------------


BOUNDS_S = (0.001, 0.02, 0.5)


def lag(*late_s: float) -> Lag:
    registry = CollectorRegistry()
    looks = Histogram(
        "townsfolk_event_loop_lag_seconds", "How late.", registry=registry, buckets=BOUNDS_S
    )
    for one in late_s:
        looks.observe(one)
    return Lag.of(generate_latest(registry).decode())


@pytest.mark.parametrize(("late", "at_most_ms"), [(0, 1.0), (1, 1.0), (2, 20.0), (100, 20.0)])
def test_the_bound_is_that_which_99_of_100_looks_kept(late: int, at_most_ms: float) -> None:
    looks = lag(*[0.0005] * (100 - late), *[0.01] * late)
    assert p99_at_most_ms(lag(), looks) == at_most_ms


def test_what_was_before_does_not_count() -> None:
    before = [0.3] * 50
    assert p99_at_most_ms(lag(*before), lag(*before, *[0.01] * 10)) == 20.0


def test_what_is_later_than_all_bounds_has_none() -> None:
    assert p99_at_most_ms(lag(), lag(3.0)) == math.inf


# --- take-overs -----------------------------------------------------------------------


NOTHING = {"lines lost": 0, "lines doubled": 0, "lines out of order": 0, "lines answered twice": 0}


def talk(*answers: int) -> Talk:
    """A talk of lines that were each answered so often."""
    answered = defaultdict(list, {f"anx{n}": [1.0] * often for n, often in enumerate(answers, 1)})
    said = Talk(cast(Witness, SimpleNamespace(answered_at_s=answered)), "An")
    said.said_at_s = {f"anx{number}": 0.0 for number in range(1, len(answers) + 1)}
    return said


@pytest.mark.parametrize(
    ("kept", "wrong"),
    [
        (["anx1", "anx2", "anx3"], {}),
        (["anx1", "anx3"], {}),  # the second was never answered
        (["anx1", "anx2"], {"lines lost": 1}),
        (["anx1", "anx3", "anx3"], {"lines doubled": 1}),
        (["anx3", "anx1"], {"lines out of order": 1}),
    ],
)
def test_a_history_holds_what_was_acknowledged_once_and_in_order(
    kept: Sequence[str], wrong: dict[str, int]
) -> None:
    assert faults(talk(1, 0, 1), kept) == {**NOTHING, **wrong}


def test_two_answers_to_one_line_are_noticed() -> None:
    assert faults(talk(2), ["anx1"]) == {**NOTHING, "lines answered twice": 1}


# --- a bot left alone -----------------------------------------------------------------


def step(*items: str) -> StepDone:
    return StepDone(
        "job", "craft", "it", dict.fromkeys(items, 1), 1.0, Position(0, 64, 0), "overworld"
    )


def test_each_different_item_counts_once() -> None:
    stay = Stay(0, 30)
    for event in (step("oak_log"), step("stick", "oak_log"), step()):
        stay.note(event)
    assert stay.items == ["oak_log", "stick"]


def test_a_goal_that_failed_for_want_of_room_breaks_the_promise_however_it_ended() -> None:
    items = [str(number) for number in range(WANTED_ITEMS)]
    good = Stay(0, 30, items)
    good.fail("clock", Failure(reason="impossible", message="There is no gold."))
    assert holds([good])
    for full in (
        Failure(reason="inventory_full", message="My bag is full."),
        Failure(reason="gave_up", message="I give up.", data={"because": "inventory_full"}),
    ):
        stay = Stay(1, 30, items)
        stay.fail("clock", full)
        assert not holds([good, stay])
    assert not holds([good, Stay(1, 30, items[1:])])


def test_the_table_has_a_line_a_place_and_tells_what_failed() -> None:
    stay = Stay(0, 30, ["stick"], reached=2)
    stay.fail("clock", Failure(reason="impossible", message="There is no gold."))
    head, line, failed = table([stay])
    assert dict(zip(head.replace("no room", "no_room").split(), line.split(), strict=True)) == {
        **{"place": "-30,20", "minutes": "30", "items": "1"},
        **{"reached": "2", "failed": "1", "no_room": "0"},
    }
    assert failed == "(-30, 20) clock: There is no gold."


def test_it_asks_for_nothing_twice_and_for_more_than_the_promise() -> None:
    asked = [item.partition(":")[0] for age in GOALS for item in age.split()]
    assert len(asked) == len({*asked}) > WANTED_ITEMS
