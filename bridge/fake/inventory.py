"""Slots that hold stacks: what a body carries, what a chest keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bridge.world import ItemStack

HOTBAR_SLOTS = 9
BODY_SLOTS = 36
CHEST_SLOTS = 27


class Inventory:
    """A row of slots; the first nine are a body's hotbar."""

    def __init__(self, slots: int, stack_size: Callable[[str], int]) -> None:
        self.slots: list[ItemStack | None] = [None] * slots
        self._stack_size = stack_size

    @property
    def stacks(self) -> tuple[ItemStack, ...]:
        return tuple(stack for stack in self.slots if stack is not None)

    @property
    def free_slots(self) -> int:
        return self.slots.count(None)

    def counts(self) -> dict[str, int]:
        """How many of each item, over all slots."""
        total: Counter[str] = Counter()
        for stack in self.stacks:
            total[stack.name] += stack.count
        return dict(total)

    def count(self, item: str) -> int:
        return sum(stack.count for stack in self.stacks if stack.name == item)

    def space_for(self, item: str) -> int:
        """How many more of an item fit."""
        size = self._stack_size(item)
        open_stacks = sum(size - stack.count for stack in self.stacks if stack.name == item)
        return open_stacks + self.free_slots * size

    def add(self, item: str, count: int = 1) -> int:
        """Put items in, on open stacks first; how many did not fit."""
        for slot in (*self._slots_of(item), *self._slots_of(None)):
            count -= self._fill(slot, item, count)
        return count

    def take(self, item: str, count: int = 1) -> int:
        """Take up to `count` items out; how many there were."""
        taken = 0
        for slot in self._slots_of(item):
            taken += self._draw(slot, count - taken)
        return taken

    def clear(self) -> None:
        self.slots[:] = [None] * len(self.slots)

    def slot_of(self, item: str) -> int | None:
        return next(iter(self._slots_of(item)), None)

    def swap(self, first: int, second: int) -> None:
        self.slots[first], self.slots[second] = self.slots[second], self.slots[first]

    def _slots_of(self, item: str | None) -> tuple[int, ...]:
        return tuple(i for i, stack in enumerate(self.slots) if (stack and stack.name) == item)

    def _fill(self, slot: int, item: str, count: int) -> int:
        stack = self.slots[slot]
        there = stack.count if stack else 0
        moved = min(count, max(0, self._stack_size(item) - there))
        if moved:
            self.slots[slot] = ItemStack(item, there + moved)
        return moved

    def _draw(self, slot: int, count: int) -> int:
        stack = self.slots[slot]
        drawn = min(count, stack.count if stack else 0)
        if stack and drawn:
            left = stack.count - drawn
            self.slots[slot] = ItemStack(stack.name, left) if left else None
        return drawn
