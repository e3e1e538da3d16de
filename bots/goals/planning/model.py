"""A small integer program, built row by row, and the limits for solving it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

CUTS = 3
"""How many counts without an order are cut off one by one; more seldom help."""

ORDERS = 5_000
"""Choices tried to order counts before the search gives up."""

Status = Literal["optimal", "infeasible", "stopped"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up; reaching a limit proves nothing. All but `left_s` are counted, so they end
    at the same point on every machine."""

    work: int | None = None
    """Rows plus columns of the program, times the relaxations solved. A unit takes about 0.5 µs."""
    left_s: Callable[[], float] | None = None
    """Seconds left when it is called."""
    gap: float = 0.0
    """How far the cost of the best solution may be above the optimum."""
    cuts: int = CUTS
    orders: int = ORDERS

    def over(self) -> bool:
        return self.left_s is not None and self.left_s() <= 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of solving; `values` are those of the best solution, if any."""

    status: Status
    values: tuple[int, ...] | None
    bound: float
    """No solution costs less."""
    nodes: int
    work: int
    """The work that was done, as Limits counts it."""


@dataclass(slots=True)
class Model:
    """Columns, mostly of whole numbers, and rows over them."""

    cost: list[float] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    rows: list[tuple[float, float, Mapping[int, float]]] = field(default_factory=list)
    known: float = float("inf")
    """The cost of a known solution, less half a unit: only cheaper ones are wanted."""

    def column(self, upper: int, cost: float = 0.0, whole: bool = True) -> int:
        """Add a column from 0 to `upper` and return its number; `whole`: whole numbers only."""
        self.cost.append(cost)
        self.upper.append(upper)
        self.whole.append(whole)
        return len(self.cost) - 1

    def at_least(self, lower: float, terms: Mapping[int, float]) -> None:
        self.rows.append((lower, float("inf"), terms))

    def at_most(self, upper: float, terms: Mapping[int, float]) -> None:
        self.rows.append((float("-inf"), upper, terms))
