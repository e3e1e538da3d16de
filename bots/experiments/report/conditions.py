"""The numbers of many runs by condition: means, and how each condition differs from the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bots.experiments.report.statistics import FEW, Difference, Estimate, difference, estimate, holm
from bots.experiments.report.tables import as_csv


@dataclass(frozen=True, slots=True)
class Compared:
    """One number, by condition."""

    name: str
    caption: str
    values: Mapping[str, Sequence[float]]
    """Of all runs that have it, by condition."""
    estimates: tuple[Estimate | None, ...]
    """For each condition."""
    differences: tuple[Difference | None, ...]
    """For each condition but the first, to that; p is corrected for all that is tested."""

    @property
    def varies(self) -> bool:
        return len({value for values in self.values.values() for value in values}) > 1


@dataclass(frozen=True, slots=True)
class Comparison:
    conditions: tuple[str, ...]
    metrics: tuple[Compared, ...]

    @classmethod
    def of(
        cls, rows: Sequence[tuple[str, Mapping[str, Any]]], captions: Mapping[str, str]
    ) -> Comparison:
        """Of (condition, numbers) of each run; the first one's condition is the first."""
        conditions = tuple(dict.fromkeys(name for name, _ in rows))
        found = [_compared(column, captions[column], conditions, rows) for column in captions]
        return cls(conditions, tuple(_corrected(found)))


def conditions_csv(comparison: Comparison) -> str:
    """One row for each number of each condition."""
    rows = (
        (condition, one.name, *_cells(one.estimates[place]), *_difference_cells(one, place))
        for one in comparison.metrics
        for place, condition in enumerate(comparison.conditions)
    )
    return as_csv(
        (
            *("condition", "metric", "runs", "mean", "low", "high"),
            *("difference", "difference_low", "difference_high", "p"),
        ),
        rows,
    )


def shown_estimate(found: Estimate | None) -> str:
    """As `1.25 (1.1 to 1.4)`."""
    if found is None:
        return "–"
    if found.low is None or found.high is None or found.low == found.high:
        return f"{found.mean:.3g}"
    return f"{found.mean:.3g} ({found.low:.3g} to {found.high:.3g})"


def shown_difference(found: Difference | None) -> str:
    if found is None:
        return "–"
    p = "" if found.p is None else f", p {found.p:.3f}" if found.p >= 0.001 else ", p < 0.001"
    return shown_estimate(found.between) + p


def among(comparison: Comparison) -> int:
    """How many differences are tested."""
    return len([found for one in comparison.metrics for found in one.differences if _tested(found)])


def few_runs(comparison: Comparison) -> str:
    """A warning where a condition has so few runs that intervals mean little."""
    runs = [found.runs for one in comparison.metrics for found in one.estimates if found]
    if min(runs, default=FEW) >= FEW:
        return ""
    return (
        f"With fewer than {FEW} runs of a condition the brackets are too narrow: play more seeds."
    )


def _compared(
    name: str,
    caption: str,
    conditions: Sequence[str],
    rows: Sequence[tuple[str, Mapping[str, Any]]],
) -> Compared:
    values: dict[str, list[float]] = {condition: [] for condition in conditions}
    for condition, entry in rows:
        if (number := entry[name]) is not None:
            values[condition].append(float(number))
    first, *others = values.values()
    return Compared(
        name,
        caption,
        values,
        tuple(estimate(own) for own in values.values()),
        tuple(difference(first, own) for own in others),
    )


def _corrected(found: Sequence[Compared]) -> list[Compared]:
    """What is the same in all runs is no test."""
    chances = [each.p for one in found if one.varies for each in one.differences if each and each.p]
    corrected = iter(holm(chances))

    def correct(each: Difference | None, varies: bool) -> Difference | None:
        if each is None or each.p is None:
            return each
        return replace(each, p=next(corrected) if varies else None)

    return [
        replace(one, differences=tuple(correct(each, one.varies) for each in one.differences))
        for one in found
    ]


def _tested(found: Difference | None) -> bool:
    return found is not None and found.p is not None


def _cells(found: Estimate | None) -> tuple[object, ...]:
    return (found.runs, found.mean, found.low, found.high) if found else (0, None, None, None)


def _difference_cells(one: Compared, place: int) -> tuple[object, ...]:
    found = one.differences[place - 1] if place else None
    if found is None:
        return (None,) * 4
    return (found.between.mean, found.between.low, found.between.high, found.p)
