"""From goals to the input of the planner: what is wanted, what is there, which ways are open.

What is dear stays as it is, unless a goal says that it may be used. Placing, equipping and walking
come after all other steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from bots.goals.activity import STATIONS, Activity, PlanningWorld
from bots.goals.domain import costs
from bots.goals.domain.costs import walk_s
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
)
from bots.goals.plan import FORAGING, Step
from bots.goals.planning.ways import (
    HEAT,
    Catalogue,
    Costs,
    Near,
    Thing,
    Way,
    far_off,
    in_chests,
    way_of,
)
from bots.goals.rates import Work
from bots.skills.belongings import is_dear
from bridge.world import Position

EQUIP_S = 0.5
WALK_S = 10.0
"""To a position, when nobody says from where."""


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
    pattern = next(iter(catalogue.domain.placing.values()), None)
    fixed, unit = (pattern.fixed_ticks, pattern.unit_ticks) if pattern else (0, 0)
    blocks = [t.block for t in wanted if isinstance(t, Near) and t not in catalogue.makers]
    placements = [
        way_of(
            len(catalogue.ways) + len(catalogue.taking) + len(catalogue.approaching) + n,
            Activity("place", block, {}, {block: 1}, fixed_ticks=fixed, unit_ticks=unit),
        )
        for n, block in enumerate(sorted(blocks))
    ]
    taking = [catalogue.taking[item] for item in sorted(world.stored) if item in catalogue.taking]
    far = [catalogue.approaching[station] for station in STATIONS if world.is_far(station)]
    extra = [*taking, *far, *placements]
    fuels = tuple(fuel for fuel in catalogue.fuels if fuel not in world.unburnt)
    # Stations that are near but not counted can be used, not dug up.
    fixed_ones = frozenset(s for s in STATIONS if world.near(s) and not world.nearby.get(s, 0))
    ways = _relevant(catalogue, wanted, start, extra, fixed_ones, fuels)
    return Problem(catalogue, wanted, start, ways, prices or {}, costs or Costs(), fuels)


def start_of(world: PlanningWorld) -> dict[Thing, int]:
    start: dict[Thing, int] = {item: n for item, n in world.inventory.items() if n > 0}
    for block, n in world.nearby.items():
        if n > 0:
            start[far_off(block) if world.is_far(block) else Near(block)] = n
    start.update({in_chests(item): kept.count for item, kept in world.stored.items()})
    for station in STATIONS:
        if world.near(station) and not world.is_far(station):
            start.setdefault(Near(station), 1)
    return start


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
            needed = ((t, HEAT in g) for g in way.needs for t in (fuels if HEAT in g else g))
            fresh = {*needed} - seen
            seen |= fresh
            stack.extend(fresh)
    return tuple(sorted(found, key=lambda way: way.index))


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


def wanted_of(goals: tuple[Goal, ...], world: PlanningWorld) -> dict[Thing, int]:
    """Totals at the end. If several goals want the same thing, the largest counts; what is to be
    put down afterwards is wanted beside it."""
    start = start_of(world)
    wanted: dict[Thing, int] = dict(world.at_the_end.items())
    for goal in goals:
        for thing, total in _wants(goal, world, start):
            wanted[thing] = max(wanted.get(thing, 0), total)
    for put, count in _to_put_down(goals, world):
        wanted[put.block] = wanted.get(put.block, 0) + count
    return wanted


def with_placed_stations_near(goals: Iterable[Goal], world: PlanningWorld) -> PlanningWorld:
    """The world as if stations were near that the goals count: a walk there changes no count."""
    counted = {goal.block for goal in goals if isinstance(goal, PlacedGoal)}.intersection(STATIONS)
    if counted.isdisjoint(world.away):
        return world
    return replace(world, away={k: at for k, at in world.away.items() if k not in counted})


def last_steps(goals: tuple[Goal, ...], world: PlanningWorld) -> Iterator[Step]:
    """Put blocks down where they belong, wear things or take them off, and walk to positions."""
    here = world.here
    for step, at in _places(goals, world):
        yield _walked(step, here, at, world)
        here = at or here
    # What comes off comes off first: it may make room for what is put on.
    equipment = dict.fromkeys(goal for goal in goals if isinstance(goal, EquipmentGoal))
    for goal in sorted(equipment, key=lambda goal: goal.on):
        if goal.on:
            yield Step("equip", goal.item, 1, cost_s=EQUIP_S)
        elif goal.item in world.worn:
            yield Step("take_off", goal.item, 1, cost_s=EQUIP_S)
    # A walk to each place from the one before.
    for at in dict.fromkeys(goal.at for goal in goals if isinstance(goal, PositionGoal)):
        target = f"{at.x:.10g},{at.y:.10g},{at.z:.10g}"
        model_s = WALK_S if here is None else 0.0
        yield _walked(Step("move", target, 1, model_s=model_s), here, at, world)
        here = at


def _wants(
    goal: Goal, world: PlanningWorld, start: Mapping[Thing, int]
) -> Iterator[tuple[Thing, int]]:
    match goal:
        case ItemGoal(item=item, count=count, more=more):
            yield item, count + (start.get(item, 0) if more else 0)
        case EquipmentGoal(item=item, on=True):
            yield item, 1
        case PlacedGoal(block=block) if not _is_put_down(goal, world):
            near = start.get(Near(block), 0)
            if goal.more:
                lacking = goal.count
            elif goal.by_anyone or world.counted is None:
                lacking = max(0, goal.count - near)
            else:
                lacking = max(0, goal.count - world.counted.get(goal.single, 0))
            yield Near(block), near + lacking


def _is_put_down(goal: PlacedGoal, world: PlanningWorld) -> bool:
    """Whether a step at the end puts the blocks down. A station may stand before, as it is used,
    and where all that are near count, what is dug up counts no more."""
    if goal.near is not None:
        return True
    return not goal.by_anyone and world.counted is not None and goal.block not in STATIONS


def _to_put_down(
    goals: Iterable[Goal], world: PlanningWorld
) -> Iterator[tuple[PlacedGoal | PlacedAtGoal, int]]:
    """The goals for which steps at the end put blocks down, and how many."""
    counted = world.counted or {}
    for goal in goals:
        match goal:
            case PlacedAtGoal() if not counted.get(goal):
                yield goal, 1
            case PlacedGoal() if _is_put_down(goal, world):
                stand = 0 if goal.more else counted.get(goal.single, 0)
                if goal.count > stand:
                    yield goal, goal.count - stand


def _places(goals: Iterable[Goal], world: PlanningWorld) -> Iterator[tuple[Step, Position | None]]:
    """The steps with where they lead; of several positions the lowest first, which may bear the
    others."""
    every = sorted(
        _to_put_down(goals, world),
        key=lambda one: one[0].at.y if isinstance(one[0], PlacedAtGoal) else 0,
    )
    for goal, count in every:
        near = goal.near if isinstance(goal, PlacedGoal) else None
        at = goal.at if isinstance(goal, PlacedAtGoal) else None
        seconds = count * costs.PLACE_S
        taken = {goal.block: count}
        step = Step("place", goal.block, count, consumes=taken, at=at, near=near, model_s=seconds)
        yield step, at or world.spots.get(near or "")


def _walked(step: Step, here: Position | None, at: Position | None, world: PlanningWorld) -> Step:
    """The step, with what it costs when the way there is counted."""
    way_s = walk_s(here.distance_to(at)) if here is not None and at is not None else 0.0
    model_s = step.model_s + way_s
    cost_s = round(world.rates.of(Work(step.action, "")) * model_s, 2)
    return replace(step, cost_s=cost_s, model_s=model_s)


def sparing(catalogue: Catalogue, goals: Sequence[Goal], world: PlanningWorld) -> PlanningWorld:
    """The world without what is dear, held or in a chest, as far as no goal asks for it.

    What every way to make a goal's item takes is asked for as well: whoever wants a lectern means
    the bookshelf in it. A tool is there to be worked with, and still is at the end. A station is
    there to be put up. What is dear is never burnt, whatever it was made for."""
    allowed, meant = _allowed(goals), _meant(catalogue, goals)
    kept = _kept(goals, world, meant)
    held = {item: n - kept.get(item, 0) for item, n in world.inventory.items()}
    tools = {item: max(1, held[item]) for item in kept if item in catalogue.tools}
    offered = {
        item: there
        for item, there in world.stored.items()
        if item in catalogue.tools or not _is_kept(item, meant) or _asked_by(goals, item, 1)
    }
    return replace(
        world,
        inventory={**held, **tools},
        stored=offered,
        unburnt=catalogue.dear_fuels - allowed,
        at_the_end=tools,
    )


def with_what_is_kept(
    catalogue: Catalogue, goals: Sequence[Goal], world: PlanningWorld
) -> tuple[Goal, ...]:
    """The words that would allow the goals to use all that is held."""
    kept = _kept(goals, world, _meant(catalogue, goals))
    return tuple(WithItem(item) for item in sorted(kept))


def _kept(
    goals: Sequence[Goal], world: PlanningWorld, meant: AbstractSet[str]
) -> Mapping[str, int]:
    """How many of each dear thing that is held no goal asks for."""
    left = {
        item: held - _asked_by(goals, item, held)
        for item, held in world.inventory.items()
        if _is_kept(item, meant)
    }
    return {item: count for item, count in left.items() if count > 0}


def _is_kept(item: str, meant: AbstractSet[str]) -> bool:
    return is_dear(item) and item not in meant and item not in STATIONS


def _allowed(goals: Iterable[Goal]) -> frozenset[str]:
    return frozenset(goal.item for goal in goals if isinstance(goal, WithItem))


def _meant(catalogue: Catalogue, goals: Sequence[Goal]) -> frozenset[str]:
    """What the goals let a plan use up: what they say, and what all ways to them take."""
    meant = set(_allowed(goals))
    for goal in goals:
        match goal:
            case (
                ItemGoal(item=item)
                | EquipmentGoal(item=item, on=True)
                | PlacedGoal(block=item)
                | PlacedAtGoal(block=item)
            ):
                taken = [
                    {*map(str, way.takes)}
                    for way in catalogue.makers.get(item, ())
                    if way.activity.kind in ("craft", "smelt") and way.activity.target == item
                ]
                meant |= set.intersection(*taken) if taken else set()
    return frozenset(meant)


def _asked_by(goals: Iterable[Goal], item: str, held: int) -> int:
    """How many of what is held the goals ask for."""
    most = 0
    for goal in goals:
        match goal:
            case ItemGoal() if goal.item == item:
                most = max(most, held if goal.more else min(held, goal.count))
            case PlacedGoal() | PlacedAtGoal() if goal.block == item:
                most = max(most, held)
            case EquipmentGoal(on=True) if goal.item == item:
                most = max(most, 1)
    return most
