"""Solves the program and orders the counts; cuts off counts that have no order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from bots.goals.planning.batches import joined
from bots.goals.planning.branching import solved
from bots.goals.planning.columns import Columns, columns_of
from bots.goals.planning.firing import Firing, ticks_of
from bots.goals.planning.formulation import Formulation, formulate
from bots.goals.planning.landmarks import Landmarks, add_alternatives, add_landmarks, landmarks_of
from bots.goals.planning.model import Limits, Outcome
from bots.goals.planning.order import NoOrder, find_order
from bots.goals.planning.precedence import add_precedence
from bots.goals.planning.prefixes import Aim, add_prefixes
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful
from bots.goals.planning.schedule import Blocked, schedule
from bots.goals.planning.scopes import calm
from bots.goals.planning.ways import Way

Verdict = Literal["best", "none", "open"]
"""best: no plan of the scope is cheaper. none: the scope has no plan (below the bound). open: a
limit was reached first."""


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
                return self._found(columns, counts, order, outcome)
            if self._is_over():
                return self._answer("open", columns)

    def _is_over(self) -> bool:
        return self.limits.over() or self.work == 0 or len(self.cuts) > self.limits.cuts

    def _answer(self, verdict: Verdict, columns: Columns) -> Answer:
        tried = _used(self.scope, columns, self.last) if self.last else None
        return Answer(verdict, columns=columns, nodes=self.nodes, aims=(*self.aims,), tried=tried)

    def _found(
        self,
        columns: Columns,
        counts: tuple[int, ...],
        order: tuple[Firing, ...],
        outcome: Outcome,
    ) -> Answer:
        ticks = ticks_of(order, self.problem.costs) + _shopping_list(columns, counts)
        best = outcome.status == "optimal" and self.sound and ticks - outcome.bound < 1
        verdict: Verdict = "best" if best else "open"
        return Answer(verdict, order, ticks, counts, columns, self.nodes, (*self.aims,))

    def _solve(self, columns: Columns, marks: Landmarks) -> Outcome:
        program = formulate(self.problem, columns, self.bound)
        add_landmarks(program, marks)
        add_alternatives(program, marks)
        add_precedence(program, marks)
        add_prefixes(program, self.aims)
        for counts in self.cuts:
            _cut(program, counts)
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
        return self._search(columns, counts)

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

    def _search(self, columns: Columns, counts: tuple[int, ...]) -> tuple[Firing, ...] | None:
        fired: dict[Way, int] = {w: n for w, n in zip(columns.ways, counts, strict=False) if n}
        stock = columns.stock(self.problem.start, counts)
        order = find_order(self.problem, columns.fuels, fired, stock, self.limits.orders)
        if not isinstance(order, NoOrder):
            return joined(order, stock, self.problem.catalogue.domain.remainders)
        self.nodes += order.nodes
        self.sound = self.sound and order.proven
        self.cuts.append(counts)
        return None


def _cut(program: Formulation, counts: tuple[int, ...]) -> None:
    """Demand that some way fires more often than in these counts, which have no order."""
    more: dict[int, float] = {}
    for k in range(len(program.columns.ways)):
        if counts[k] < program.columns.all[k].most:
            oftener = program.model.column(1)
            program.model.at_least(0, {k: 1, oftener: -(counts[k] + 1)})
            more[oftener] = 1
    program.model.at_least(1, more)


def _used(scope: Scope, columns: Columns, counts: tuple[int, ...]) -> Scope:
    ways = tuple(way for way, n in zip(columns.ways, counts, strict=False) if n)
    items = frozenset(column.item for j, column in columns.conversions() if counts[j])
    return Scope(ways, tuple(fuel for fuel in scope.fuels if fuel in items), items)


def _shopping_list(columns: Columns, counts: tuple[int, ...]) -> int:
    return sum(counts[j] * column.ticks for j, column in columns.conversions())
