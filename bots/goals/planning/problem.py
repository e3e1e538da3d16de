"""The input of the planner: what is wanted, what is there, which ways are open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bots.goals.activity import STATIONS, Activity, PlanningWorld
from bots.goals.plan import FORAGING
from bots.goals.planning.costing import Costs
from bots.goals.planning.ways import (
    HEAT,
    Catalogue,
    Near,
    Thing,
    Way,
    far_off,
    in_chests,
    way_of,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wanted at the end, from what, and by which ways."""

    catalogue: Catalogue
    wanted: Mapping[Thing, int]
    """Totals at the end."""
    start: Mapping[Thing, int]
    """What is held and near, counts above 0."""
    ways: tuple[Way, ...]
    """Every way that could help, in a fixed order. Some may be impossible."""
    prices: Mapping[str, int]
    """Ticks for buying one of an item. Only explanations buy; empty for a real plan."""
    costs: Costs
    fuels: tuple[str, ...]
    """What may be burnt, in a fixed order."""

    def met(self) -> bool:
        return all(self.start.get(thing, 0) >= count for thing, count in self.wanted.items())

    def lacks(self) -> list[Thing]:
        return [t for t, count in self.wanted.items() if self.start.get(t, 0) < count]


def problem_of(
    catalogue: Catalogue,
    wanted: Mapping[Thing, int],
    world: PlanningWorld,
    prices: Mapping[str, int] | None = None,
    costs: Costs | None = None,
) -> Problem:
    """Collect the ways that may help a goal. Blocks wanted near may be placed, like stations.

    Without `costs` they are those of the domain."""
    start = start_of(world)
    extra = [*_extra(catalogue, world), *_placements(catalogue, wanted)]
    fuels = _fuels(catalogue, world)
    ways = _relevant(catalogue, wanted, start, extra, _untouchable(world), fuels)
    return Problem(catalogue, wanted, start, ways, prices or {}, costs or Costs(), fuels)


def everything_open(catalogue: Catalogue, world: PlanningWorld) -> Problem:
    """The problem with every way that is open in a world, to ask what can be had at all."""
    start, untouchable = start_of(world), _untouchable(world)
    known = tuple(way for way in catalogue.ways if _is_open(way, {}, start, untouchable))
    ways = (*known, *_extra(catalogue, world))
    return Problem(catalogue, {}, start, ways, {}, Costs(), _fuels(catalogue, world))


def _fuels(catalogue: Catalogue, world: PlanningWorld) -> tuple[str, ...]:
    return tuple(fuel for fuel in catalogue.fuels if fuel not in world.unburnt)


def start_of(world: PlanningWorld) -> dict[Thing, int]:
    start: dict[Thing, int] = {item: n for item, n in world.inventory.items() if n > 0}
    start.update({_there(block, world): n for block, n in world.nearby.items() if n > 0})
    start.update({in_chests(item): kept.count for item, kept in world.stored.items()})
    for station in STATIONS:
        if world.near(station) and not world.is_far(station):
            start.setdefault(Near(station), 1)
    return start


def _there(block: str, world: PlanningWorld) -> Near:
    return far_off(block) if world.is_far(block) else Near(block)


def _untouchable(world: PlanningWorld) -> frozenset[str]:
    """Stations that are near but not counted: they can be used, not dug up."""
    return frozenset(s for s in STATIONS if world.near(s) and not world.nearby.get(s, 0))


def _extra(catalogue: Catalogue, world: PlanningWorld) -> list[Way]:
    """Ways to take what chests hold and to walk to stations, in a fixed order."""
    taking = [catalogue.taking[item] for item in sorted(world.stored) if item in catalogue.taking]
    far = [catalogue.approaching[station] for station in STATIONS if world.is_far(station)]
    return [*taking, *far]


def _placements(catalogue: Catalogue, wanted: Mapping[Thing, int]) -> list[Way]:
    pattern = next(iter(catalogue.domain.placing.values()), None)
    fixed, unit = (pattern.fixed_ticks, pattern.unit_ticks) if pattern else (0, 0)
    blocks = [t.block for t in wanted if isinstance(t, Near) and t not in catalogue.makers]
    return [
        way_of(
            len(catalogue.ways) + len(catalogue.taking) + len(catalogue.approaching) + n,
            Activity("place", block, {}, {block: 1}, fixed_ticks=fixed, unit_ticks=unit),
        )
        for n, block in enumerate(sorted(blocks))
    ]


def _relevant(
    catalogue: Catalogue,
    wanted: Mapping[Thing, int],
    start: Mapping[Thing, int],
    extra: list[Way],
    untouchable: frozenset[str],
    fuels: tuple[str, ...],
) -> tuple[Way, ...]:
    """Follow needs back from what is wanted. Leave out blocks that are not there. Nobody goes
    foraging for something to burn."""
    giving: dict[Thing, list[Way]] = {}
    for way in extra:
        for given in way.gives:
            giving.setdefault(given, []).append(way)
    stack = [(t, False) for t, count in wanted.items() if start.get(t, 0) < count]
    seen = set(stack)
    found: set[Way] = set()
    while stack:
        thing, burns = stack.pop()
        for way in [*catalogue.sources(thing), *giving.get(thing, ())]:
            if way in found or not _is_open(way, wanted, start, untouchable):
                continue
            if burns and way.activity.kind in FORAGING:
                continue
            found.add(way)
            fresh = {need for group in way.needs for need in _needed(group, fuels)} - seen
            seen |= fresh
            stack.extend(fresh)
    return tuple(sorted(found, key=lambda way: way.index))


def _needed(group: tuple[Thing, ...], fuels: tuple[str, ...]) -> list[tuple[Thing, bool]]:
    """The alternatives of a group, each with whether it is to be burnt."""
    is_fire = HEAT in group
    return [(thing, is_fire) for thing in (fuels if is_fire else group)]


def _is_open(
    way: Way,
    wanted: Mapping[Thing, int],
    start: Mapping[Thing, int],
    untouchable: frozenset[str],
) -> bool:
    kind, target = way.activity.kind, way.activity.target
    there = Near(target) in start
    if kind in FORAGING:
        return start.get(Near(target), 0) >= max(1, way.activity.uses)
    if kind == "gather":
        return target not in untouchable and (there or target in STATIONS)
    return kind != "place" or not there or Near(target) in wanted
