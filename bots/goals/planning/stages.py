"""The order of work: a plan soon, then a better one, then the proof.

1. Met already; or something can never be had: done.
2. Core: one way for each thing, solved in about a millisecond. Its cost bounds all that follows.
3. Lean: every recipe, but no tool made for speed alone. Where that has no plan, the same with all
   mixtures and fuels, then everything.
4. Speed: lean and those tools whose saving on the plan's digs may exceed their cost, one by one.
5. Proof: everything, cheaper by a tick than what is known. None = least cost is proven.

Work is counted, not timed, so the same question has the same answer on every machine; a deadline is
the one thing that is not so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bots.goals.planning.firing import Firing
from bots.goals.planning.model import CUTS, Limits
from bots.goals.planning.prefixes import Aim
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful, reach
from bots.goals.planning.scopes import core, everything, lean, plainly
from bots.goals.planning.solving import Answer, least_cost
from bots.goals.planning.speed import paying_tools
from bots.goals.planning.ways import Thing, Way

TOOLS = 2
"""How many tools are tried for speed."""
QUICK_WORK = 2_500
FIRST_WORK = 40_000
"""Work for a first plan within some of the ways; after that any plan is taken."""
FAR = 10
"""Where even that takes long, so many times further."""
PATIENCE = 60
"""Cuts where least cost has to be proven."""
GRACE_S = 0.2
"""What each further try may take after the deadline while there is no plan."""
SMALL = 50
"""With no more ways than this the whole is solved at once."""
LOOSE = 0.1
"""How far from the best a first plan may be, as a part of the least that any can cost."""
HUGE = 150
"""With more ways than this no proof is begun unless it is asked for."""
WORK = 8_000
"""Work for the proof unless more is asked for, see Limits: about a tenth of a second."""

Stopwatch = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Production:
    """How a problem is solved, or that it cannot be."""

    found: bool
    firings: tuple[Firing, ...] = ()
    ticks: int = 0
    optimal: bool = False
    decided: bool = True
    """False when a limit came before an answer: then `found` false proves nothing."""
    unreachable: tuple[Thing, ...] = ()
    expanded: int = 0


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work goes into a proof; what is possible is always decided."""

    deadline_s: float | None = None
    work: int | None = WORK
    """Work for the proof; None = until it is done, 0 = any plan will do."""


def produce(problem: Problem, effort: Effort, stopwatch: Stopwatch = time.monotonic) -> Production:
    """Find the cheapest production for what is wanted."""
    if problem.met():
        return Production(found=True, optimal=True)
    reached = reach(problem)
    unreachable = tuple(t for t in problem.lacks() if t not in reached.things)
    if unreachable:
        return Production(found=False, unreachable=unreachable)
    return _Stages(problem, reached, effort, stopwatch).run()


class _Stages:
    def __init__(
        self, problem: Problem, reached: Reach, effort: Effort, stopwatch: Stopwatch
    ) -> None:
        self._problem, self._reached, self._effort = problem, reached, effort
        self._stopwatch = stopwatch
        self._end = None if effort.deadline_s is None else stopwatch() + effort.deadline_s
        self._whole = everything(problem, reached)
        self._best: Answer | None = None
        self._expanded = 0

    def run(self) -> Production:
        lean_scope = helpful(
            self._problem, self._reached, lean(self._problem, self._reached, self._whole)
        )
        self._try(core(self._problem, self._reached, lean_scope), self._first_work())
        if self._best and self._effort.work == 0:
            return self._production(proven=False)
        whole = helpful(self._problem, self._reached, self._whole, self._bound())
        if len(whole.ways) > SMALL:
            self._try(lean_scope, self._effort.work if self._best else self._first_work())
            self._quicken()
        if self._best and self._effort.work is not None and len(whole.ways) > HUGE:
            return self._production(proven=False)
        if self._best is None and self._first().verdict == "none":
            return self._production(proven=True)
        if self._best and self._effort.work == 0:
            return self._production(proven=False)
        last = self._try(self._whole, self._effort.work if self._best else None)
        return self._production(proven=last.verdict in ("none", "best"))

    def _first(self) -> Answer:
        """Where there is no plan yet take one that is nearly good; it makes the rest quicker."""
        near = LOOSE * max(self._reached.things[thing] for thing in self._problem.lacks())
        plain = plainly(self._problem, self._reached, self._whole)
        for scope, gap in ((plain, near), (self._whole, near), (self._whole, FAR * near)):
            answer = self._try(scope, self._first_work(), gap)
            if answer.firings is not None or (scope is self._whole and answer.verdict == "none"):
                break
        return answer

    def _first_work(self) -> int | None:
        return FIRST_WORK if self._effort.work is not None else None

    def _cuts(self) -> int:
        return CUTS if self._effort.work is not None else PATIENCE

    def _quicken(self) -> None:
        """Allow the tools that may pay one after another; what does not pay is left out again."""
        tools = paying_tools(self._problem, self._whole, self._best) if self._best else []
        paid: list[str] = []
        for tool in tools[:TOOLS]:
            scope = lean(self._problem, self._reached, self._whole, [*paid, tool])
            if self._try(scope, QUICK_WORK).firings is not None:
                paid.append(tool)

    def _time(self) -> Callable[[], float] | None:
        """What is left of the time for one try: a little always, as long as there is no plan."""
        if self._end is None:
            return None
        now = self._stopwatch()
        end = self._end if self._best else max(self._end, now + GRACE_S)
        return lambda: end - self._stopwatch()

    def _bound(self) -> int | None:
        return self._best.ticks if self._best else None

    def _try(self, scope: Scope, work: int | None, gap: float = 1e-4) -> Answer:
        """Solve a scope for less than is known; keep what is better."""
        usable = helpful(self._problem, self._reached, scope, self._bound())
        answer = least_cost(
            self._problem,
            self._reached,
            usable,
            self._bound(),
            Limits(work=work, left_s=self._time(), gap=gap, cuts=self._cuts()),
            self._known_aims(),
        )
        self._expanded += answer.nodes
        if answer.firings is not None:
            self._best = answer
        return answer

    def _known_aims(self) -> tuple[Aim, ...]:
        """Missing things whose making had to be seen to before; ways differ between scopes."""
        aims = self._best.aims if self._best else ()
        return tuple(aim for aim in aims if not isinstance(aim, Way))

    def _production(self, proven: bool) -> Production:
        if self._best is None or self._best.firings is None:
            return Production(found=False, decided=proven, expanded=self._expanded)
        best = self._best
        return Production(True, best.firings or (), best.ticks, proven, True, (), self._expanded)
