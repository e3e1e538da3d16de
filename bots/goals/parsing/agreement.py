"""Refuses goals that cannot all be so at once, wherever the bot is."""

from __future__ import annotations

from itertools import combinations

from bots.goals.goal import EquipmentGoal, Goal, PlacedAtGoal, PositionGoal
from bots.goals.parsing.refusals import GoalRefused
from bots.skills.wearing import belongs

SAME_PLACE = 1.0
"""Who stands so many blocks from a position stands there."""


def require_agreement(goals: tuple[Goal, ...]) -> None:
    """Raises GoalRefused contradictory."""
    for one, other in combinations(goals, 2):
        why = _against(one, other)
        if why:
            raise GoalRefused("contradictory", f"{one} and {other} cannot both be so: {why}.")


def _against(one: Goal, other: Goal) -> str:
    match one, other:
        case PositionGoal(at=here), PositionGoal(at=there):
            return "I stand in one place" if here.distance_to(there) > SAME_PLACE else ""
        case PlacedAtGoal(at=here), PlacedAtGoal(at=there):
            return "one block has room there" if here == there else ""
        case EquipmentGoal(), EquipmentGoal():
            return _against_wearing(one, other)
    return ""


def _against_wearing(one: EquipmentGoal, other: EquipmentGoal) -> str:
    if one.item == other.item:
        return "it is worn or not" if one.on != other.on else ""
    place = belongs(one.item)
    if not (one.on and other.on) or place != belongs(other.item):
        return ""
    return "one thing is in hand" if place == "hand" else "one thing is worn there"
