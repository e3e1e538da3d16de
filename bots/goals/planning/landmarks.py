"""Things that every plan must come by, and the ways that can give them first.

A thing's landmarks are itself and whatever all of its makers need: the greatest fixed point of
"a way needs all of its groups; a group needs what its alternatives have in common; a thing needs
what its makers have in common". As rows of the program they say that the fixed cost of some first
maker is paid, which the solver otherwise believes to be a fraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bots.goals.planning.formulation import Formulation
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Scope, makers_among
from bots.goals.planning.ways import HEAT, Thing, Way


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Sets of things as bits, by thing and by way."""

    bits: Mapping[Thing, int]
    things: Mapping[Thing, int]
    ways: Mapping[Way, int]
    makers: Mapping[Thing, list[Way]]

    def of(self, things: Iterable[Thing]) -> list[Thing]:
        """What has to be had for all of the things."""
        marks = 0
        for thing in things:
            marks |= self.things.get(thing, 0)
        return [thing for thing, bit in self.bits.items() if marks & bit]

    def first_makers(self, thing: Thing) -> list[Way]:
        """Ways that can give a thing where it was not there before."""
        return [w for w in self.makers.get(thing, ()) if not self.ways[w] & self.bits[thing]]


def add_landmarks(program: Formulation, marks: Landmarks) -> None:
    """Pay for a first maker of all the goal needs, and with each way for those of its own."""
    column = dict(zip(program.columns.ways, program.used, strict=True))
    sure = marks.of(program.problem.lacks())
    for thing in sure:
        program.model.at_least(1, {column[way]: 1 for way in marks.first_makers(thing)})
    for thing in [thing for thing in marks.bits if thing not in sure]:
        first = {column[way]: -1.0 for way in marks.first_makers(thing)}
        for way in program.columns.ways:
            if marks.ways[way] & marks.bits[thing]:
                program.model.at_most(0, {column[way]: 1, **first})


def landmarks_of(problem: Problem, scope: Scope) -> Landmarks:
    """Find them for everything in the scope; what is there at the start has none."""
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
            marks = _of_way(way, scope.fuels, things, free, every)
            if marks != ways[way]:
                ways[way] = marks
                changed = True
        for thing, bit in bits.items():
            marks = every
            for way in makers[thing]:
                marks &= ways[way]
            things[thing] = marks | bit
    return Landmarks(bits, things, ways, makers)


def _of_way(
    way: Way,
    fuels: tuple[str, ...],
    things: Mapping[Thing, int],
    free: set[Thing],
    every: int,
) -> int:
    marks = 0
    for group in way.needs:
        common = every
        for thing in fuels if HEAT in group else group:
            common &= 0 if thing in free else things.get(thing, every)
        marks |= common
    return marks
