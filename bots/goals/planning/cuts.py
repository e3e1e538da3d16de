"""Rows that every plan satisfies, added to the program to make its relaxation tight.

**Landmarks** are things that every plan must produce: of a thing, itself and everything that all of
its makers need. They are the greatest fixed point of three rules:

- A way needs what any of its groups needs.
- A group needs what all of its alternatives need.
- A thing needs itself and what all of its makers need.

As rows they say that some first maker of each landmark pays its whole fixed cost; the relaxation
would pay only a fraction. If alternatives have nothing in common (planks of any wood), the row is
about the first makers of all of them.

**Precedence** says how much must be made before a tool is there, without that tool. The rows follow
needs back from a tool, or from the goal: its makers must fire so many times, each firing takes at
least so much of its ingredients, whose makers must fire in turn, and so on. If a thing has several
makers, their ingredients form one group of alternatives: whichever maker fires, it takes something
of the group. All of it comes from ways that do not need the tool. These rows need no copies of
columns.

**Prefixes** are for counts that balance but have no order, such as a tool that mines its own ore.
Before a missing thing is first used, some prefix of the plan has made it without using it. The
prefix is a copy of the columns with counts no higher than in the plan. It balances by itself and
yields the thing. A way that stayed blocked gets a prefix too: it does without the way, and yields
what one firing takes, with its tool and station still there. So it cannot have burnt the table
that the goal is crafted at.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bots.goals.planning.problem import Problem
from bots.goals.planning.program import Column, Formulation, Heat, Pieces, Resource, Tokens, balance
from bots.goals.planning.reachability import Scope, makers_among
from bots.goals.planning.ways import HEAT, QUARTERS, Near, Thing, Way, left_by

Group = tuple[Thing, ...]
"""Alternatives, in any mixture."""
Aim: TypeAlias = Thing | Way
"""A missing thing, or a way that could not fire."""


@dataclass(frozen=True, slots=True)
class Landmarks:
    """For each thing and each way, its landmarks as a set of bits."""

    scope: Scope
    bits: Mapping[Thing, int]
    things: Mapping[Thing, int]
    ways: Mapping[Way, int]
    makers: Mapping[Thing, list[Way]]

    def of(self, things: Iterable[Thing]) -> list[Thing]:
        """The landmarks of all the things together."""
        marks = 0
        for thing in things:
            marks |= self.things.get(thing, 0)
        return [thing for thing, bit in self.bits.items() if marks & bit]

    def first_makers(self, thing: Thing) -> list[Way]:
        """Ways that can give a thing without needing it."""
        return [w for w in self.makers.get(thing, ()) if not self.ways[w] & self.bits[thing]]

    def first_makers_of_any(self, things: tuple[Thing, ...]) -> list[Way]:
        """Ways that can give one of the things without needing any of them."""
        makers = dict.fromkeys(way for thing in things for way in self.makers.get(thing, ()))
        known = {*things}
        return [w for w in makers if not any(known >= {*self.scope.meant(g)} for g in w.needs)]


def add_landmarks(program: Formulation, marks: Landmarks) -> None:
    """Pay for a first maker of each landmark of the goal, and of each way that is used."""
    column = dict(zip(program.columns.ways, program.used, strict=True))
    sure = marks.of(program.problem.lacks())
    for thing in sure:
        program.model.at_least(1, {column[way]: 1 for way in marks.first_makers(thing)})
    for thing in [thing for thing in marks.bits if thing not in sure]:
        first = {column[way]: -1.0 for way in marks.first_makers(thing)}
        for way in program.columns.ways:
            if marks.ways[way] & marks.bits[thing]:
                program.model.at_most(0, {column[way]: 1, **first})


def add_alternatives(program: Formulation, marks: Landmarks) -> None:
    """With each way that is used, pay for a first maker of an alternative of each of its groups.

    Things that can be crafted into each other and back (block and ingot) get a row together as
    well: otherwise each could be the first maker of the other.
    """
    column = dict(zip(program.columns.ways, program.used, strict=True))
    circles = _circles(marks.scope)
    first: dict[tuple[Thing, ...], list[Way]] = {}
    for way in program.columns.ways:
        for things in _alternatives(way, marks.scope, circles):
            if any(map(program.is_there, things)):
                continue
            if things not in first:
                first[things] = marks.first_makers_of_any(things)
            if way not in first[things]:
                makers = {column[maker]: -1.0 for maker in first[things]}
                program.model.at_most(0, {column[way]: 1, **makers})


def _alternatives(
    way: Way, scope: Scope, circles: Mapping[Thing, tuple[Thing, ...]]
) -> Iterator[tuple[Thing, ...]]:
    """Groups of which a way needs something; single things are left to the landmarks."""
    for group in way.needs:
        things = scope.meant(group)
        if len(things) > 1:
            yield things
        around = [other for thing in things for other in circles.get(thing, (thing,))]
        if len(around) > len(things):
            yield tuple(dict.fromkeys(around))


def _circles(scope: Scope) -> dict[Thing, tuple[Thing, ...]]:
    """For each thing that can be crafted into others and back, all things on such circles."""
    crafts = [way for way in scope.ways if way.activity.kind == "craft"]
    taken = {way: {*way.takes, *(t for p in way.pools for t in scope.meant(p))} for way in crafts}
    behind: dict[Thing, set[Thing]] = {}
    for way in crafts:
        for thing in taken[way]:
            behind.setdefault(thing, set()).update(way.gives)
    grown = True
    while grown:
        grown = False
        for things in behind.values():
            more = {t for thing in things for t in behind.get(thing, ())} - things
            things |= more
            grown = grown or bool(more)
    return {
        thing: tuple(sorted((t for t in things if thing in behind.get(t, ())), key=str))
        for thing, things in behind.items()
        if thing in things
    }


def landmarks_of(problem: Problem, scope: Scope) -> Landmarks:
    """Find the landmarks of everything in the scope; what is there at the start has none."""
    makers = makers_among(problem, scope.ways)
    free = {*problem.start, *problem.prices}
    bits = {thing: 1 << n for n, thing in enumerate(t for t in makers if t not in free)}
    every = (1 << len(bits)) - 1
    things = dict.fromkeys(bits, every)
    ways = dict.fromkeys(scope.ways, every)
    changed = True
    while changed:
        changed = False
        for way in scope.ways:
            marks = _of_way(way, scope, things, free, every)
            if marks != ways[way]:
                ways[way] = marks
                changed = True
        for thing, bit in bits.items():
            marks = every
            for way in makers[thing]:
                marks &= ways[way]
            things[thing] = marks | bit
    return Landmarks(scope, bits, things, ways, makers)


def _of_way(
    way: Way,
    scope: Scope,
    things: Mapping[Thing, int],
    free: set[Thing],
    every: int,
) -> int:
    marks = 0
    for group in way.needs:
        common = every
        for thing in scope.meant(group):
            common &= 0 if thing in free else things.get(thing, every)
        marks |= common
    return marks


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
            depth = min(self.marks.things.get(thing, 0).bit_count() for thing in group)
            heapq.heappush(self.waiting, (-depth, len(self.needs), group))
        if not kept:
            count = self.used_up[group] = self.used_up.get(group, 0) + count
        self.needs[group] = max(self.needs.get(group, 0), count)

    def demand(self, used: int | None) -> None:
        """Write a row for each group, after everything that takes from it has been followed."""
        rows: list[tuple[Group, list[Way]]] = []
        while self.waiting:
            group = heapq.heappop(self.waiting)[2]
            if self._lacking(group) <= 0 or any(map(self.program.returned, group)):
                continue
            ways = self.program.columns.ways
            giving = sorted({k for thing in group for k in self.program.makers(thing)})
            makers = [ways[k] for k in giving if not self.marks.ways[ways[k]] & self.without]
            rows.append((group, makers))
            if makers and not self.counted & {*makers}:
                self._follow(group, makers)
        for group, makers in rows:
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

    def _lacking(self, group: Group) -> int:
        return self.needs[group] - sum(self.program.start(thing) for thing in group)

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


def _given(way: Way, group: Group) -> int:
    return sum(way.gives.get(thing, 0) for thing in group)


@dataclass(frozen=True, slots=True)
class _Prefix:
    aim: Aim
    copies: Mapping[int, int]
    """The model column of each column that is copied."""
    made: int
    """The column that is 1 when this prefix is needed."""
    rank: int
    """The column of its rank: a prefix that needs another ranks after it."""


def add_prefixes(program: Formulation, aims: list[Aim]) -> None:
    """Demand a prefix of the plan for each aim."""
    prefixes = {aim: _prefix(program, aim, len(aims)) for aim in aims}
    for prefix in prefixes.values():
        _tools_of(program, prefix, prefixes)


def _prefix(program: Formulation, aim: Aim, aims: int) -> _Prefix:
    model = program.model
    copies = {
        j: model.column(program.columns.all[j].most, whole=False) for j in _leading_to(program, aim)
    }
    prefix = _Prefix(aim, copies, model.column(1), model.column(aims))
    for k, way in enumerate(program.columns.ways):
        if way is aim or aim in program.missing[k]:
            model.at_most(0, {program.used[k]: 1, prefix.made: -1})
    for column, copy in copies.items():
        model.at_most(0, {copy: 1, column: -1})
    balance(program, copies, {})
    for resource, count in _due(aim).items():
        have = {copy: float(n) for j, copy in copies.items() if (n := program.net(j).get(resource))}
        row = {prefix.made: -float(count), **have}
        model.at_least(-program.start(resource), row)
    return prefix


def _due(aim: Aim) -> dict[Resource, int]:
    """What must be there after the prefix: the thing, or what one firing takes and works with."""
    if not isinstance(aim, Way):
        return {aim: 1}
    due: dict[Resource, int] = dict(aim.takes.items())
    due.update({Tokens(pool): count for pool, count in aim.pools.items()})
    if aim.burns:
        due[Heat(aim.index)] = QUARTERS
    for thing in aim.catalysts:
        # A tool must be there on top of what is taken; a station near may be the block dug.
        due[thing] = max(1, due.get(thing, 0)) if isinstance(thing, Near) else due.get(thing, 0) + 1
    return due


def _tools_of(program: Formulation, prefix: _Prefix, prefixes: Mapping[Aim, _Prefix]) -> None:
    """A missing tool or station that is used in a prefix is made in it, by an earlier prefix."""
    needing: dict[Thing, int] = {}
    for k, missing in enumerate(program.missing):
        for thing in missing if k in prefix.copies else ():
            if thing == prefix.aim:
                continue
            if thing not in needing:
                needing[thing] = _made_inside(program, prefix, thing, prefixes.get(thing))
            most = program.columns.all[k].most
            program.model.at_most(0, {prefix.copies[k]: 1, needing[thing]: -most})


def _made_inside(
    program: Formulation, prefix: _Prefix, thing: Thing, earlier: _Prefix | None
) -> int:
    model = program.model
    needed = model.column(1)
    made = {
        prefix.copies[j]: -float(program.given(j, thing))
        for j in program.makers(thing)
        if j in prefix.copies
    }
    model.at_most(0, {needed: 1, **made})
    if earlier is not None:
        ranks = model.upper[prefix.rank] + 1
        model.at_most(ranks - 1, {earlier.rank: 1, prefix.rank: -1, needed: ranks})
        model.at_most(0, {needed: 1, earlier.made: -1})
        for column, copy in earlier.copies.items():
            most = program.columns.all[column].most
            inside = {prefix.copies[column]: -1.0} if column in prefix.copies else {}
            model.at_most(most, {copy: 1, needed: most, **inside})
    return needed


def _leading_to(program: Formulation, aim: Aim) -> list[int]:
    """Columns that can fire before the aim is there and lead to it, in order."""
    ways = program.columns.ways
    makers: dict[Thing, list[int]] = {}
    for k in sorted(_possible_without(program, aim)):
        for thing in _left_by(program, ways[k]):
            makers.setdefault(thing, []).append(k)
    kept: set[int] = set()
    stack = _things(program, aim) if isinstance(aim, Way) else [aim]
    seen: set[Thing] = {*stack}
    while stack:
        for k in makers.get(stack.pop(), ()):
            if k not in kept:
                kept.add(k)
                fresh = {*_things(program, ways[k])} - seen
                seen |= fresh
                stack.extend(fresh)
    purposes = {*_due(aim)}
    for way in [ways[k] for k in kept]:
        purposes.update(Tokens(pool) for pool in way.pools)
        purposes.update([Heat(way.index)] if way.burns else ())
    return sorted(kept) + _turning(program, purposes, seen)


def _turning(program: Formulation, purposes: set[Resource], seen: set[Thing]) -> list[int]:
    """The conversions for these purposes, and everything that may be bought."""
    burns = any(isinstance(purpose, Heat) for purpose in purposes)

    def is_needed(column: Column) -> bool:
        if column.is_bought:
            return True
        if isinstance(column.purpose, Pieces):
            return burns and column.item in seen
        return column.purpose in purposes and (column.burnt is not None or column.item in seen)

    return [j for j, column in program.columns.conversions() if is_needed(column)]


def _things(program: Formulation, way: Way) -> list[Thing]:
    fuels = program.columns.fuels
    return [thing for group in way.needs for thing in (fuels if HEAT in group else group)]


def _left_by(program: Formulation, way: Way) -> set[Thing]:
    remainders = program.problem.catalogue.domain.remainders
    return left_by(way, program.columns.fuels, remainders)


def _possible_without(program: Formulation, aim: Aim) -> set[int]:
    """Ways that can fire without the aim."""
    ways, fuels = program.columns.ways, program.columns.fuels
    there: set[Thing] = {*program.problem.start, *program.problem.prices}
    left = [k for k, way in enumerate(ways) if way is not aim and aim not in program.missing[k]]
    possible: set[int] = set()
    changed = True
    while changed:
        changed = False
        for k in [k for k in left if k not in possible]:
            groups = [fuels if HEAT in group else group for group in ways[k].needs]
            if all(any(thing in there for thing in group) for group in groups):
                possible.add(k)
                there |= _left_by(program, ways[k]) - {aim}
                changed = True
    return possible
