"""What many runs say together: means with intervals, and whether two conditions differ.

Nothing is assumed of how the numbers are distributed. An interval is that of 95 % of the means of
runs drawn anew from those there are (bootstrap); `p` is how often a difference as large comes about
by chance (permutation): where conditions share their seeds, by turning the difference of each seed
round, else by dealing the runs anew. The same runs give the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

DRAWN = 5_000
BY_CHANCE = 0.05  # of the means lie outside of an interval
FEW = 10  # runs; below, an interval is too narrow
AT_ONCE = 1_000_000  # numbers in memory
ALL_TURNED = 12  # pairs; up to here every way of turning them is counted

Floats: TypeAlias = NDArray[np.float64]
BySeed: TypeAlias = dict[int, list[float]]
Direction: TypeAlias = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and between which bounds it lies; None where a single run says nothing of that."""

    runs: int
    mean: float
    low: float | None
    high: float | None


@dataclass(slots=True)
class Difference:
    """By how much the mean of a second condition is above that of a first one."""

    between: Estimate
    p: float | None
    """How often chance alone makes as large a difference; None for single runs."""
    pairs: int = 0
    """Seeds that both have; 0: the runs were not paired."""
    effect: float | None = None
    """Cohen's d: the difference in standard deviations of the two conditions (their root mean
    square); None where nothing varies."""

    @property
    def is_sure(self) -> bool:
        return self.p is not None and self.p < BY_CHANCE


def estimate(values: Sequence[float]) -> Estimate | None:
    """None without values."""
    if not values:
        return None
    numbers = np.asarray(values, dtype=np.float64)
    low, high = _interval(_drawn_means(numbers, _dice())) if len(numbers) > 1 else (None, None)
    return Estimate(len(numbers), float(numbers.mean()), low, high)


def between(first: BySeed, second: BySeed, direction: Direction = "two-sided") -> Difference | None:
    """Of pairs, where half of the seeds are shared; a seed that was played twice is its mean."""
    shared = sorted(first.keys() & second.keys())
    if len(shared) < 2 or 2 * len(shared) < min(len(first), len(second)):
        runs = [list(chain.from_iterable(each.values())) for each in (first, second)]
        return difference(runs[0], runs[1], direction)
    before, after = (np.array([np.mean(each[seed]) for seed in shared]) for each in (first, second))
    dice, apart, count = _dice(), after - before, len(shared)
    low, high = _interval(_drawn_means(apart, dice))
    mean = Estimate(count, float(apart.mean()), low, high)
    if count <= ALL_TURNED:
        ways = np.arange(2**count)[:, None] >> np.arange(count) & 1
        p = float(_as_far((1 - 2 * ways) @ apart / count, mean.mean, direction).mean())
    else:
        turned = _drawn(lambda times: 1 - 2 * dice.integers(2, size=(times, count)), apart / count)
        p = _share(turned, mean.mean, direction)
    return Difference(mean, p, count, _effect(before, after))


def difference(
    first: Sequence[float], second: Sequence[float], direction: Direction = "two-sided"
) -> Difference | None:
    """Of runs that have nothing to do with each other; None where one of them has no values."""
    if not first or not second:
        return None
    before, after = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both, mean = np.concatenate([before, after]), float(after.mean() - before.mean())
    if min(len(before), len(after)) < 2:
        return Difference(Estimate(len(both), mean, None, None), None)
    dice = _dice()
    low, high = _interval(_drawn_means(after, dice) - _drawn_means(before, dice))
    weights = np.repeat([-1 / len(before), 1 / len(after)], [len(before), len(after)])
    dealt = _drawn(lambda times: dice.permuted(np.tile(both, (times, 1)), axis=1), weights)
    p = _share(dealt, mean, direction)
    return Difference(Estimate(len(both), mean, low, high), p, effect=_effect(before, after))


def holm(chances: Sequence[float]) -> list[float]:
    """The same p, corrected for how many there are: by chance, one of twenty is below 0.05."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected, most = [0.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        most = max(most, min(1.0, chances[place] * (len(chances) - rank)))
        corrected[place] = most
    return corrected


def kappa(pairs: Sequence[tuple[float, float]], *, weighted: bool) -> float | None:
    """How far two judges agree beyond chance, Cohen's: 1 always, 0 as by chance. Weighted, a
    disagreement counts by the square of its size. None where chance leaves none to expect."""
    if len(pairs) < 2:
        return None
    first, second = np.asarray(pairs, dtype=np.float64).T
    apart, by_chance = first - second, first[:, None] - second
    power = 2 if weighted else 0  # of a difference, which counts at all or not
    seen = np.where(apart, np.abs(apart) ** power, 0.0).mean()
    expected = np.where(by_chance, np.abs(by_chance) ** power, 0.0).mean()
    return float(1 - seen / expected) if expected else None


def _dice() -> np.random.Generator:
    return np.random.default_rng(0)


def _drawn_means(numbers: Floats, dice: np.random.Generator) -> Floats:
    size = len(numbers)
    weights = np.full(size, 1 / size)
    return _drawn(lambda times: numbers[dice.integers(size, size=(times, size))], weights)


def _drawn(draw: Callable[[int], NDArray[Any]], weights: Floats) -> Floats:
    """The weighted sum of each draw, so many at a time that they need little memory."""
    portion = max(1, min(DRAWN, AT_ONCE // len(weights)))
    sizes = [min(portion, DRAWN - done) for done in range(0, DRAWN, portion)]
    return np.concatenate([draw(size) @ weights for size in sizes])


def _interval(means: Floats) -> tuple[float, float]:
    low, high = np.quantile(means, [BY_CHANCE / 2, 1 - BY_CHANCE / 2])
    return float(low), float(high)


NO_SPREAD = 1e-9  # of the difference: numbers that are the same but for their last digits


def _effect(before: Floats, after: Floats) -> float | None:
    if min(len(before), len(after)) < 2:
        return None
    spread = float(np.sqrt((before.var(ddof=1) + after.var(ddof=1)) / 2))
    apart = float(after.mean() - before.mean())
    return apart / spread if spread > abs(apart) * NO_SPREAD else None


def _share(by_chance: Floats, seen: float, direction: Direction) -> float:
    """What was seen counts as one of those drawn: by drawing, no p is 0."""
    return float((_as_far(by_chance, seen, direction).sum() + 1) / (DRAWN + 1))


def _as_far(by_chance: Floats, seen: float, direction: Direction) -> NDArray[np.bool_]:
    slack = 1e-9 * abs(seen)
    if direction == "two-sided":
        return np.abs(by_chance) >= abs(seen) - slack
    sign = 1 if direction == "greater" else -1
    return sign * by_chance >= sign * seen - slack
