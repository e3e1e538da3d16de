"""Branch and bound: the best solution of an integer program, from its linear relaxations.

It takes the open branch with the least bound and dives: one side after the other, until the branch
is empty or all numbers are whole. For plans this is several times quicker than a general solver.
Their rows make the relaxation so tight that some tens of solves are enough, and those take less
time than presolving and cutting planes would.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.goals.planning.model import Limits, Model, Outcome
from bots.goals.planning.relaxation import TOLERANCE, Point, Relaxation

if TYPE_CHECKING:
    from bots.goals.planning.relaxation import Array

STEP_TICKS = 1 / 1024
"""Each way used costs this on top, so of equally quick plans the one with fewer ways wins.

All costs are multiples of it.
"""
HALF = 0.5


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
                self._keep(point)
                return
            near, far = self._sides(branch, column, float(point.values[column]))
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

    def _sides(self, branch: _Branch | None, column: int, value: float) -> tuple[_Branch, _Branch]:
        """The two sides of a column, the one to dive into first. That is the upper one, unless no
        solution is known and the lower one is nearer and not 0."""
        below = math.floor(value)
        down = _Branch(branch, column, 0, below)
        up = _Branch(branch, column, below + 1, math.inf)
        nearer = not self._is_known() and below and value - below < HALF
        return (down, up) if nearer else (up, down)

    def _is_known(self) -> bool:
        return self._cutoff < math.inf

    def _keep(self, point: Point) -> None:
        self._best = point.values
        self._cutoff = point.cost - max(self._limits.gap, 0.9 * STEP_TICKS)
