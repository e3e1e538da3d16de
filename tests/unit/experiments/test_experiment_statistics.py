"""Means, intervals and differences of many runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.experiments.report.statistics import difference, estimate, holm

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
