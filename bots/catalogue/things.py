"""Finds the items of the running version that people's words mean."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bots.catalogue.japanese_words import item_in_japanese
from bots.text import suggest
from bots.text.spelling import plain

SUGGESTED = 3

_GATHERED = {"log": "log", "wood": "log", "tree": "log", "planks": "planks", "ore": "ore"}
"""Words for groups of items any of which will do, with the category that commands accept."""
_OTHERWISE = {
    "cobble": "cobblestone",
    "steak": "cooked_beef",
    "workbench": "crafting_table",
    "table": "crafting_table",
    "iron": "iron_ingot",
    "gold": "gold_ingot",
    "iron_bar": "iron_ingot",
    "wool": "white_wool",
    "plank": "planks",
    "wooden_plank": "planks",
    "wood_plank": "planks",
    "wooden_log": "log",
    "wood_log": "log",
    "seed": "wheat_seeds",
    "pick": "pickaxe",
    "leaf": "leaves",
    "wood": "log",
    "tree": "log",
    "timber": "log",
}
_MATERIALS = {"wood": "wooden", "gold": "golden", "cobblestone": "stone", "cobble": "stone"}
_TREES = frozenset({"oak", "birch", "spruce", "jungle", "acacia", "dark_oak"})
_GEAR = frozenset(
    {
        *("pickaxe", "axe", "shovel", "hoe", "sword"),
        *("helmet", "chestplate", "leggings", "boots"),
    }
)


@dataclass(frozen=True, slots=True)
class Thing:
    """What somebody named: one item, or several any of which may be meant."""

    names: tuple[str, ...]
    """The commonest first."""
    category: str = ""
    """The category that commands accept for all of these; '' = none."""

    @property
    def is_one(self) -> bool:
        return len(self.names) == 1


class Things:
    """The items of a version."""

    def __init__(self, names: AbstractSet[str]) -> None:
        self._names = names

    def __bool__(self) -> bool:
        return bool(self._names)

    def meant(self, words: str) -> Thing | None:
        """The thing of this English or Japanese name; None when there is none."""
        for name in _spellings(item_in_japanese(words) or plain(words)):
            if name in self._names:
                return Thing((name,))
            if category := _GATHERED.get(name):
                return self._kind(category, category)
            if (kind := self._kind(name)) is not None:
                return kind
        return None

    def like(self, words: str) -> list[str]:
        """Items with similar names."""
        return suggest.similar(plain(words), self._names, SUGGESTED)

    def _kind(self, word: str, category: str = "") -> Thing | None:
        found = [n for n in self._names if n.endswith(f"_{word}") and "stripped" not in n]
        if len(found) < 2:
            return None
        return Thing(tuple(sorted(found, key=_commonest_first)), category)


def _spellings(word: str) -> Iterator[str]:
    """A word as it is, then its singular, then its synonyms."""
    singular = [word, word.removesuffix("s"), word.removesuffix("es")]
    for name in dict.fromkeys([*singular, f"{word}s"]):
        first, _, last = name.rpartition("_")
        if last in ("wood", "tree") and first in _TREES:
            yield f"{first}_log"  # few people mean the block with bark on all sides
        if last in _GEAR and first in _MATERIALS:
            yield f"{_MATERIALS[first]}_{last}"
        yield _OTHERWISE.get(name, name)


def _commonest_first(name: str) -> tuple[int, str]:
    common = ("oak_", "wooden_", "stone_", "iron_", "white_")
    return next((n for n, start in enumerate(common) if name.startswith(start)), len(common)), name
