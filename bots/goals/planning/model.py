"""A small integer program, grown row by row, and the limits for solving it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

CUTS = 3
"""Counts without an order that are cut off one by one; more of them seldom help."""

ORDERS = 5_000
"""Choices tried to order some counts before they are given up."""

Status = Literal["optimal", "infeasible", "stopped"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up; a limit reached proves nothing. Without the time everything ends at
    the same point on every machine."""

    work: int | None = None
    """Rows and columns of the program times the relaxations solved: roughly half a µs each."""
    left_s: Callable[[], float] | None = None
    """Seconds that are left at the time it is called."""
    gap: float = 0.0
    """Cost by which the best solution may miss the optimum."""
    cuts: int = CUTS
    orders: int = ORDERS

    def over(self) -> bool:
        return self.left_s is not None and self.left_s() <= 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What solving came to; `values` are those of the best solution, if there is any."""

    status: Status
    values: tuple[int, ...] | None
    bound: float
    """No solution costs less."""
    nodes: int
    work: int
    """What was done, see Limits."""


@dataclass(slots=True)
class Model:
    """Columns of whole numbers and rows over them."""

    cost: list[float] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    rows: list[tuple[float, float, Mapping[int, float]]] = field(default_factory=list)
    known: float = float("inf")
    """What a known solution costs, less half a unit: only what is cheaper is of interest."""

    def column(self, upper: int, cost: float = 0.0, whole: bool = True) -> int:
        """Add a column from 0 to `upper`, of whole numbers or not; returns its number."""
        self.cost.append(cost)
        self.upper.append(upper)
        self.whole.append(whole)
        return len(self.cost) - 1

    def at_least(self, lower: float, terms: Mapping[int, float]) -> None:
        self.rows.append((lower, float("inf"), terms))

    def at_most(self, upper: float, terms: Mapping[int, float]) -> None:
        self.rows.append((float("-inf"), upper, terms))
