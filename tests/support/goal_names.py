"""The names of a small made-up version, for tests that only look names up."""

from dataclasses import dataclass

ITEMS = (
    *("stick", "torch", "stone", "redstone", "coal_ore", "crafting_table"),
    *("oak_log", "birch_log", "spruce_log", "oak_planks", "birch_planks"),
    *("iron_pickaxe", "stone_pickaxe", "iron_helmet", "gold_helmet"),
)
BLOCKS = ("torch", "stone", "oak_log", "crafting_table", "redstone_wire")


@dataclass(frozen=True)
class FewNames:
    version: str = "1.16.5"
    items: frozenset[str] = frozenset(ITEMS)
    blocks: frozenset[str] = frozenset(BLOCKS)
    animals: frozenset[str] = frozenset({"cow"})


NAMES = FewNames()
