"""Which fuels can be left out without a plan becoming dearer.

A thing that is good for nothing but burning, and is only made from things that burn at least as
long, is never worth making: burn those instead. That leaves out boats, fences and the like.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful, makers_among
from bots.goals.planning.ways import Thing, Way


def without_vain_fuels(problem: Problem, reached: Reach, scope: Scope) -> Scope:
    """Leave out vain fuels, and what only led to them, until none is left."""
    while True:
        scope = helpful(problem, reached, scope)
        vain = _vain(problem, scope)
        if not vain:
            return scope
        kept = tuple(fuel for fuel in scope.fuels if fuel not in vain)
        scope = Scope(scope.ways, kept, scope.mixed)


def _vain(problem: Problem, scope: Scope) -> Collection[str]:
    heat = problem.catalogue.domain.fuels
    used: set[Thing] = {thing for way in scope.ways for group in way.needs for thing in group}
    kept = used | {*problem.start, *problem.prices, *problem.wanted}
    makers = makers_among(problem, scope.ways)
    return {
        fuel
        for fuel in scope.fuels
        if fuel not in kept and all(_wastes(way, fuel, heat) for way in makers.get(fuel, ()))
    }


def _wastes(way: Way, fuel: str, heat: Mapping[str, int]) -> bool:
    """Whether what a way takes would have burnt at least as long as what it gives."""
    if {*way.gives} != {fuel} or way.activity.kind != "craft":
        return False
    taken = sum(heat.get(thing, 0) * n for thing, n in way.activity.consumes.items())
    taken += sum(min(heat.get(item, 0) for item in pool) * n for pool, n in way.pools.items())
    return taken >= heat[fuel] * way.gives[fuel]


def usual_fuels(problem: Problem, reached: Reach, scope: Scope, most: int) -> Scope:
    """Keep the fuels held, those that are had at least cost, and those that give most for it."""
    heat = problem.catalogue.domain.fuels
    cheap = sorted(scope.fuels, key=lambda fuel: (reached.things[fuel], -heat[fuel], fuel))
    lasting = sorted(scope.fuels, key=lambda fuel: (reached.things[fuel] / heat[fuel], fuel))
    half = most // 2
    chosen = {*problem.start, *problem.prices, *cheap[:half], *lasting[:half]}
    fuels = tuple(fuel for fuel in scope.fuels if fuel in chosen)
    return Scope(scope.ways, fuels, scope.mixed)
