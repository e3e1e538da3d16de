"""Branch and bound: the best solution of a small integer program, from its linear relaxations.

It takes the open branch with the least bound and dives: one side after the other, until the branch
is empty or all numbers are whole. For plans this is several times quicker than a general solver.
Their rows make the relaxation so tight that some tens of solves are enough, and those take less
time than presolving and cutting planes would.

HiGHS solves the relaxations. One solver is kept for all solves. It starts from its last basis, so
later solves cost a fraction of the first. The program is passed as arrays, because the modelling
layer of HiGHS is several times slower. The import waits for `load_solver` or the first use: it
takes a sixth of a second.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]

CUTS = 3
"""How many counts without an order are cut off one by one; more seldom help."""
ORDERS = 5_000
"""Choices tried to order counts before the search gives up."""
Status = Literal["optimal", "infeasible", "stopped"]
TOLERANCE = 1e-6
"""The solver's: numbers that differ by less are equal."""
OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "parallel": "off",
    "random_seed": 0,
    "presolve": "off",
    "solver": "simplex",
    "simplex_strategy": 1,
}
"""Strategy 1 is the dual simplex: a basis stays dual feasible when only bounds change."""
STEP_TICKS = 1 / 1024
"""Each way used costs this on top, so of equally quick plans the one with fewer ways wins.

All costs are multiples of it.
"""
HALF = 0.5


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


def load_solver() -> None:
    """Load it before it is needed: numpy that could not be loaded whole, without file descriptors
    say, cannot be loaded again in the same process."""
    import highspy  # noqa: F401
    import numpy as np  # noqa: F401


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """An optimum within some bounds: its cost and the values of the columns."""

    cost: float
    values: Array
    reduced: Array
    """The reduced cost of each column: what one more of it would add to the cost."""


class Relaxation:
    """The relaxation of one model."""

    def __init__(self, model: Model) -> None:
        import highspy
        import numpy as np

        self.cost = np.array(model.cost, float)
        self.upper = np.array(model.upper, float)
        self.whole = np.array(model.whole, bool)
        self.failed = False
        """Whether some solve found neither a point nor that there is none."""
        self._columns = np.arange(len(model.cost), dtype=np.int32)
        lengths = [len(terms) for _, _, terms in model.rows]
        self._lower = np.array([low for low, _, _ in model.rows], float)
        self._upper = np.array([high for _, high, _ in model.rows], float)
        self._starts = np.cumsum([0, *lengths]).astype(np.int32)
        self._row = np.repeat(np.arange(len(lengths)), lengths)
        self._column = np.array([j for _, _, terms in model.rows for j in terms], np.int32)
        self._value = np.array([v for _, _, terms in model.rows for v in terms.values()], float)
        self._solver = highspy.Highs()
        for name, value in OPTIONS.items():
            self._solver.setOptionValue(name, value)
        self._solver.passModel(self._program())

    def _program(self) -> Any:
        import highspy
        import numpy as np

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.cost), len(self._lower)
        lp.col_cost_ = self.cost
        lp.col_lower_, lp.col_upper_ = np.zeros(len(self.cost)), self.upper
        lp.row_lower_, lp.row_upper_ = self._lower, self._upper
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_, lp.a_matrix_.index_ = self._starts, self._column
        lp.a_matrix_.value_ = self._value
        return lp

    @property
    def size(self) -> int:
        return len(self.cost) + len(self._lower)

    def solve(self, low: Array, high: Array, cutoff: float) -> Point | None:
        """Find the least cost within the bounds; None if it is not below the cutoff."""
        import highspy
        import numpy as np

        solver, statuses = self._solver, highspy.HighsModelStatus
        solver.changeColsBounds(len(self._columns), self._columns, low, high)
        solver.setOptionValue("objective_bound", cutoff)
        solver.run()
        status = solver.getModelStatus()
        if status not in (statuses.kOptimal, statuses.kInfeasible, statuses.kObjectiveBound):
            self.failed = True
        cost = solver.getInfo().objective_function_value
        if status != statuses.kOptimal or cost >= cutoff - TOLERANCE:
            return None
        solution = solver.getSolution()
        values = np.clip(np.array(solution.col_value), low, high)
        return Point(cost, values, np.array(solution.col_dual))

    def fits(self, values: Array) -> bool:
        """Whether every row holds for these values, checked without the solver."""
        import numpy as np

        rows = len(self._lower)
        sums = np.bincount(self._row, self._value * values[self._column], rows)
        return bool(
            (sums >= self._lower - TOLERANCE).all() and (sums <= self._upper + TOLERANCE).all()
        )

    def narrowed(self, point: Point, low: Array, high: Array, cutoff: float) -> tuple[Array, Array]:
        """Tighten the bounds: the reduced costs show which values must cost as much as the
        cutoff."""
        import numpy as np

        spare = cutoff - point.cost
        if not np.isfinite(spare):
            return low, high
        dear = np.where(np.abs(point.reduced) > TOLERANCE, np.abs(point.reduced), np.inf)
        steps = np.floor(np.minimum(spare / dear + TOLERANCE, high - low))
        down = self.whole & (point.reduced > 0) & (point.values <= low + TOLERANCE)
        up = self.whole & (point.reduced < 0) & (point.values >= high - TOLERANCE)
        idle = dear == np.inf
        return (
            np.where(up & ~idle, np.maximum(low, high - steps), low),
            np.where(down & ~idle, np.minimum(high, low + steps), high),
        )


