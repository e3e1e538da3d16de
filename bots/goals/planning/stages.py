"""The stages of planning: a quick plan, then a better one, then the proof.

1. Met already; or something can never be had: done.
2. Core: one way for each thing, solved in about a millisecond. Its cost bounds all that follows.
3. Lean: every recipe, but no tool made for speed alone. Where that has no plan, the same with all
   mixtures and fuels, then everything with what the hand gets dug by hand, until it is decided.
4. Everything below what is known, twins left out: whatever comes out is best, and where nothing
   does, what is known is. Where the work runs out before, but counts came out that only had no
   order, those ways are tried once more together with the lean ones.

Work is counted, not timed, so the same question has the same answer on every machine; a deadline is
the one thing that is not so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from bots.goals.planning.batches import joined
from bots.goals.planning.covering import go_everywhere
from bots.goals.planning.firing import Firing, ticks_of
from bots.goals.planning.fuels import without_vain_fuels
from bots.goals.planning.interchangeable import without_interchangeable
from bots.goals.planning.model import Limits
from bots.goals.planning.prefixes import Aim
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful, reach
from bots.goals.planning.scopes import by_hand, core, everything, lean, plainly
from bots.goals.planning.solving import Answer, Verdict, least_cost
from bots.goals.planning.ways import Thing, Way

SMALL = 50
"""With no more ways than this the whole is solved at once."""
LOOSE = 0.1
"""How far from the best a first plan may be, as a part of the least that any can cost."""
FAR = 10
"""Where even that takes long, so many times further."""
PLACES = 250
"""Stocks looked at when no plan is found, before it is tried again."""
FURTHER = 4
"""How many times further each time."""
PATIENCE = 60
"""Cuts where least cost has to be proven."""
QUICK_WORK = 50_000
FIRST_WORK = 300_000
"""Work for a first plan within some of the ways; after that any plan is taken."""
WORK = 200_000
"""Work for the proof unless more is asked for, see Limits: about a tenth of a second."""
DECIDING_S = 10.0
"""How long after the deadline it is still worked on whether there is any plan at all."""

NO_LIMITS = Limits()

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
        self._paired = False
        self._best: Answer | None = None
        self._expanded = 0

    def run(self) -> Production:
        self._try(core(self._problem, self._reached, self._lean()), self._first_work())
        if self._best and self._effort.work == 0:
            return self._production(proven=False)
        if len(self._narrowed().ways) > SMALL:
            self._try(self._lean(), self._effort.work if self._best else self._first_work())
        if self._best is None and self._first() == "none":
            return self._production(proven=True)
        if self._effort.work == 0:
            return self._production(proven=False)
        scope, problem = self._narrowed(), self._problem
        last = self._try(scope, self._effort.work)
        if problem is not self._problem:
            last = self._try(self._narrowed(), self._effort.work)
        if last.tried is not None and last.verdict == "open":
            self._try(self._lean().together(last.tried, self._whole), QUICK_WORK)
        return self._production(proven=last.verdict in ("none", "best"))

    def _lean(self) -> Scope:
        scope = lean(self._problem, self._reached, self._whole)
        return helpful(self._problem, self._reached, scope)

    def _narrowed(self) -> Scope:
        """Leave out of everything what no plan below the bound needs."""
        self._whole = helpful(self._problem, self._reached, self._whole, self._bound())
        if self._best and not self._paired:
            self._paired = True
            self._problem, self._whole = without_interchangeable(
                self._problem, self._reached, self._whole
            )
            self._whole = without_vain_fuels(self._problem, self._reached, self._whole)
        return self._whole

    def _part(self) -> None:
        """Go back to everything as it is, twins included: there are too few of one kind alone."""
        self._problem = self._asked
        self._whole = everything(self._problem, self._reached)

    def _first(self) -> Verdict:
        """Where there is no plan yet take one that is nearly good; it makes the rest quicker."""
        near = LOOSE * max(self._reached.things[thing] for thing in self._problem.lacks())
        plain = plainly(self._problem, self._reached, self._whole)
        if self._try(plain, FIRST_WORK, Limits(gap=near)).firings is not None:
            return "open"
        return self._decide(Limits(gap=FAR * near))

    def _decide(self, limits: Limits) -> Verdict:
        """Take any plan: solve and go everywhere in turn, further each time, until decided."""
        scope = by_hand(self._problem, self._reached, self._whole)
        work, places = FIRST_WORK, PLACES
        while True:
            answer = self._try(scope, work, limits)
            if answer.verdict == "none" or self._best:
                return answer.verdict
            told = go_everywhere(self._problem, scope, places)
            if told == "none" or self._limits(work, limits).over():
                return "none" if told == "none" else "open"
            if not isinstance(told, str):
                left = self._problem.catalogue.domain.remainders
                firings = joined(told, self._problem.start, left)
                self._best = Answer("open", firings, ticks_of(firings))
                return "open"
            work, places = FURTHER * work, FURTHER * places
            limits = replace(limits, cuts=FURTHER * limits.cuts, orders=FURTHER * limits.orders)

    def _first_work(self) -> int | None:
        return FIRST_WORK if self._effort.work is not None else None

    def _limits(self, work: int | None, limits: Limits) -> Limits:
        """With what is left of the time, and many cuts where least cost has to be proven."""
        cuts = limits.cuts if self._effort.work is not None else max(PATIENCE, limits.cuts)
        if self._end is None:
            return replace(limits, work=work, cuts=cuts)
        end = self._end if self._best else self._end + DECIDING_S
        return replace(limits, work=work, cuts=cuts, left_s=lambda: end - self._stopwatch())

    def _bound(self) -> int | None:
        return self._best.ticks if self._best else None

    def _try(self, scope: Scope, work: int | None, limits: Limits = NO_LIMITS) -> Answer:
        """Solve a scope for less than is known; keep what is better."""
        answer = least_cost(
            self._problem,
            self._reached,
            helpful(self._problem, self._reached, scope, self._bound()),
            self._bound(),
            self._limits(work, limits),
            self._known_aims(),
        )
        self._expanded += answer.nodes
        if answer.firings is None:
            return answer
        if not self._is_there(answer.firings):
            self._part()
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
