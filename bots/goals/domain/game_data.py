"""What is known of one version of Minecraft, wherever it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bots.goals.domain.minecraft_data import MinecraftData
from bridge.catalogue import BlockFacts, Catalogue
from bridge.recipes import CraftingRecipe, RecipeBook
from bridge.vanilla.furnace import FURNACE


@dataclass(frozen=True, slots=True, eq=False)
class GameData:
    """Blocks, items, recipes, fuels and what a furnace cooks."""

    version: str
    blocks: Mapping[str, BlockFacts]
    items: frozenset[str]
    recipes: tuple[CraftingRecipe, ...]
    fuels: Mapping[str, float]
    """Items that one piece smelts."""
    cooks_to: Mapping[str, str]

    @staticmethod
    def from_folder(packages_dir: Path, version: str) -> GameData:
        """Read from the npm packages installed there, without Node.

        Raises GameDataError: no such version, or no packages."""
        return _read(packages_dir, version)

    @staticmethod
    def from_bridge(catalogue: Catalogue, book: RecipeBook) -> GameData:
        """What the connected bot's world says of itself; the same object for equal answers."""
        answers = (catalogue, book)
        known, data = _told.get(catalogue.version, (None, None))
        if data is None or known != answers:
            data = _put_together(catalogue, book)
        _told[catalogue.version] = (answers, data)
        return data


_told: dict[str, tuple[tuple[Catalogue, RecipeBook], GameData]] = {}
"""The last answers of each version. Every bot has its own, and what is made of them is dear."""


def _put_together(catalogue: Catalogue, book: RecipeBook) -> GameData:
    items = catalogue.items
    return GameData(
        version=catalogue.version,
        blocks=catalogue.blocks,
        items=frozenset(items) - {"air"},
        recipes=book.recipes,
        fuels={name: facts.fuel for name, facts in items.items() if facts.fuel},
        cooks_to={
            name: facts.cooks_to
            for name, facts in items.items()
            if facts.cooks_to and facts.cooks_to in items
        },
    )


@lru_cache(maxsize=4)
def _read(packages_dir: Path, version: str) -> GameData:
    data = MinecraftData.of(packages_dir, version)
    items = data.items()
    return GameData(
        version=version,
        blocks=data.blocks(),
        items=items,
        recipes=data.recipes(),
        fuels={name: burnt for name, burnt in FURNACE.fuels.items() if name in items},
        cooks_to={
            raw: made for raw, made in FURNACE.cooks_to.items() if raw in items and made in items
        },
    )
