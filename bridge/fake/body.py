"""Who is in the simulated world: an inventory, a body, and a person a test leads."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from bridge.fake.rules import worn_on
from bridge.vanilla import DANGERS
from bridge.world import Death, GameMode, ItemStack, PlayerName, Position, counts_of

HOTBAR_SLOTS = 9
BODY_SLOTS = 36
CHEST_SLOTS = 27

EYE_HEIGHT = 1.62  # blocks above the feet
FULL = 20.0

Dimension = Literal["overworld", "the_nether", "the_end"]


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
        return dict(counts_of(self.stacks))

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
            stack = self.slots[slot]
            there = stack.count if stack else 0
            fill = min(count, max(0, self._stack_size(item) - there))
            if fill:
                self.slots[slot] = ItemStack(item, there + fill)
            count -= fill
        return count

    def take(self, item: str, count: int = 1) -> int:
        """Take up to `count` items out; how many there were."""
        missing = count
        for slot in self._slots_of(item):
            stack = self.slots[slot]
            if stack is not None and missing:
                drawn = min(missing, stack.count)
                left = stack.count - drawn
                self.slots[slot] = ItemStack(item, left) if left else None
                missing -= drawn
        return count - missing

    def clear(self) -> None:
        self.slots[:] = [None] * len(self.slots)

    def slot_of(self, item: str) -> int | None:
        return next(iter(self._slots_of(item)), None)

    def swap(self, first: int, second: int) -> None:
        self.slots[first], self.slots[second] = self.slots[second], self.slots[first]

    def _slots_of(self, item: str | None) -> tuple[int, ...]:
        return tuple(i for i, stack in enumerate(self.slots) if (stack and stack.name) == item)


@dataclass(slots=True)
class Condition:
    """What a dangerous world keeps of a body; as good as new after a death."""

    saturation: float = DANGERS["hunger"]["saturation"]
    exhaustion: float = 0.0
    breath: int = DANGERS["breath_ticks"]["full"]
    burning: int = 0
    """Ticks that it still burns."""
    last_blow: float = 0.0
    unhurt_until_s: float = 0.0


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
    bed: Position | None = None
    """The bed that it sleeps in."""
    condition: Condition = field(default_factory=Condition)

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
        """Take a carried item in hand or put it on, in the given place or else where it belongs."""
        slot = self.inventory.slot_of(item)
        if slot is None:
            raise KeyError(item)
        part = place or worn_on(item) or "hand"
        if part == "off-hand":
            stack, slots = self.inventory.slots[slot], self.inventory.slots
            assert stack is not None, "an item is carried in its slot"
            slots[slot], self.off_hand = self.off_hand, stack
            self.worn["off-hand"] = stack.name
        elif part != "hand":
            self.inventory.take(item)
            former = self.worn.get(part)
            self.worn[part] = item
            if former is not None:
                self.inventory.add(former)
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


class Surroundings(Protocol):
    """What a person needs of a world; `FakeWorld` is one."""

    @property
    def bodies(self) -> Mapping[PlayerName, Body]: ...

    def whisper(self, sender: PlayerName, to: PlayerName, text: str) -> object: ...

    def chat(self, sender: PlayerName, text: str) -> object: ...

    def move(self, body: Body, position: Position) -> object: ...

    def place(self, body: Body, block: str, position: Position) -> object: ...

    def leave(self, name: PlayerName) -> object: ...


@dataclass(frozen=True, slots=True)
class Heard:
    """One line that reached a person."""

    sender: PlayerName
    text: str


class Person:
    """A human stand-in. `inbox` keeps every whisper, `overheard` every line of chat."""

    def __init__(self, world: Surroundings, body: Body) -> None:
        self.name, self.body = body.name, body
        self.inbox: list[Heard] = []
        self.overheard: list[Heard] = []
        self._world = world
        self._read = 0
        self._spoken_to = asyncio.Event()

    @property
    def is_online(self) -> bool:
        return self._world.bodies.get(self.name) is self.body

    def whisper(self, to: str, text: str) -> None:
        """Whisper to a bot or a person; to somebody absent nothing arrives."""
        self._world.whisper(self.name, PlayerName(to), text)

    def chat(self, text: str) -> None:
        self._world.chat(self.name, text)

    def move_to(self, position: Position) -> None:
        """Move there at once, and pick up what lies there."""
        self._world.move(self.body, position)

    def place(self, block: str, position: Position) -> None:
        """Put a block down, or take one away with `air`, however far away; bots that see the
        person notice."""
        self._world.place(self.body, block, position)

    def leave(self) -> None:
        self._world.leave(self.name)

    async def hears(self, timeout_s: float = 30.0) -> Heard:
        """The next whisper not yet taken this way. Raises TimeoutError (real seconds)."""
        async with asyncio.timeout(timeout_s):
            while self._read >= len(self.inbox):
                self._spoken_to.clear()
                await self._spoken_to.wait()
        self._read += 1
        return self.inbox[self._read - 1]

    def take_whisper(self, sender: PlayerName, text: str) -> None:
        self.inbox.append(Heard(sender, text))
        self._spoken_to.set()

    def take_chat(self, sender: PlayerName, text: str) -> None:
        self.overheard.append(Heard(sender, text))
