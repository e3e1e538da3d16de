"""One player's body in the simulated world, ours or a person's."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from bridge.fake.inventory import HOTBAR_SLOTS, Inventory
from bridge.fake.rules import worn_on
from bridge.world import Death, GameMode, ItemStack, PlayerName, Position

EYE_HEIGHT = 1.62  # blocks above the feet
FULL = 20.0

Dimension = Literal["overworld", "the_nether", "the_end"]


@dataclass(slots=True)
class Body:
    """Feet at `position`; everything may be set by a test at any time."""

    name: PlayerName
    position: Position
    inventory: Inventory
    dimension: Dimension = "overworld"
    game_mode: GameMode = "survival"
    health: float = FULL
    food: float = FULL
    yaw: float = 0.0
    pitch: float = 0.0
    in_hand: int = 0
    """The chosen hotbar slot."""
    worn: dict[str, str] = field(default_factory=dict)
    """Item by body part."""
    off_hand: ItemStack | None = None
    effects: list[str] = field(default_factory=list)
    window: Position | None = None
    """The container that is open."""
    died: Death | None = None

    @property
    def held(self) -> ItemStack | None:
        return self.inventory.slots[self.in_hand]

    @property
    def carried(self) -> tuple[ItemStack, ...]:
        """What it would lose with its life, each item once."""
        return tuple(ItemStack(*row) for row in self.inventory.counts().items())

    @property
    def eyes(self) -> Position:
        return Position(self.position.x, self.position.y + EYE_HEIGHT, self.position.z)

    @property
    def cells(self) -> tuple[Position, Position]:
        """The two blocks the body stands in."""
        feet = self.position.block
        return feet, Position(feet.x, feet.y + 1, feet.z)

    def equip(self, item: str, place: str | None = None) -> None:
        """Take an item that is carried in hand, or put it on, where it belongs unless told."""
        slot = self.inventory.slot_of(item)
        if slot is None:
            raise KeyError(item)
        part = place or worn_on(item) or "hand"
        if part == "off-hand":
            self._take_aside(slot)
        elif part != "hand":
            self._wear(item, part)
        elif slot < HOTBAR_SLOTS:
            self.in_hand = slot
        else:
            self.inventory.swap(slot, self.in_hand)

    def take_off(self, part: str | None) -> None:
        """Put what is worn there, or without a part what is in hand, into a free slot."""
        slots = self.inventory.slots
        free = slots.index(None)
        if part is None:
            self.inventory.swap(self.in_hand, free)
            return
        item = self.worn.pop(part)
        slots[free] = self.off_hand if part == "off-hand" else ItemStack(item, 1)
        if part == "off-hand":
            self.off_hand = None

    def look_at(self, point: Position) -> None:
        eyes = self.eyes
        dx, dy, dz = point.x - eyes.x, point.y - eyes.y, point.z - eyes.z
        self.yaw = math.degrees(math.atan2(-dx, -dz)) % 360
        self.pitch = math.degrees(math.atan2(dy, math.hypot(dx, dz)))

    def _take_aside(self, slot: int) -> None:
        stack, slots = self.inventory.slots[slot], self.inventory.slots
        assert stack is not None, "an item is carried in its slot"
        slots[slot], self.off_hand = self.off_hand, stack
        self.worn["off-hand"] = stack.name

    def _wear(self, item: str, part: str) -> None:
        self.inventory.take(item)
        former = self.worn.get(part)
        self.worn[part] = item
        if former is not None:
            self.inventory.add(former)
