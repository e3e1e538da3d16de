"""How much room a piece of work needs in a bag, and what of a bag may go to make that room.

A bag has room in free slots and on stacks that are not full. What the work uses up leaves room too:
a log that is made into planks frees its slot for them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bots.bot.chests import CONTAINERS
from bots.skills.keeping import is_dear, is_wielded_or_worn
from bridge.catalogue import Catalogue
from bridge.world import WorldSnapshot

ROOMY_SLOTS = 9
"""So many slots are free in the bag after things were put away, if the chest has room."""
STACK = 64  # of what the catalogue does not know
WHAT_HELPS = (
    "take something from me, give me a chest to put down, or let me use one with !chest allow"
)
BAG_FULL = f"the bag is full of things I would not throw away; {WHAT_HELPS}"
_RUBBLE = (
    r"rotten_flesh|poisonous_potato|\w+_leaves|dandelion|poppy",
    r"(coarse_|rooted_)?dirt|netherrack|soul_soil|granite|diorite|andesite|tuff|calcite",
    r"gravel|(red_)?sand|stone|deepslate|basalt|blackstone|end_stone",
    r"cobblestone|cobbled_deepslate",
    r"wheat_seeds|\w+_sapling",
)
"""What digging leaves in a bag and can be found anywhere, the least worth first."""
_MATERIALS = ("wooden", "golden", "leather", "stone", "chainmail", "iron", "diamond", "netherite")


def slots_lacking(
    bag: WorldSnapshot,
    catalogue: Catalogue,
    uses: Mapping[str, int],
    brings: Mapping[str, float],
    *,
    bit_by_bit: bool = False,
) -> int:
    """How many more free slots it takes to use some things up and then get others for them.

    `bit_by_bit` is how things are crafted: in as many equal rounds as the counts allow."""
    wanted = {item: math.ceil(count) for item, count in brings.items()}
    rounds = max(1, math.gcd(*uses.values(), *wanted.values())) if bit_by_bit else 1
    sack, lacking = _Sack.of(bag, catalogue), 0
    for _ in range(rounds):
        for item, count in uses.items():
            sack.take(item, count // rounds)
        for item, count in wanted.items():
            sack.put(item, count // rounds)
        lacking = max(lacking, -sack.free)
    return lacking


@dataclass(slots=True)
class _Sack:
    """A bag in thought, which may hold more than it has slots: then `free` is below zero."""

    stacks: list[tuple[str, int]]
    free: int
    size: Callable[[str], int]

    @classmethod
    def of(cls, bag: WorldSnapshot, catalogue: Catalogue) -> _Sack:
        def size(item: str) -> int:
            facts = catalogue.items.get(item)
            return facts.stack_size if facts else STACK

        return cls([(stack.name, stack.count) for stack in bag.items], bag.free_slots, size)

    def take(self, item: str, count: int) -> None:
        for index, (name, held) in enumerate(self.stacks):
            taken = min(count, held) if name == item else 0
            self.stacks[index] = name, held - taken
            count -= taken
        left = [stack for stack in self.stacks if stack[1]]
        self.free += len(self.stacks) - len(left)
        self.stacks = left

    def put(self, item: str, count: int) -> None:
        for index, (name, held) in enumerate(self.stacks):
            added = min(count, self.size(item) - held) if name == item else 0
            self.stacks[index] = name, held + added
            count -= added
        while count > 0:
            self.stacks.append((item, min(count, self.size(item))))
            self.free -= 1
            count -= self.size(item)


def spare(
    bag: WorldSnapshot, catalogue: Catalogue, keep: Mapping[str, int], slots: int, *, dear: bool
) -> dict[str, int]:
    """What to put into a chest to have so many slots free, and more where little is lost by it.

    Food goes when nothing else can, and what is `dear` last, if at all."""
    free, chosen = bag.free_slots, dict[str, int]()
    for worth, item, stacks in sorted(_by_worth(bag, catalogue)):
        most = slots if worth else max(slots, ROOMY_SLOTS)
        count = bag.count(item) - keep.get(item, 0)
        if free < most and count > 0 and (dear or not is_dear(item)):
            chosen[item] = count
            free += stacks if item not in keep else stacks - 1
    return chosen


def _by_worth(bag: WorldSnapshot, catalogue: Catalogue) -> Iterator[tuple[int, str, int]]:
    """How unwillingly each item is put away, with the item and its stacks."""
    for item, stacks in Counter(stack.name for stack in bag.items).items():
        facts = catalogue.items.get(item)
        if item in CONTAINERS:
            continue
        if is_wielded_or_worn(item):
            yield 3 + _material(item), item, stacks
        elif is_dear(item):
            yield 2, item, stacks
        else:
            yield int(facts is not None and bool(facts.food)), item, stacks


def _material(item: str) -> int:
    word = item.partition("_")[0]
    return _MATERIALS.index(word) if word in _MATERIALS else len(_MATERIALS)


def rubble(bag: WorldSnapshot, keep: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """What may be thrown away with the count of its first stack, the least worth first.

    Of several stacks of an item the first is the one that is thrown."""
    first: dict[str, int] = {}
    for stack in bag.items:
        first.setdefault(stack.name, stack.count)
    worths = {item: worth for item in first if (worth := _worth(item)) is not None}
    for item in sorted(worths, key=lambda item: (worths[item], first[item])):
        if bag.count(item) - first[item] >= keep.get(item, 0):
            yield item, first[item]


def slots_of_rubble(bag: WorldSnapshot, keep: Mapping[str, int]) -> int:
    """How many slots are free once all of that is thrown away."""
    freed, left = 0, {item: bag.count(item) for item in {stack.name for stack in bag.items}}
    for stack in bag.items:
        if _worth(stack.name) is not None and left[stack.name] - stack.count >= keep.get(
            stack.name, 0
        ):
            left[stack.name] -= stack.count
            freed += 1
    return freed


def _worth(item: str) -> int | None:
    return next((n for n, names in enumerate(_RUBBLE) if re.fullmatch(names, item)), None)
