"""Whether a measured thing grows: the Theil-Sen slope with its interval, and what it means.

The slope is the median of the slopes between all pairs of points, so that outliers do not bend it.
Points of several lives (a process that was started anew) are never paired with one another. The
interval is Sen's, by the variance of Kendall's S; points that follow one another closely resemble
each other, which widens it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
FEWEST_PAIRS = 10  # with fewer nothing is said
MOST_ALIKE = 0.95  # neighbours that resemble each other more would leave no information at all
MOST_POINTS = 1_500  # of a life: more are thinned, as pairs grow with their square

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Life:
    """Readings of one thing while one process lived."""

    times: Sequence[float]
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Slope:
    """By how much a thing grows in a unit of time, and between which bounds that lies."""

    rate: float
    low: float
    high: float


class Verdict(StrEnum):
    FLAT = "flat"
    GROWS = "grows"
    UNSURE = "unsure"


def slope_of(lives: Sequence[Life], confidence: float = CONFIDENCE) -> Slope | None:
    """The common slope of all lives; None where there are too few points."""
    thinned = [_thinned(life) for life in lives]
    slopes = np.sort(np.concatenate([_pairwise(*life) for life in thinned] or [np.empty(0)]))
    if len(slopes) < FEWEST_PAIRS:
        return None
    rate = float(np.median(slopes))
    spread = math.sqrt(_variance(thinned) * _alike(thinned, rate))
    reach = NormalDist().inv_cdf(0.5 + confidence / 2) * spread
    below, above = (len(slopes) - reach) / 2, (len(slopes) + reach) / 2
    return Slope(
        rate,
        float(slopes[max(math.floor(below) - 1, 0)]),
        float(slopes[min(math.ceil(above), len(slopes) - 1)]),
    )


def verdict(slope: Slope | None, most: float) -> Verdict:
    """Whether a thing grows by more than it may; unsure where the interval holds both answers."""
    if slope is None:
        return Verdict.UNSURE
    if slope.low > most:
        return Verdict.GROWS
    return Verdict.FLAT if slope.high <= most else Verdict.UNSURE


def _thinned(life: Life) -> tuple[Floats, Floats]:
    every = max(1, math.ceil(len(life.times) / MOST_POINTS))
    times = np.asarray(life.times[::every], dtype=np.float64)
    return times, np.asarray(life.values[::every], dtype=np.float64)


def _pairwise(times: Floats, values: Floats) -> Floats:
    """The slopes between all points of different times."""
    first, second = np.triu_indices(len(times), k=1)
    apart = times[second] - times[first]
    differ = apart != 0
    rises: Floats = values[second] - values[first]
    slopes: Floats = rises[differ] / apart[differ]
    return slopes


def _variance(lives: Sequence[tuple[Floats, Floats]]) -> float:
    """Of Kendall's S when nothing grows; values that are the same tell nothing."""
    return sum(
        _choices(len(values)) - sum(_choices(int(n)) for n in np.unique_counts(values).counts)
        for _, values in lives
    )


def _choices(n: int) -> float:
    return n * (n - 1) * (2 * n + 5) / 18


def _alike(lives: Sequence[tuple[Floats, Floats]], rate: float) -> float:
    """By how much the variance grows because neighbours resemble each other: of first order."""
    products = squares = 0.0
    for times, values in lives:
        rest = values - rate * times
        rest = rest - np.mean(rest) if len(rest) else rest
        products += float(np.sum(rest[1:] * rest[:-1]))
        squares += float(np.sum(rest**2))
    alike = min(max(products / squares, 0.0), MOST_ALIKE) if squares else 0.0
    return (1 + alike) / (1 - alike)
