"""A small integer program, grown row by row and handed to HiGHS whole.

The modelling layer of highspy is several times slower than arrays; import is left to the first
use, because it takes a sixth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

CUTS = 3
"""Counts without an order that are cut off one by one; more of them seldom help."""
FEW_LOOKS = 5
"""With fewer, a solver gets no further than its first relaxation."""

Status = Literal["optimal", "infeasible", "stopped"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up; a limit reached proves nothing. Without the times everything ends at
    the same point on every machine."""

    nodes: int | None = None
    """Of branch and bound."""
    work: int | None = None
    """Rows of the program times the points at which the solver looks up: roughly 10 µs each."""
    left_s: Callable[[], float] | None = None
    """Seconds that are left at the time it is called."""
    solve_s: float | None = None
    """For each run of the solver, as the last resort."""
    gap: float = 1e-4
    """Cost by which the best solution may miss the optimum; far below a step's share of a tick."""
    cuts: int = CUTS

    def over(self) -> bool:
        return self.left_s is not None and self.left_s() <= 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the solver came to; `values` are those of its best solution, if it has any."""

    status: Status
    values: tuple[int, ...] | None
    bound: float
    """No solution costs less."""
    nodes: int
    work: int
    """What was done of it where it was limited, see Limits."""


@dataclass(slots=True)
class Model:
    """Columns of whole numbers and rows over them."""

    cost: list[float] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    rows: list[tuple[float, float, Mapping[int, float]]] = field(default_factory=list)
    known: float | None = None
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

    def solve(self, limits: Limits) -> Outcome:
        """Minimise the cost; the same model and node limit give the same outcome."""
        import highspy

        if not self.cost:
            # The solver calls a model without columns neither possible nor impossible.
            unmet = any(low > 0 for low, _, _ in self.rows)
            return Outcome("infeasible" if unmet else "optimal", None if unmet else (), 0, 0, 0)
        solver = highspy.Highs()
        for name, value in _options(limits, self.known is not None).items():
            solver.setOptionValue(name, value)
        self._stand_for_known()
        watch = _Watch(limits.work, len(self.rows))
        if watch.is_pointless():
            return Outcome("stopped", None, float("-inf"), 0, 0)
        watch.over(solver)
        solver.passModel(self._arrays())
        if self.known is not None:
            solver.setSolution(_last_alone(len(self.cost)))
        solver.run()
        return _outcome(solver, self.known is not None, watch.done())

    def _stand_for_known(self) -> None:
        """Let one more column alone be a solution: the known one.

        A solver that holds a solution fixes columns by their reduced costs; from a mere row that
        bounds the cost it learns far less, and takes three times as long.
        """
        if self.known is not None:
            last = self.column(1, self.known)
            self.rows = [
                (low, high, {**terms, last: low} if low > 0 else terms)
                for low, high, terms in self.rows
            ]

    def _arrays(self) -> Any:
        import highspy
        import numpy as np

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.cost), len(self.rows)
        lp.col_cost_ = np.array(self.cost)
        lp.col_lower_, lp.col_upper_ = np.zeros(len(self.cost)), np.array(self.upper, float)
        lp.row_lower_ = np.array([row[0] for row in self.rows])
        lp.row_upper_ = np.array([row[1] for row in self.rows])
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.cumsum([0, *(len(row[2]) for row in self.rows)]).astype(np.int32)
        lp.a_matrix_.index_ = np.array([j for row in self.rows for j in row[2]], np.int32)
        lp.a_matrix_.value_ = np.array([v for row in self.rows for v in row[2].values()], float)
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[whole] for whole in self.whole]
        return lp


def _options(limits: Limits, known: bool) -> dict[str, object]:
    options: dict[str, object] = {
        "output_flag": False,
        "threads": 1,
        "parallel": "off",
        "random_seed": 0,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": limits.gap,
        "mip_heuristic_effort": 0.0 if known else 0.05,
        "mip_detect_symmetry": False,
        "mip_allow_restart": not known,
    }
    if limits.nodes is not None:
        options["mip_max_nodes"] = limits.nodes
    times = [limits.solve_s] if limits.solve_s is not None else []
    times += [max(0.001, limits.left_s())] if limits.left_s is not None else []
    if times:
        options["time_limit"] = min(times)
    return options


class _Watch:
    """Counts how often the solver looks up, and ends it when it has worked enough."""

    def __init__(self, work: int | None, rows: int) -> None:
        self._rows = max(1, rows)
        self._most = None if work is None else work // self._rows
        self._looks = 0

    def is_pointless(self) -> bool:
        return self._most is not None and self._most < FEW_LOOKS

    def over(self, solver: Any) -> None:
        if self._most is not None:
            solver.cbMipInterrupt.subscribe(self._look)

    def _look(self, event: Any) -> None:
        self._looks += 1
        event.data_in.user_interrupt = self._looks > (self._most or 0)

    def done(self) -> int:
        return self._looks * self._rows


def _last_alone(columns: int) -> Any:
    import highspy

    solution = highspy.HighsSolution()
    solution.col_value = [0.0] * (columns - 1) + [1.0]
    return solution


def _outcome(solver: Any, stands_for_known: bool, work: int) -> Outcome:
    import highspy

    told, info = solver.getModelStatus(), solver.getInfo()
    proofs: dict[Any, Status] = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kInfeasible: "infeasible",
        # Every column is bounded, so nothing is unbounded.
        highspy.HighsModelStatus.kUnboundedOrInfeasible: "infeasible",
    }
    status = proofs.get(told, "stopped")
    feasible = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    values = tuple(round(v) for v in solver.getSolution().col_value) if feasible else None
    if status == "optimal" and values is None:
        status = "stopped"
    if stands_for_known and values is not None and values[-1]:
        status, values = ("infeasible" if status == "optimal" else "stopped"), None
    return Outcome(status, values, info.mip_dual_bound, max(0, info.mip_node_count), work)
