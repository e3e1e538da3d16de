"""What many runs say together: means with intervals, and whether two conditions differ.

Nothing is assumed of how the numbers are distributed. An interval is that of 95 % of the means of
runs drawn anew from those there are (bootstrap); `p` is how often a difference as large comes about
when the runs are dealt to the conditions by chance (permutation). The same runs give the same
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

DRAWN = 5_000
BY_CHANCE = 0.05  # of the means lie outside of an interval
FEW = 10  # runs; below, an interval is too narrow
AT_ONCE = 1_000_000  # numbers in memory

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and between which bounds it lies; None where a single run says nothing of that."""

    runs: int
    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the mean of a second condition is above that of a first one."""

    between: Estimate
    p: float | None
    """How often chance alone makes as large a difference; None for single runs."""


def estimate(values: Sequence[float]) -> Estimate | None:
    """None without values."""
    if not values:
        return None
    numbers = np.asarray(values, dtype=np.float64)
    low, high = _interval(_drawn_means(numbers, _dice())) if len(numbers) > 1 else (None, None)
    return Estimate(len(numbers), float(numbers.mean()), low, high)


def difference(first: Sequence[float], second: Sequence[float]) -> Difference | None:
    """None where one of them has no values."""
    if not first or not second:
        return None
    before, after = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    mean, runs = float(after.mean() - before.mean()), len(before) + len(after)
    if min(len(before), len(after)) < 2:
        return Difference(Estimate(runs, mean, None, None), None)
    dice = _dice()
    low, high = _interval(_drawn_means(after, dice) - _drawn_means(before, dice))
    return Difference(Estimate(runs, mean, low, high), _chance(before, after, dice))


def holm(chances: Sequence[float]) -> list[float]:
    """The same p, corrected for how many there are: by chance, one of twenty is below 0.05."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected, most = [0.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        most = max(most, min(1.0, chances[place] * (len(chances) - rank)))
        corrected[place] = most
    return corrected


def _dice() -> np.random.Generator:
    return np.random.default_rng(0)


def _drawn_means(numbers: Floats, dice: np.random.Generator) -> Floats:
    def draw(times: int) -> Floats:
        found: Floats = numbers[dice.integers(len(numbers), size=(times, len(numbers)))].mean(
            axis=1
        )
        return found

    return _in_portions(draw, len(numbers))


def _interval(means: Floats) -> tuple[float, float]:
    low, high = np.quantile(means, [BY_CHANCE / 2, 1 - BY_CHANCE / 2])
    return float(low), float(high)


def _chance(before: Floats, after: Floats, dice: np.random.Generator) -> float:
    both, count = np.concatenate([before, after]), len(before)

    def deal(times: int) -> Floats:
        dealt = dice.permuted(np.tile(both, (times, 1)), axis=1)
        found: Floats = dealt[:, count:].mean(axis=1) - dealt[:, :count].mean(axis=1)
        return found

    seen = abs(after.mean() - before.mean())
    as_large = np.abs(_in_portions(deal, len(both))) >= seen * (1 - 1e-9)
    return float((as_large.sum() + 1) / (DRAWN + 1))


def _in_portions(draw: Callable[[int], Floats], width: int) -> Floats:
    """All that is drawn, so many at a time that they need little memory."""
    portion = max(1, min(DRAWN, AT_ONCE // width))
    sizes = [min(portion, DRAWN - done) for done in range(0, DRAWN, portion)]
    return np.concatenate([draw(size) for size in sizes])
