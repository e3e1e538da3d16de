"""The linear relaxation of a program, solved again and again with other bounds by HiGHS.

One solver is kept for all solves. It starts from its last basis, so later solves cost a fraction
of the first. The program is passed as arrays, because the modelling layer of HiGHS is several times
slower. The import waits for `load_solver` or the first use: it takes a sixth of a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from bots.goals.planning.model import Model

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]

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
        self._take_rows(model)
        self._solver = highspy.Highs()
        for name, value in OPTIONS.items():
            self._solver.setOptionValue(name, value)
        self._solver.passModel(self._program())

    def _take_rows(self, model: Model) -> None:
        import numpy as np

        lengths = [len(terms) for _, _, terms in model.rows]
        self._lower = np.array([low for low, _, _ in model.rows], float)
        self._upper = np.array([high for _, high, _ in model.rows], float)
        self._starts = np.cumsum([0, *lengths]).astype(np.int32)
        self._row = np.repeat(np.arange(len(lengths)), lengths)
        self._column = np.array([j for _, _, terms in model.rows for j in terms], np.int32)
        self._value = np.array([v for _, _, terms in model.rows for v in terms.values()], float)

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
