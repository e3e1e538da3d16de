"""The data of one version of Minecraft, from the npm packages or from the bridge."""

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
    """Items that one piece of each fuel smelts."""
    cooks_to: Mapping[str, str]

    @staticmethod
    def from_folder(packages_dir: Path, version: str) -> GameData:
        """Read the installed npm packages, without Node.

        Raises GameDataError: no such version, or no packages."""
        return _read(packages_dir, version)

    @staticmethod
    def from_bridge(catalogue: Catalogue, book: RecipeBook) -> GameData:
        """From the answers of a connected bot's bridge; the same object for equal answers."""
        answers = (catalogue, book)
        known, data = _last_answers.get(catalogue.version, (None, None))
        if data is None or known != answers:
            data = _of_answers(catalogue, book)
        _last_answers[catalogue.version] = (answers, data)
        return data


_last_answers: dict[str, tuple[tuple[Catalogue, RecipeBook], GameData]] = {}
"""The last answers of each version: each bot asks anew, and the tables made of them are costly."""


def _of_answers(catalogue: Catalogue, book: RecipeBook) -> GameData:
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
