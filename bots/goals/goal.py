"""The kinds of goals: items to hold, blocks to stand, an item to wear, a position to reach; what
may be used for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from bots.text.plurals import counted
from bridge.world import Position


@dataclass(frozen=True, slots=True)
class ItemGoal:
    """`inventory.ITEM:n`: hold n in all; `inventory.ITEM:+n`: n more than now."""

    item: str
    count: int
    more: bool = False

    def __str__(self) -> str:
        return f"inventory.{self.item}:{'+' if self.more else ''}{self.count}"


@dataclass(frozen=True, slots=True)
class PlacedGoal:
    """`placed.BLOCK:n`: n stand that this bot or its talk placed; `placed.BLOCK:+n`: n more than
    now; `near:NAME`: around a place or a player; `any`: whoever placed them."""

    block: str
    count: int
    more: bool = False
    near: str | None = None
    """The name of a place or of a player, or three coordinates; None: where the bot is."""
    by_anyone: bool = False

    @property
    def single(self) -> PlacedGoal:
        """The same for one block: what counts for it counts for every number."""
        return replace(self, count=1, more=False)

    def __str__(self) -> str:
        near = "" if self.near is None else f" near:{self.near}"
        count = f"{'+' if self.more else ''}{self.count}"
        return f"placed.{self.block}:{count}{near}{' any' if self.by_anyone else ''}"


@dataclass(frozen=True, slots=True)
class PlacedAtGoal:
    """`placed.BLOCK@x,y,z`: it stands there, whoever placed it."""

    block: str
    at: Position

    def __str__(self) -> str:
        return f"placed.{self.block}@{_axes(self.at)}"


@dataclass(frozen=True, slots=True)
class EquipmentGoal:
    """`equipment.ITEM:true`: wear it, or hold it in the hand if it cannot be worn;
    `equipment.ITEM:false`: neither."""

    item: str
    on: bool = True

    def __str__(self) -> str:
        return f"equipment.{self.item}:{str(self.on).lower()}"


@dataclass(frozen=True, slots=True)
class PositionGoal:
    """`position:x,y,z`: stand there."""

    at: Position

    def __str__(self) -> str:
        return f"position:{_axes(self.at)}"


@dataclass(frozen=True, slots=True)
class WithItem:
    """`with:ITEM`: the goals beside it may use this item up, though it is dear."""

    item: str

    def __str__(self) -> str:
        return f"with:{self.item}"


Goal: TypeAlias = ItemGoal | PlacedGoal | PlacedAtGoal | EquipmentGoal | PositionGoal | WithItem


def _axes(at: Position) -> str:
    return f"{at.x:.10g},{at.y:.10g},{at.z:.10g}"  # the border is at 30,000,000


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