def solved(model: Model, limits: Limits) -> Outcome:
    """Minimise the cost. The same model and work limit give the same outcome."""
    if not model.cost:
        unmet = any(low > 0 for low, _, _ in model.rows)
        return Outcome("infeasible" if unmet else "optimal", None if unmet else (), 0, 0, 0)
    return _Search(model, limits).run()


@dataclass(frozen=True, slots=True)
class _Branch:
    """Bounds of one column, on top of those of the branches above."""

    above: _Branch | None
    column: int
    low: float
    high: float


class _Search:
    def __init__(self, model: Model, limits: Limits) -> None:
        self._relaxed = Relaxation(model)
        self._limits = limits
        self._cutoff = model.known
        self._best: Array | None = None
        self._looks = self._left = 0
        self._open: list[tuple[float, int, _Branch | None]] = [(-math.inf, 0, None)]
        """A heap by bound; among equals the youngest first."""

    def run(self) -> Outcome:
        while self._open and not self._is_over():
            bound, _, branch = heapq.heappop(self._open)
            if bound < self._cutoff - TOLERANCE:
                self._dive(branch)
        left = [bound for bound, _, _ in self._open if bound < self._cutoff - TOLERANCE]
        values = None if self._best is None else tuple(round(v) for v in self._best)
        work = self._looks * self._relaxed.size
        if left or self._relaxed.failed:
            return Outcome("stopped", values, min(left, default=-math.inf), self._looks, work)
        if values is None:
            return Outcome("infeasible", None, self._cutoff, self._looks, work)
        return Outcome("optimal", values, self._cutoff, self._looks, work)

    def _is_over(self) -> bool:
        work = self._limits.work
        worked = work is not None and self._looks * self._relaxed.size >= work
        return worked or self._limits.over()

    def _dive(self, branch: _Branch | None) -> None:
        """Go down from a branch, one side each time; the other sides stay open."""
        low, high = self._bounds(branch)
        point = self._look(low, high)
        while point is not None:
            low, high = self._relaxed.narrowed(point, low, high, self._cutoff)
            column = self._undecided(point)
            if column is None:
                self._best = point.values
                self._cutoff = point.cost - max(self._limits.gap, 0.9 * STEP_TICKS)
                return
            # The two sides of a column, the one to dive into first. That is the upper one, unless
            # no solution is known and the lower one is nearer and not 0.
            value = float(point.values[column])
            below = math.floor(value)
            down = _Branch(branch, column, 0, below)
            up = _Branch(branch, column, below + 1, math.inf)
            nearer = not self._is_known() and below and value - below < HALF
            near, far = (down, up) if nearer else (up, down)
            self._leave(point, far)
            if self._is_over():
                self._leave(point, near)
                return
            branch = near
            low, high = low.copy(), high.copy()
            low[column], high[column] = max(low[column], near.low), min(high[column], near.high)
            point = self._look(low, high)

    def _look(self, low: Array, high: Array) -> Point | None:
        if (low > high).any():
            return None
        self._looks += 1
        return self._relaxed.solve(low, high, self._cutoff)

    def _leave(self, point: Point, branch: _Branch) -> None:
        self._left += 1
        heapq.heappush(self._open, (point.cost, -self._left, branch))

    def _bounds(self, branch: _Branch | None) -> tuple[Array, Array]:
        low, high = self._relaxed.upper * 0, self._relaxed.upper.copy()
        while branch is not None:
            low[branch.column] = max(low[branch.column], branch.low)
            high[branch.column] = min(high[branch.column], branch.high)
            branch = branch.above
        return low, high

    def _undecided(self, point: Point) -> int | None:
        """The column to branch on; None if all are whole.

        With a solution known, the one with most still to pay when rounded up. Before that, the
        same among the yes-or-no columns; then the column with the least value, since large values
        mostly follow from others.
        """
        import numpy as np

        relaxed, values = self._relaxed, point.values
        whole = np.where(relaxed.whole, np.rint(values), values)
        torn = np.abs(values - whole) > TOLERANCE
        if not torn.any():
            if relaxed.fits(whole):
                return None
            torn = values != whole
            if not torn.any():
                return None
        used = torn & (relaxed.upper == 1)
        if self._is_known() or used.any():
            unpaid = (relaxed.cost + 1) * (np.ceil(values) - values)
            return int(np.where(torn if self._is_known() else used, unpaid, -1).argmax())
        return int(np.where(torn, values, np.inf).argmin())

    def _is_known(self) -> bool:
        return self._cutoff < math.inf
