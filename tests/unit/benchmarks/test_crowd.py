"""The lag of the event loop between two moments."""

import math

import pytest
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from benchmarks.crowd.lag import Lag, p99_at_most_ms

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
