"""Which fuels can be left out without a plan becoming dearer.

What is only made of things that burn at least as long is never worth making to be burnt: burn those
instead. That leaves out boats, fences and wool that was dyed.
"""

from __future__ import annotations

from dataclasses import replace

from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful, makers_among
from bots.goals.planning.ways import Thing, Way


def without_vain_fuels(problem: Problem, reached: Reach, scope: Scope) -> Scope:
    """Leave out vain fuels, and what only led to them, until none is left."""
    while True:
        scope = helpful(problem, reached, scope)
        vain = _vain_ways(problem, scope)
        ways = tuple(way for way in scope.ways if way not in vain) if vain else scope.ways
        worth = _worth_burning(problem, replace(scope, ways=ways))
        if len(ways) == len(scope.ways) and len(worth) == len(scope.fuels):
            return scope
        scope = Scope(ways, worth, scope.mixed)


def _vain_ways(problem: Problem, scope: Scope) -> set[Way]:
    """Wasteful ways to what is good for nothing but burning and other wasteful ways."""
    wasteful = [way for way in scope.ways if way in problem.catalogue.wasteful]
    burnt = {thing for way in wasteful for thing in way.gives} - {*problem.wanted}
    while True:
        vain = {way for way in wasteful if burnt.issuperset(way.gives)}
        useful = {t for way in scope.ways if way not in vain for group in way.needs for t in group}
        if burnt.isdisjoint(useful):
            return vain
        burnt -= useful


def _worth_burning(problem: Problem, scope: Scope) -> tuple[str, ...]:
    """Without what is not there and would have to be made wastefully, each for itself.

    What lasts may be burnt when it has served.
    """
    kept: set[Thing] = {*problem.start, *problem.prices}
    kept.update(thing for way in scope.ways for thing in way.catalysts)
    makers, wasteful = makers_among(problem, scope.ways), problem.catalogue.wasteful
    return tuple(
        fuel
        for fuel in scope.fuels
        if fuel in kept
        or any(way not in wasteful or way.gives[fuel] > 1 for way in makers.get(fuel, ()))
    )


def usual_fuels(problem: Problem, reached: Reach, scope: Scope, most: int) -> Scope:
    """Keep the fuels held, those that are had at least cost, and those that give most for it."""
    heat = problem.catalogue.domain.fuels
    cheap = sorted(scope.fuels, key=lambda fuel: (reached.things[fuel], -heat[fuel], fuel))
    lasting = sorted(scope.fuels, key=lambda fuel: (reached.things[fuel] / heat[fuel], fuel))
    half = most // 2
    chosen = {*problem.start, *problem.prices, *cheap[:half], *lasting[:half]}
    fuels = tuple(fuel for fuel in scope.fuels if fuel in chosen)
    return Scope(scope.ways, fuels, scope.mixed)
