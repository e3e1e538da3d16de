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
from dataclasses import dataclass, replace

from bots.goals.planning.firing import Firing
from bots.goals.planning.fuels import without_vain_fuels
from bots.goals.planning.model import CUTS, Limits
from bots.goals.planning.prefixes import Aim
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful, reach
from bots.goals.planning.scopes import core, everything, lean, plainly
from bots.goals.planning.solving import Answer, least_cost
from bots.goals.planning.speed import paying_tools
from bots.goals.planning.twins import without_twins
from bots.goals.planning.ways import Thing, Way

TOOLS = 2
"""How many tools are tried for speed."""
SMALL = 50
"""With no more ways than this the whole is solved at once."""
LOOSE = 0.1
"""How far from the best a first plan may be, as a part of the least that any can cost."""
FAR = 10
"""Where even that takes long, so many times further."""
PATIENCE = 60
"""Cuts where least cost has to be proven."""
QUICK_WORK = 50_000
FIRST_WORK = 300_000
"""Work for a first plan within some of the ways; after that any plan is taken."""
WORK = 200_000
"""Work for the proof unless more is asked for, see Limits: about a tenth of a second."""
DECIDING_S = 10.0
"""How long after the deadline it is still worked on whether there is any plan at all."""

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
        self._asked = self._problem = problem
        self._reached, self._effort, self._stopwatch = reached, effort, stopwatch
        self._end = None if effort.deadline_s is None else stopwatch() + effort.deadline_s
        self._whole = everything(problem, reached)
        self._twins_kept = False
        self._best: Answer | None = None
        self._expanded = 0

    def run(self) -> Production:
        self._try(core(self._problem, self._reached, self._lean()), self._first_work())
        if self._best and self._effort.work == 0:
            return self._production(proven=False)
        if len(self._narrowed().ways) > SMALL:
            self._try(self._lean(), self._effort.work if self._best else self._first_work())
            self._quicken()
        if self._best is None and self._first().verdict == "none":
            return self._production(proven=True)
        if self._effort.work == 0:
            return self._production(proven=False)
        kept = self._twins_kept
        last = self._try(self._narrowed(), self._effort.work)
        if kept != self._twins_kept:
            last = self._try(self._narrowed(), self._effort.work)
        if last.tried is not None and last.verdict == "open":
            self._try(self._lean().with_(last.tried, self._whole), QUICK_WORK)
        return self._production(proven=last.verdict in ("none", "best"))

    def _lean(self) -> Scope:
        scope = lean(self._problem, self._reached, self._whole)
        return helpful(self._problem, self._reached, scope)

    def _narrowed(self) -> Scope:
        """Leave out of everything what no plan below the bound needs."""
        self._whole = helpful(self._problem, self._reached, self._whole, self._bound())
        if not self._twins_kept and self._best:
            self._problem, self._whole = without_twins(self._problem, self._reached, self._whole)
            self._whole = without_vain_fuels(self._problem, self._reached, self._whole)
        return self._whole

    def _keep_twins(self) -> None:
        """Go back to everything as it is: there are too few of one kind alone."""
        self._problem, self._twins_kept = self._asked, True
        self._whole = everything(self._problem, self._reached)

    def _first(self) -> Answer:
        """Where there is no plan yet take one that is nearly good; it makes the rest quicker.

        In the end any will do, and then no limit but the time comes before it is decided.
        """
        near = LOOSE * max(self._reached.things[thing] for thing in self._problem.lacks())
        plain = plainly(self._problem, self._reached, self._whole)
        for scope in (plain, self._whole):
            answer = self._try(scope, FIRST_WORK, near)
            if answer.firings is not None or (scope is self._whole and answer.verdict == "none"):
                return answer
        return self._try(self._whole, None, FAR * near, cuts=None)

    def _first_work(self) -> int | None:
        return FIRST_WORK if self._effort.work is not None else None

    def _quicken(self) -> None:
        """Allow the tools that may pay one after another; what does not pay is left out again."""
        tools = paying_tools(self._problem, self._whole, self._best) if self._best else []
        paid: list[str] = []
        for tool in tools[:TOOLS]:
            scope = lean(self._problem, self._reached, self._whole, [*paid, tool])
            if self._try(scope, QUICK_WORK).firings is not None:
                paid.append(tool)

    def _time(self) -> Callable[[], float] | None:
        """What is left of the time for one try."""
        if self._end is None:
            return None
        end = self._end if self._best else self._end + DECIDING_S
        return lambda: end - self._stopwatch()

    def _bound(self) -> int | None:
        return self._best.ticks if self._best else None

    def _try(
        self, scope: Scope, work: int | None, gap: float = 0.0, cuts: int | None = CUTS
    ) -> Answer:
        """Solve a scope for less than is known; keep what is better."""
        if self._effort.work is None and cuts is not None:
            cuts = PATIENCE
        answer = least_cost(
            self._problem,
            self._reached,
            helpful(self._problem, self._reached, scope, self._bound()),
            self._bound(),
            Limits(work=work, left_s=self._time(), gap=gap, cuts=cuts),
            self._known_aims(),
        )
        self._expanded += answer.nodes
        if answer.firings is None:
            return answer
        if not self._is_there(answer.firings):
            self._keep_twins()
            return replace(answer, verdict="open", firings=None)
        self._best = answer
        return answer

    def _is_there(self, firings: tuple[Firing, ...]) -> bool:
        """Whether no more is dug than there is: what twins leave over was added to each other."""
        dug: dict[Thing, int] = {}
        for firing in firings:
            for thing, count in firing.way.takes.items():
                dug[thing] = dug.get(thing, 0) + count * firing.count
        start, more = self._asked.start, self._problem.start
        return all(dug.get(t, 0) <= n for t, n in start.items() if more.get(t) != n)

    def _known_aims(self) -> tuple[Aim, ...]:
        """Missing things whose making had to be seen to before; ways differ between scopes."""
        aims = self._best.aims if self._best else ()
        return tuple(aim for aim in aims if not isinstance(aim, Way))

    def _production(self, proven: bool) -> Production:
        if self._best is None or self._best.firings is None:
            return Production(found=False, decided=proven, expanded=self._expanded)
        best = self._best
        return Production(True, best.firings or (), best.ticks, proven, True, (), self._expanded)
