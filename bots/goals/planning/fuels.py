"""Leaves out fuels without making any plan dearer.

A fuel is vain if every recipe for it takes things that burn at least as long: burn those instead.
That leaves out boats, fences and dyed wool.
"""

from __future__ import annotations

from dataclasses import replace

from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful, makers_among
from bots.goals.planning.ways import Thing, Way


def without_vain_fuels(problem: Problem, reached: Reach, scope: Scope) -> Scope:
    """Leave out vain fuels and the ways that only lead to them, until there are no more."""
    while True:
        scope = helpful(problem, reached, scope)
        vain = _vain_ways(problem, scope)
        ways = tuple(way for way in scope.ways if way not in vain) if vain else scope.ways
        worth = _worth_burning(problem, replace(scope, ways=ways))
        if len(ways) == len(scope.ways) and len(worth) == len(scope.fuels):
            return scope
        scope = Scope(ways, worth, scope.mixed)


def _vain_ways(problem: Problem, scope: Scope) -> set[Way]:
    """Wasteful ways whose products only serve to burn or go into other wasteful ways."""
    wasteful = [way for way in scope.ways if way in problem.catalogue.wasteful]
    burnt = {thing for way in wasteful for thing in way.gives} - {*problem.wanted}
    while True:
        vain = {way for way in wasteful if burnt.issuperset(way.gives)}
        useful = {t for way in scope.ways if way not in vain for group in way.needs for t in group}
        if burnt.isdisjoint(useful):
            return vain
        burnt -= useful


def _worth_burning(problem: Problem, scope: Scope) -> tuple[str, ...]:
    """The fuels without those that are not there and can only be made wastefully, one at a time.

    Tools and stations stay: they may be burnt after use.
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
    """Keep the fuels held, the cheapest ones, and those with the most heat for their cost."""
    heat = problem.catalogue.domain.fuels
    cheap = sorted(scope.fuels, key=lambda fuel: (reached.things[fuel], -heat[fuel], fuel))
    lasting = sorted(scope.fuels, key=lambda fuel: (reached.things[fuel] / heat[fuel], fuel))
    half = most // 2
    chosen = {*problem.start, *problem.prices, *cheap[:half], *lasting[:half]}
    fuels = tuple(fuel for fuel in scope.fuels if fuel in chosen)
    return Scope(scope.ways, fuels, scope.mixed)
