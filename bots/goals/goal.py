"""What is wanted: items held, a place reached, an item worn, blocks that stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bridge.world import Position


@dataclass(frozen=True, slots=True)
class ItemGoal:
    """`inventory.ITEM:n` = n held in all; `inventory.ITEM:+n` = n more than are held now."""

    item: str
    count: int
    more: bool = False

    def __str__(self) -> str:
        return f"inventory.{self.item}:{'+' if self.more else ''}{self.count}"


@dataclass(frozen=True, slots=True)
class PlacedGoal:
    """`placed.BLOCK:n` = n stand near in all; `placed.BLOCK:+n` = n more than stand now."""

    block: str
    count: int
    more: bool = False

    def __str__(self) -> str:
        return f"placed.{self.block}:{'+' if self.more else ''}{self.count}"


@dataclass(frozen=True, slots=True)
class EquipmentGoal:
    """`equipment.ITEM:true` = worn where it is worn, or held in the hand."""

    item: str

    def __str__(self) -> str:
        return f"equipment.{self.item}:true"


@dataclass(frozen=True, slots=True)
class PositionGoal:
    """`position:x,y,z` = standing there."""

    at: Position

    def __str__(self) -> str:
        return f"position:{self.at.x:g},{self.at.y:g},{self.at.z:g}"


Goal: TypeAlias = ItemGoal | PlacedGoal | EquipmentGoal | PositionGoal
