"""The stages of planning: a quick plan, then a better one, then the proof.

1. The goal is met, or something can never be had: done.
2. Core: one way for each thing, solved in about a millisecond. Its cost bounds all later stages.
3. Lean: every recipe, few fuels and mixtures, no tool made for speed alone. If neither core nor
   lean has a plan: all fuels and mixtures; then everything, except that what the hand can dig is
   dug by hand, with more and more work until there is a plan or none is possible.
4. Everything cheaper than the best plan, without interchangeable blocks. A plan found here is the
   best; if there is none, the one from before is. If the work runs out on counts that have no
   order, their ways are tried once more together with the lean ones.

Each stage solves the program and orders the counts; it cuts off counts that have no order. Work is
counted, not timed, so the same question has the same answer on every machine. Only a deadline can
change that.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from bots.goals.planning.branch_and_bound import Limits, Outcome, solved
from bots.goals.planning.cuts import (
    Aim,
    Landmarks,
    add_alternatives,
    add_landmarks,
    add_precedence,
    add_prefixes,
    landmarks_of,
)
from bots.goals.planning.order import Blocked, NoOrder, Search, find_order, joined, schedule
from bots.goals.planning.problem import Problem
from bots.goals.planning.program import Columns, columns_of, formulate
from bots.goals.planning.reachability import Reach, Scope, helpful, reach
from bots.goals.planning.scopes import (
    by_hand,
    calm,
    core,
    everything,
    lean,
    plainly,
    without_interchangeable,
    without_vain_fuels,
)
from bots.goals.planning.ways import QUARTERS, Firing, Thing, Way, after, ticks_of

Stock: TypeAlias = Mapping[Thing, int]
"""Counts above 0; FOREVER for what can grow without limit."""
CHOICES = 50
"""The most mixtures tried per stock, on average."""
FOREVER: int = math.inf  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    stock: Stock
    before: _Place | None = None
    firing: Firing | None = None

    def way_here(self) -> Iterator[_Place]:
        place: _Place | None = self
        while place is not None:
            yield place
            place = place.before


def go_everywhere(
    problem: Problem, scope: Scope, most: int, is_late: Callable[[], bool]
) -> tuple[Firing, ...] | Literal["none", "some", "open"]:
    """Search up to `most` stocks for one that has all that is wanted, and return the way there.

    "none": the goal cannot be reached. "some": it can, but the firings are not known. "open": the
    limit was reached first, or it `is_late`.
    """
    begun, search = _Place(dict(problem.start)), Search(problem, scope.fuels, CHOICES * most)
    known, waiting = [begun.stock], [begun]
    while waiting:
        place = waiting.pop()
        if _has(place.stock, problem.wanted):
            if FOREVER in place.stock.values():
                return "some"
            return tuple(p.firing for p in place.way_here() if p.firing is not None)[::-1]
        onward = (
            firing
            for way in scope.ways
            for firing in search.firings(
                way, _most_at_once(problem, scope, way, place.stock), place.stock
            )
        )
        for firing in onward:
            stock = _grown(place, after(place.stock, firing, problem.catalogue.domain.remainders))
            if not any(_has(other, stock) for other in known):
                known.append(stock)
                waiting.append(_Place(stock, place, firing))
            if is_late():
                return "open"
        if len(known) > most or search.is_over:
            return "open"
    return "none"


def _has(stock: Stock, wanted: Stock) -> bool:
    return all(stock.get(thing, 0) >= n for thing, n in wanted.items())


def _most_at_once(problem: Problem, scope: Scope, way: Way, stock: Stock) -> int:
    """How many can be smelted together; 1 if there is no limit, and of anything else."""
    if not way.burns:
        return 1
    heat = problem.catalogue.domain.fuels
    limits = [stock.get(thing, 0) // n for thing, n in way.takes.items()]
    limits += [sum(stock.get(i, 0) for i in pool) // n for pool, n in way.pools.items()]
    limits.append(sum(stock.get(fuel, 0) * heat[fuel] for fuel in scope.fuels) // QUARTERS)
    most = min(limits)
    return most if most < FOREVER else 1


def _grown(place: _Place, stock: Stock) -> Stock:
    """The stock, with FOREVER for what grew since a stock on the path that it covers."""
    grown = {thing: n for thing, n in stock.items() if n > 0}
    for earlier in place.way_here():
        if _has(grown, earlier.stock):
            for thing, n in grown.items():
                if n > earlier.stock.get(thing, 0):
                    grown[thing] = FOREVER
    return grown


Verdict = Literal["best", "none", "open"]
"""best: no plan of the scope is cheaper. none: the scope has no plan (below the bound). open: a
limit was reached first."""
SMALL = 50
"""With at most this many ways, the lean stage is skipped."""
LOOSE = 0.1
"""How far a first plan may be from the optimum, as a share of the lower bound on its cost."""
FAR = 10
"""If that takes too long, it may be this many times further."""
PLACES = 250
"""Stocks searched when solving found no plan, before it tries again."""
FURTHER = 4
"""All limits grow by this factor with each attempt."""
PATIENCE = 60
"""Cuts allowed when least cost has to be proven."""
QUICK_WORK = 50_000
FIRST_WORK = 300_000
"""Work for a first plan. After that, a plan further from the optimum will do."""
WORK = 200_000
"""Work for the proof unless more is asked for: about a tenth of a second. See Limits."""
DECIDING_S = 10.0
"""How long after the deadline the search for any plan at all goes on."""
NO_LIMITS = Limits()
Stopwatch = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Answer:
    """A plan, if one was found, and what is proven about it."""

    verdict: Verdict
    firings: tuple[Firing, ...] | None = None
    ticks: int = 0
    counts: tuple[int, ...] = ()
    columns: Columns | None = None
    nodes: int = 0
    aims: tuple[Aim, ...] = ()
    """The aims whose prefixes were needed, to start with next time."""
    tried: Scope | None = None
    """The scope of the last counts that had no order."""


def least_cost(
    problem: Problem,
    reached: Reach,
    scope: Scope,
    bound: int | None,
    limits: Limits,
    aims: tuple[Aim, ...] = (),
) -> Answer:
    """Find the cheapest plan of the scope, cheaper than the bound if there is one.

    Without a bound, if all counts that were tried have no order, look for a calm plan.
    """
    answer = _Rounds(problem, reached, scope, bound, limits, [*aims]).run()
    if bound is not None or answer.firings is not None or answer.verdict == "none":
        return answer
    tame = helpful(problem, reached, calm(scope))
    calmer = _Rounds(problem, reached, tame, None, limits, [*aims]).run()
    return replace(calmer, verdict="open", nodes=answer.nodes + calmer.nodes)


@dataclass(slots=True)
class _Rounds:
    problem: Problem
    reached: Reach
    scope: Scope
    bound: int | None
    limits: Limits
    aims: list[Aim]
    cuts: list[tuple[int, ...]] = field(default_factory=list)
    """Counts that have no order: some way must fire more often."""
    stuck: set[tuple[int, ...]] = field(default_factory=set)
    """Counts of ways that had no order. If they come again, prefixes do not help."""
    sound: bool = True
    """Whether every cut so far is proven."""
    last: tuple[int, ...] = ()
    """The last counts that had no order."""
    nodes: int = 0
    work: int | None = None
    """The work that is left for all rounds together."""

    def __post_init__(self) -> None:
        self.work = self.limits.work

    def run(self) -> Answer:
        columns = columns_of(self.problem, self.reached, self.scope, self.bound)
        marks = landmarks_of(self.problem, replace(self.scope, ways=columns.ways))
        while True:
            outcome = self._solve(columns, marks)
            if outcome.values is None:
                proven = outcome.status == "infeasible" and self.sound
                return self._answer("none" if proven else "open", columns)
            counts = outcome.values[: len(columns.all)]
            order = self._order(columns, counts)
            if order is not None:
                bought = sum(counts[j] * column.ticks for j, column in columns.conversions())
                ticks = ticks_of(order, self.problem.costs) + bought
                best = outcome.status == "optimal" and self.sound and ticks - outcome.bound < 1
                verdict: Verdict = "best" if best else "open"
                return Answer(verdict, order, ticks, counts, columns, self.nodes, (*self.aims,))
            if self.limits.over() or self.work == 0 or len(self.cuts) > self.limits.cuts:
                return self._answer("open", columns)

    def _answer(self, verdict: Verdict, columns: Columns) -> Answer:
        tried = None
        if self.last:
            ways = tuple(w for w, n in zip(columns.ways, self.last, strict=False) if n)
            items = frozenset(c.item for j, c in columns.conversions() if self.last[j])
            tried = Scope(ways, tuple(fuel for fuel in self.scope.fuels if fuel in items), items)
        return Answer(verdict, columns=columns, nodes=self.nodes, aims=(*self.aims,), tried=tried)

    def _solve(self, columns: Columns, marks: Landmarks) -> Outcome:
        program = formulate(self.problem, columns, self.bound)
        add_landmarks(program, marks)
        add_alternatives(program, marks)
        add_precedence(program, marks)
        add_prefixes(program, self.aims)
        for counts in self.cuts:
            # Demand that some way fires more often than in these counts, which have no order.
            more: dict[int, float] = {}
            for k in range(len(program.columns.ways)):
                if counts[k] < program.columns.all[k].most:
                    oftener = program.model.column(1)
                    program.model.at_least(0, {k: 1, oftener: -(counts[k] + 1)})
                    more[oftener] = 1
            program.model.at_least(1, more)
        limits = replace(self.limits, work=self.work)
        outcome = solved(program.model, limits)
        self.nodes += outcome.nodes
        if self.work is not None:
            self.work = max(0, self.work - outcome.work)
        return outcome

    def _order(self, columns: Columns, counts: tuple[int, ...]) -> tuple[Firing, ...] | None:
        """Order the counts. If that fails, add aims or a cut so that they do not come again."""
        tried = schedule(self.problem, self.reached, columns, counts)
        if not isinstance(tried, Blocked):
            return tried
        self.last = counts
        ways = counts[: len(columns.ways)]
        fresh = [] if ways in self.stuck else self._fresh_aims(tried)
        self.stuck.add(ways)
        if fresh:
            self.aims.extend(fresh)
            return None
        fired: dict[Way, int] = {w: n for w, n in zip(columns.ways, counts, strict=False) if n}
        stock = columns.stock(self.problem.start, counts)
        order = find_order(self.problem, columns.fuels, fired, stock, self.limits.orders)
        if not isinstance(order, NoOrder):
            return joined(order, stock, self.problem.catalogue.domain.remainders)
        self.nodes += order.nodes
        self.sound = self.sound and order.proven
        self.cuts.append(counts)
        return None

    def _fresh_aims(self, blocked: Blocked) -> list[Aim]:
        there = blocked.stock
        lacking = [
            thing
            for way in blocked.left
            for thing in way.catalysts
            if not there.get(thing) and thing not in self.problem.start
        ]
        things: list[Aim] = [t for t in dict.fromkeys(lacking) if t not in self.aims]
        if things:
            return things
        stuck = [way for way in blocked.left if way not in self.aims]
        stuck.sort(key=lambda way: not all(there.get(c) for c in way.catalysts))
        return [*stuck[:2]]


@dataclass(frozen=True, slots=True)
class Production:
    """The firings that solve a problem, or that there are none."""

    found: bool
    firings: tuple[Firing, ...] = ()
    ticks: int = 0
    optimal: bool = False
    decided: bool = True
    """False when a limit was reached first; then `found=False` proves nothing."""
    unreachable: tuple[Thing, ...] = ()
    expanded: int = 0


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to work on a proof. Whether a plan exists is decided in any case."""

    deadline_s: float | None = None
    work: int | None = WORK
    """Work for the proof. None = until it is done, 0 = any plan will do."""


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
        self._try(core(self._problem, self._lean()), self._first_work())
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
        """Everything without what no plan cheaper than the best one needs."""
        self._whole = helpful(self._problem, self._reached, self._whole, self._bound())
        if self._best and not self._paired:
            self._paired = True
            self._problem, self._whole = without_interchangeable(
                self._problem, self._reached, self._whole
            )
            self._whole = without_vain_fuels(self._problem, self._reached, self._whole)
        return self._whole

    def _first(self) -> Verdict:
        """Find a first plan that is nearly good: its cost makes the rest quicker."""
        near = LOOSE * max(self._reached.things[thing] for thing in self._problem.lacks())
        plain = plainly(self._problem, self._reached, self._whole)
        if self._try(plain, FIRST_WORK, Limits(gap=near)).firings is not None:
            return "open"
        # Find any plan or prove there is none: solve and search stocks in turn, with more work each
        # time.
        limits = Limits(gap=FAR * near)
        scope = by_hand(self._problem, self._reached, self._whole)
        work, places = FIRST_WORK, PLACES
        while True:
            answer = self._try(scope, work, limits)
            if answer.verdict == "none" or self._best:
                return answer.verdict
            is_late = self._limits(work, limits).over
            told = go_everywhere(self._problem, scope, places, is_late)
            if told == "none" or is_late():
                return "none" if told == "none" else "open"
            if not isinstance(told, str):
                left = self._problem.catalogue.domain.remainders
                firings = joined(told, self._problem.start, left)
                self._best = Answer("open", firings, ticks_of(firings, self._problem.costs))
                return "open"
            work, places = FURTHER * work, FURTHER * places
            limits = replace(limits, cuts=FURTHER * limits.cuts, orders=FURTHER * limits.orders)

    def _first_work(self) -> int | None:
        return FIRST_WORK if self._effort.work is not None else None

    def _limits(self, work: int | None, limits: Limits) -> Limits:
        """The limits with the time that is left, and many cuts if least cost must be proven."""
        cuts = limits.cuts if self._effort.work is not None else max(PATIENCE, limits.cuts)
        if self._end is None:
            return replace(limits, work=work, cuts=cuts)
        end = self._end if self._best else self._end + DECIDING_S
        return replace(limits, work=work, cuts=cuts, left_s=lambda: end - self._stopwatch())

    def _bound(self) -> int | None:
        return self._best.ticks if self._best else None

    def _try(self, scope: Scope, work: int | None, limits: Limits = NO_LIMITS) -> Answer:
        """Solve a scope for less than the best plan costs; keep the plan if there is one.

        It starts with the things whose making needed a prefix before. Not with ways: they differ
        between scopes."""
        aims = self._best.aims if self._best else ()
        answer = least_cost(
            self._problem,
            self._reached,
            helpful(self._problem, self._reached, scope, self._bound()),
            self._bound(),
            self._limits(work, limits),
            tuple(aim for aim in aims if not isinstance(aim, Way)),
        )
        self._expanded += answer.nodes
        if answer.firings is None:
            return answer
        # Whether no more is dug than there is: blocks that are left out are counted as another
        # kind.
        dug: dict[Thing, int] = {}
        for firing in answer.firings:
            for thing, count in firing.way.takes.items():
                dug[thing] = dug.get(thing, 0) + count * firing.count
        start, more = self._asked.start, self._problem.start
        is_there = all(dug.get(t, 0) <= n for t, n in start.items() if more.get(t) != n)
        if not is_there:
            # There are too few of one kind of block alone: bring the interchangeable ones back.
            self._problem = self._asked
            self._whole = everything(self._problem, self._reached)
            return replace(answer, verdict="open", firings=None)
        self._best = answer
        return answer

    def _production(self, proven: bool) -> Production:
        if self._best is None or self._best.firings is None:
            return Production(found=False, decided=proven, expanded=self._expanded)
        best = self._best
        return Production(True, best.firings or (), best.ticks, proven, True, (), self._expanded)
