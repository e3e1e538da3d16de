"""What goals ask of a plan: things to have at the end, and the steps that come after all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bots.goals.activity import STATIONS, PlanningWorld
from bots.goals.domain import costs
from bots.goals.domain.world_costs import walk_s
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
)
from bots.goals.plan import Step
from bots.goals.planning.problem import start_of
from bots.goals.planning.ways import Near, Thing
from bots.goals.rates import Work
from bridge.world import Position

EQUIP_S = 0.5
WALK_S = 10.0
"""To a position, when nobody says from where."""


def wanted_of(goals: tuple[Goal, ...], world: PlanningWorld) -> dict[Thing, int]:
    """Totals at the end. If several goals want the same thing, the largest counts; what is to be
    put down afterwards is wanted beside it."""
    start = start_of(world)
    wanted: dict[Thing, int] = dict(world.at_the_end.items())
    for goal in goals:
        for thing, total in _wants(goal, world, start):
            wanted[thing] = max(wanted.get(thing, 0), total)
    for block, count in _put_down(goals, world).items():
        wanted[block] = wanted.get(block, 0) + count
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
    yield from _equips(goals, world)
    yield from _moves(goals, world, here)


def _wants(
    goal: Goal, world: PlanningWorld, start: Mapping[Thing, int]
) -> Iterator[tuple[Thing, int]]:
    match goal:
        case ItemGoal(item=item, count=count, more=more):
            yield item, count + (start.get(item, 0) if more else 0)
        case EquipmentGoal(item=item, on=True):
            yield item, 1
        case PlacedGoal(block=block) if not _is_put_down(goal, world):
            yield Near(block), start.get(Near(block), 0) + _lacking(goal, world, start)


def _lacking(goal: PlacedGoal, world: PlanningWorld, start: Mapping[Thing, int]) -> int:
    """How many more blocks have to stand."""
    if goal.more:
        return goal.count
    if goal.by_anyone or world.counted is None:
        return max(0, goal.count - start.get(Near(goal.block), 0))
    return max(0, goal.count - world.counted.get(goal.single, 0))


def _is_put_down(goal: PlacedGoal, world: PlanningWorld) -> bool:
    """Whether a step at the end puts the blocks down. A station may stand before, as it is used,
    and where all that are near count, what is dug up counts no more."""
    if goal.near is not None:
        return True
    return not goal.by_anyone and world.counted is not None and goal.block not in STATIONS


def _put_down(goals: Iterable[Goal], world: PlanningWorld) -> Counter[str]:
    counts: Counter[str] = Counter()
    for goal, count in _to_put_down(goals, world):
        counts[goal.block] += count
    return counts


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
    every = sorted(_to_put_down(goals, world), key=lambda one: _height(one[0]))
    for goal, count in every:
        near = goal.near if isinstance(goal, PlacedGoal) else None
        at = goal.at if isinstance(goal, PlacedAtGoal) else None
        seconds = count * costs.PLACE_S
        taken = {goal.block: count}
        step = Step("place", goal.block, count, consumes=taken, at=at, near=near, model_s=seconds)
        yield step, at or world.spots.get(near or "")


def _height(goal: Goal) -> float:
    return goal.at.y if isinstance(goal, PlacedAtGoal) else 0


def _equips(goals: Iterable[Goal], world: PlanningWorld) -> Iterator[Step]:
    """What comes off comes off first: it may make room for what is put on."""
    equipment = dict.fromkeys(goal for goal in goals if isinstance(goal, EquipmentGoal))
    for goal in sorted(equipment, key=lambda goal: goal.on):
        if goal.on:
            yield Step("equip", goal.item, 1, cost_s=EQUIP_S)
        elif goal.item in world.worn:
            yield Step("take_off", goal.item, 1, cost_s=EQUIP_S)


def _moves(goals: Iterable[Goal], world: PlanningWorld, here: Position | None) -> Iterator[Step]:
    """A walk to each place from the one before."""
    for at in dict.fromkeys(goal.at for goal in goals if isinstance(goal, PositionGoal)):
        target = f"{at.x:.10g},{at.y:.10g},{at.z:.10g}"
        model_s = WALK_S if here is None else 0.0
        yield _walked(Step("move", target, 1, model_s=model_s), here, at, world)
        here = at


def _walked(step: Step, here: Position | None, at: Position | None, world: PlanningWorld) -> Step:
    """The step, with what it costs when the way there is counted."""
    way_s = walk_s(here.distance_to(at)) if here is not None and at is not None else 0.0
    model_s = step.model_s + way_s
    cost_s = round(world.rates.of(Work(step.action, "")) * model_s, 2)
    return replace(step, cost_s=cost_s, model_s=model_s)
