"""Landmarks: things that every plan must produce, and the ways that can give them first.

The landmarks of a thing are itself and everything that all of its makers need. They are the
greatest fixed point of three rules:

- A way needs what any of its groups needs.
- A group needs what all of its alternatives need.
- A thing needs itself and what all of its makers need.

As rows they say that some first maker of each landmark pays its whole fixed cost; the relaxation
would pay only a fraction. If alternatives have nothing in common (planks of any wood), the row is
about the first makers of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bots.goals.planning.formulation import Formulation
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Scope, makers_among
from bots.goals.planning.ways import Thing, Way


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
