"""Goals in plain words, for people who ask what a bot is at."""

from __future__ import annotations

from collections.abc import Iterable

from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
)
from bots.text.plurals import counted


def plainly(goals: Iterable[Goal]) -> str:
    """`inventory.iron_pickaxe:1 inventory.torch:8` → `iron pickaxe and 8 torches`."""
    *most, last = (_one(goal) for goal in goals if not isinstance(goal, WithItem))
    return f"{', '.join(most)} and {last}" if most else last


def _one(goal: ItemGoal | PlacedGoal | PlacedAtGoal | EquipmentGoal | PositionGoal) -> str:
    match goal:
        case ItemGoal():
            return _plain(goal.item) if goal.count == 1 else counted(goal.count, _plain(goal.item))
        case PlacedGoal():
            near = f" near {goal.near}" if goal.near else ""
            return f"{counted(goal.count, f'placed {_plain(goal.block)}')}{near}"
        case PlacedAtGoal(at=at):
            return f"{_plain(goal.block)} at {at.x:g} {at.y:g} {at.z:g}"
        case EquipmentGoal():
            return f"{'wearing' if goal.on else 'taking off'} {_plain(goal.item)}"
        case PositionGoal():
            return f"position {goal.at.x:g} {goal.at.y:g} {goal.at.z:g}"


def _plain(name: str) -> str:
    return name.replace("_", " ")
