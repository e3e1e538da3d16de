"""What a plan leaves alone: what is dear, unless a goal says that it may be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from bots.goals.activity import STATIONS, Activity, PlanningWorld
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    WithItem,
)
from bots.goals.planning.ways import Catalogue, Way
from bots.skills.keeping import is_dear


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
    return _allowed(goals) | {*_made_of(catalogue, goals)}


def _asked_by(goals: Iterable[Goal], item: str, held: int) -> int:
    """How many of what is held the goals ask for."""
    return max((_asked(goal, item, held) for goal in goals), default=0)


def _asked(goal: Goal, item: str, held: int) -> int:
    """How many of what is held a goal asks for."""
    match goal:
        case ItemGoal() if goal.item == item:
            return held if goal.more else min(held, goal.count)
        case PlacedGoal() | PlacedAtGoal() if goal.block == item:
            return held
        case EquipmentGoal(on=True) if goal.item == item:
            return 1
        case _:
            return 0


def _made_of(catalogue: Catalogue, goals: Iterable[Goal]) -> Iterator[str]:
    """What all ways to make a goal's item take."""
    for goal in goals:
        match goal:
            case (
                ItemGoal(item=item)
                | EquipmentGoal(item=item, on=True)
                | PlacedGoal(block=item)
                | PlacedAtGoal(block=item)
            ):
                makers = [way for way in catalogue.makers.get(item, ()) if _makes(way, item)]
                taken = [{*map(str, way.takes)} for way in makers]
                yield from set.intersection(*taken) if taken else ()
            case _:
                pass


def _makes(way: Way, item: str) -> bool:
    made: Activity = way.activity
    return made.kind in ("craft", "smelt") and made.target == item
