"""The slope of what was measured: known slopes are found, and the interval is honest."""

import numpy as np
import pytest

from benchmarks.soak.slopes import Floats, Life, Slope, Verdict, slope_of, verdict

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
