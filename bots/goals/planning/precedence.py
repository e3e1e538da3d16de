"""Rows that say how much must be made before a tool is there, without that tool.

They follow needs back from a tool, or from the goal: its makers must fire so many times, each
firing takes at least so much of its ingredients, whose makers must fire in turn, and so on. If a
thing has several makers, their ingredients form one group of alternatives: whichever maker fires,
it takes something of the group. All of it comes from ways that do not need the tool. These rows
need no copies of columns. Where they are too weak, prefixes.py adds stronger ones.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from bots.goals.planning.formulation import Formulation
from bots.goals.planning.landmarks import Landmarks
from bots.goals.planning.ways import HEAT, Thing, Way

Group = tuple[Thing, ...]
"""Alternatives, in any mixture."""


def add_precedence(program: Formulation, marks: Landmarks) -> None:
    """Add rows for the goal, and for each missing tool and station, in case it is used."""
    goal = _Chain(program, marks, 0)
    for thing in program.problem.lacks():
        goal.need((thing,), program.problem.wanted[thing])
    goal.demand(None)
    for tool in dict.fromkeys(thing for things in program.missing for thing in things):
        if tool in marks.bits:
            used = program.model.column(1, whole=False)
            for k, things in enumerate(program.missing):
                if tool in things:
                    program.model.at_most(0, {program.used[k]: 1, used: -1})
            chain = _Chain(program, marks, marks.bits[tool])
            chain.need((tool,), 1)
            chain.demand(used)


@dataclass(slots=True)
class _Chain:
    """What must be made before a tool is there; `without` is its bit: ways that need it are out."""

    program: Formulation
    marks: Landmarks
    without: int
    needs: dict[Group, int] = field(default_factory=dict)
    used_up: dict[Group, int] = field(default_factory=dict)
    """The part of `needs` that is used up. Only this adds up; what is kept serves many."""
    waiting: list[tuple[int, int, Group]] = field(default_factory=list)
    counted: set[Way] = field(default_factory=set)
    """Makers whose ingredients are already in `needs`."""

    def need(self, group: Group, count: int, *, kept: bool = False) -> None:
        """Note that so many are used up or, if `kept`, only have to be there."""
        if group not in self.needs:
            heapq.heappush(self.waiting, (-self._depth(group), len(self.needs), group))
        if not kept:
            count = self.used_up[group] = self.used_up.get(group, 0) + count
        self.needs[group] = max(self.needs.get(group, 0), count)

    def _depth(self, group: Group) -> int:
        return min(self.marks.things.get(thing, 0).bit_count() for thing in group)

    def demand(self, used: int | None) -> None:
        """Write a row for each group, after everything that takes from it has been followed."""
        rows: list[tuple[Group, list[Way]]] = []
        while self.waiting:
            group = heapq.heappop(self.waiting)[2]
            if self._lacking(group) <= 0 or any(map(self.program.returned, group)):
                continue
            makers = self._makers(group)
            rows.append((group, makers))
            if makers and not self.counted & {*makers}:
                self._follow(group, makers)
        for group, makers in rows:
            self._row(group, makers, used)

    def _lacking(self, group: Group) -> int:
        return self.needs[group] - sum(self.program.start(thing) for thing in group)

    def _makers(self, group: Group) -> list[Way]:
        ways = self.program.columns.ways
        giving = sorted({k for thing in group for k in self.program.makers(thing)})
        return [ways[k] for k in giving if not self.marks.ways[ways[k]] & self.without]

    def _follow(self, group: Group, makers: list[Way]) -> None:
        bits = sum(self.marks.bits.get(thing, 0) for thing in group)
        first = [way for way in makers if not self.marks.ways[way] & bits]
        firings = 1
        if len(first) == len(makers):
            firings = -(-self._lacking(group) // max(_given(way, group) for way in makers))
        if not first:
            return
        self.counted |= {*first}
        taken: dict[tuple[Group, bool], int] = {}
        for number in range(len(first[0].needs)):
            aligned = self._aligned(first, number)
            if aligned:
                group, count, kept = aligned
                # Two equal unions may be met by the same ingredient, so they count once.
                taken[group, kept] = max(taken.get((group, kept), 0), count)
        for (group, kept), count in taken.items():
            self.need(group, count if kept else count * firings, kept=kept)

    def _aligned(self, first: list[Way], number: int) -> tuple[Group, int, bool] | None:
        """What the makers take at that place of their needs: the union, and the least amount."""
        union: dict[Thing, None] = {}
        counts: list[int] = []
        kept = False
        for way in first:
            at = min(number, len(way.needs) - 1)
            if at < 0 or HEAT in way.needs[at]:
                return None
            union.update(dict.fromkeys(way.needs[at]))
            counts.append(way.amount(at))
            kept = kept or at >= len(way.takes) + len(way.pools)
        return tuple(sorted(union, key=str)), 1 if kept else min(counts), kept

    def _row(self, group: Group, makers: list[Way], used: int | None) -> None:
        made = {self.program.number[way]: float(_given(way, group)) for way in makers}
        paid = {self.program.used[self.program.number[way]]: 1.0 for way in makers}
        start = sum(self.program.start(thing) for thing in group)
        if used is None:
            self.program.model.at_least(self.needs[group] - start, made)
            if start:
                self.program.model.at_least(1, paid)
        else:
            self.program.model.at_least(-start, {used: -float(self.needs[group]), **made})
            if start:
                self.program.model.at_least(0, {used: -1, **paid})


def _given(way: Way, group: Group) -> int:
    return sum(way.gives.get(thing, 0) for thing in group)
