"""Percentiles and how figures are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that so many percent of all do not exceed."""
    rank = math.ceil(len(values) * percent / 100)
    return sorted(values)[max(rank, 1) - 1]


def percentiles(values: Sequence[float]) -> dict[str, float]:
    return {f"p{percent}": rounded(percentile(values, percent)) for percent in (50, 95, 99)}


def median(values: Sequence[float]) -> float:
    return percentile(values, 50)


def rounded(value: float) -> float:
    """Four significant digits."""
    return float(f"{value:.4g}")


def flat(report: dict[str, Any], name: str = "") -> list[tuple[str, Any]]:
    """Every figure of nested tables with its dotted name."""
    rows: list[tuple[str, Any]] = []
    for key, value in report.items():
        dotted = f"{name}.{key}" if name else key
        rows += flat(value, dotted) if isinstance(value, dict) else [(dotted, value)]
    return rows
