"""The kinds of goals: items to hold, blocks to stand, an item to wear, a position to reach; what
may be used for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

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
    """`placed.BLOCK:n`: n stand nearby in all; `placed.BLOCK:+n`: n more than now."""

    block: str
    count: int
    more: bool = False

    def __str__(self) -> str:
        return f"placed.{self.block}:{'+' if self.more else ''}{self.count}"


@dataclass(frozen=True, slots=True)
class EquipmentGoal:
    """`equipment.ITEM:true`: wear it, or hold it in the hand if it cannot be worn."""

    item: str

    def __str__(self) -> str:
        return f"equipment.{self.item}:true"


@dataclass(frozen=True, slots=True)
class PositionGoal:
    """`position:x,y,z`: stand there."""

    at: Position

    def __str__(self) -> str:
        return f"position:{self.at.x:g},{self.at.y:g},{self.at.z:g}"


@dataclass(frozen=True, slots=True)
class WithItem:
    """`with:ITEM`: the goals beside it may use this item up, though it is dear."""

    item: str

    def __str__(self) -> str:
        return f"with:{self.item}"


Goal: TypeAlias = ItemGoal | PlacedGoal | EquipmentGoal | PositionGoal | WithItem
