"""Means, intervals and differences of many runs."""

import importlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.experiments.report.comparison import Comparison
from bots.experiments.report.statistics import between, difference, estimate, holm
from bots.experiments.study import Study

FINITE = st.floats(-1e6, 1e6)


def test_the_interval_holds_the_true_mean_about_as_often_as_it_says() -> None:
    dice = np.random.default_rng(3)
    found = [estimate(list(dice.exponential(size=40))) for _ in range(120)]
    held = sum(one is not None and (one.low or 0) < 1 < (one.high or 0) for one in found)
    assert 102 <= held <= 120  # of 114; drawn from few, it is a little narrow


def test_a_difference_by_chance_alone_is_rarely_told_as_one() -> None:
    dice = np.random.default_rng(4)
    pairs = [(list(dice.normal(size=12)), list(dice.normal(size=12))) for _ in range(100)]
    chances = [found.p for one, two in pairs if (found := difference(one, two)) and found.p]
    assert sum(p < 0.05 for p in chances) <= 12
    assert sum(p < 0.5 for p in chances) == pytest.approx(50, abs=16)


def test_a_difference_that_is_there_is_found() -> None:
    found = difference([1.0, 1.2, 0.9, 1.1] * 4, [2.0, 2.2, 1.9, 2.1] * 4)
    assert found is not None
    assert found.between.mean == pytest.approx(1)
    assert found.between.low is not None
    assert found.between.low > 0.85
    assert found.p is not None
    assert found.p < 0.001


def test_a_single_run_has_a_mean_and_nothing_else_and_none_has_nothing() -> None:
    one = estimate([3.0])
    assert one is not None
    assert (one.runs, one.mean, one.low, one.high) == (1, 3.0, None, None)
    single = difference([3.0], [4.0, 5.0])
    assert single is not None
    assert (single.between.mean, single.between.low, single.p) == (1.5, None, None)
    assert estimate([]) is None
    assert difference([], [1.0]) is None


@given(st.lists(FINITE, min_size=2, max_size=30))
def test_the_interval_is_around_the_mean_and_within_the_values(values: list[float]) -> None:
    found = estimate(values)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    slack = 1e-9 * max(map(abs, values))
    assert min(values) - slack <= found.low <= found.high <= max(values) + slack


@pytest.mark.slow
def test_many_runs_need_little_memory_and_give_the_same_numbers_again() -> None:
    values = list(np.random.default_rng(5).normal(size=3_000))
    assert difference(values, values[:1_500]) == difference(values, values[:1_500])


def test_chances_are_corrected_for_their_number_and_keep_their_order() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def seeded(values: np.ndarray) -> dict[int, list[float]]:
    return {seed: [float(value)] for seed, value in enumerate(values)}


def simulated_study(dice: np.random.Generator, d: float) -> float:
    """The p of 30 seeds; half of what varies is the seed's own, and the same in both conditions."""
    seeds = dice.normal(scale=0.5**0.5, size=30)
    first, second = (seeds + dice.normal(scale=0.5**0.5, size=30) for _ in range(2))
    found = between(seeded(first), seeded(second + d))
    assert found is not None
    assert found.p is not None
    assert found.pairs == 30
    return found.p


@pytest.mark.slow
def test_a_planted_difference_is_found_and_none_is_not() -> None:
    dice = np.random.default_rng(6)
    assert sum(simulated_study(dice, 0.8) < 0.05 for _ in range(100)) >= 90
    assert sum(simulated_study(dice, 0.0) < 0.05 for _ in range(100)) <= 7


@pytest.mark.parametrize("direction", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("count", [9, 30])
def test_pairs_are_counted_as_scipy_counts_them(count: int, direction: str) -> None:
    stats = importlib.import_module("scipy.stats")
    dice = np.random.default_rng(count)
    first = dice.normal(size=count)
    second = first + dice.normal(0.3, 0.8, size=count)
    found = between(seeded(first), seeded(second), direction)  # type: ignore[arg-type]
    assert found is not None
    apart = (second - first,)
    theirs = stats.permutation_test(
        apart, np.mean, permutation_type="samples", alternative=direction, rng=1
    )
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-12 if count == 9 else 0.02)
    drawn = stats.bootstrap(apart, np.mean, method="percentile", rng=1).confidence_interval
    bounds = (found.between.low, found.between.high)
    assert bounds == pytest.approx((drawn.low, drawn.high), abs=0.03)
    spread = ((first.var(ddof=1) + second.var(ddof=1)) / 2) ** 0.5
    assert found.effect == pytest.approx((second - first).mean() / spread)


def test_runs_without_pairs_are_counted_as_scipy_counts_them() -> None:
    stats = importlib.import_module("scipy.stats")
    dice = np.random.default_rng(8)
    first, second = dice.normal(size=14), dice.normal(0.7, size=11)
    found = difference(list(first), list(second), "greater")
    theirs = stats.permutation_test(
        (second, first), lambda a, b: a.mean() - b.mean(), alternative="greater", rng=1
    )
    assert found is not None
    assert found.p == pytest.approx(theirs.pvalue, abs=0.02)


def test_only_conditions_that_share_half_of_their_seeds_are_paired() -> None:
    first = {seed: [float(seed)] for seed in range(10)}
    shared = {seed: [seed + 1.0, seed + 2.0] for seed in range(5, 15)}
    paired = between(first, shared)
    assert paired is not None
    assert (paired.pairs, paired.between.mean, paired.p) == (5, 1.5, 2 / 2**5)
    apart = between(first, {seed: [seed + 1.5] for seed in range(6, 16)})
    assert apart is not None
    assert (apart.pairs, apart.between.mean) == (0, 7.5)


def test_only_declared_numbers_are_corrected_and_all_others_are_exploratory() -> None:
    dice = np.random.default_rng(9)
    rows = [
        (name, {"seed": seed, **{metric: dice.normal(mean) for metric in ("a", "b", "c")}})
        for name, mean in (("one", 0.0), ("two", 1.0))
        for seed in range(12)
    ]
    captions = {metric: metric for metric in ("a", "b", "c")}
    alone = {
        metric: Comparison.of(rows, {metric: metric}).metrics[0].differences[0] for metric in "abc"
    }
    study = Study(primary="own.py:c", metrics=("b",))
    found = Comparison.of(rows, captions, study).metrics
    assert [(one.name, one.exploratory) for one in found] == [
        ("c", False),
        ("b", False),
        ("a", True),
    ]
    p = {metric: one.p for metric, one in alone.items() if one and one.p}
    assert [one.differences[0].p for one in found if one.differences[0]] == [
        *holm([p["c"], p["b"]]),
        p["a"],
    ]
    less = Comparison.of(rows, captions, Study(primary="c", direction="less")).metrics[0]
    assert less.differences[0] is not None
    assert (less.differences[0].p or 0) > 0.5
