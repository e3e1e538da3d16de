"""The data of one version of Minecraft, from the bridge or, without Node, from npm packages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bots.errors import GameDataError
from bridge.catalogue import BlockFacts, Catalogue, CraftingRecipe, RecipeBook, Shape
from bridge.vanilla import FURNACE, corrected
from bridge.world import ItemStack

_DATA = Path("node_modules/minecraft-data/minecraft-data/data")
_FIRST_LOOT = "pc/1.14.4"
_RELEASE = re.compile(r"\d+(\.\d+)+")
_FLUID = re.compile(r"(flowing_)?(water|lava)|bubble_column")
_SHEARED = re.compile(
    r".*_leaves|grass|short_grass|tall_grass|fern|large_fern|vine|seagrass|dead_bush"
)
"""Blocks the data lists as dropping themselves, though only shears make them."""
_HAND_CELLS = 2
_last_answers: dict[str, tuple[tuple[Catalogue, RecipeBook], GameData]] = {}
"""The last answers of each version: each bot asks anew, and the tables made of them are costly."""


@dataclass(frozen=True, slots=True)
class MinecraftData:
    """The files of one version."""

    folder: Path
    paths: Mapping[str, str]
    """The folder of each kind of file; versions share them."""
    item_names: Mapping[int, str]

    @classmethod
    def of(cls, packages_dir: Path, version: str) -> MinecraftData:
        """Raises GameDataError."""
        folder = packages_dir / _DATA
        known = _json(folder / "dataPaths.json")["pc"]
        whole = {name: paths for name, paths in known.items() if "recipes" in paths}
        # Releases of the same protocol are alike: 1.21.7 is 1.21.8 to a client.
        versions = _json(folder / "pc/common/protocolVersions.json")
        protocols = {row["minecraftVersion"]: row["version"] for row in versions}
        wanted = protocols.get(version)
        alike = [name for name, number in protocols.items() if number == wanted is not None]
        name = next((name for name in (version, *alike) if name in whole), None)
        if name is None:
            names = [name for name in whole if _RELEASE.fullmatch(name)]
            raise GameDataError(
                f"Minecraft {version!r} is not a version with data. Known: {', '.join(names)}."
            )
        paths: Mapping[str, str] = whole[name]
        rows = _json(folder / paths["items"] / "items.json")
        return cls(folder, paths, {row["id"]: row["name"] for row in rows})

    def items(self) -> frozenset[str]:
        return frozenset(self.item_names.values()) - {"air"}

    def blocks(self) -> dict[str, BlockFacts]:
        materials = {
            name: {self.item_names.get(int(tool), tool): speed for tool, speed in speeds.items()}
            for name, speeds in self._file("materials").items()
        }
        told = self.paths.get("blockLoot") or (_FIRST_LOOT if self._is_1_13 else None)
        loot_rows = _json(self.folder / told / "blockLoot.json") if told else []
        loot = {row["block"]: row["drops"] for row in loot_rows}
        rows = corrected(self._file("blocks"), materials)
        return {row["name"]: self._block(row, materials, loot) for row in rows}

    def recipes(self) -> tuple[CraftingRecipe, ...]:
        """Every variant once, in the shape the bridge returns."""
        rows = (row for group in self._file("recipes").values() for row in group)
        found = (self._recipe(row) for row in rows)
        return tuple({repr(recipe): recipe for recipe in found if recipe is not None}.values())

    def _file(self, kind: str) -> Any:
        return _json(self.folder / self.paths[kind] / f"{kind}.json")

    @property
    def _is_1_13(self) -> bool:
        """Whether the data names kinds, as since 1.13, but not what falls, as since 1.14."""
        return "blockLoot" not in self.paths and "grass_block" in self.item_names.values()

    def _block(
        self,
        row: Mapping[str, Any],
        materials: Mapping[str, Mapping[str, float]],
        loot: Mapping[str, list[dict[str, Any]]],
    ) -> BlockFacts:
        name, tools = row["name"], row.get("harvestTools")
        unsaid = (
            [name]
            if self._is_1_13
            else [self.item_names.get(_id(drop), "") for drop in row["drops"]]
        )
        listed = self._falling(name, loot[name]) if name in loot else unsaid
        known = self.items()
        hardness = row["hardness"]
        unbreakable = not row["diggable"] or _FLUID.fullmatch(row["name"])
        return BlockFacts(
            name=name,
            hardness=None if unbreakable or hardness is None or hardness < 0 else hardness,
            needs=None
            if tools is None
            else frozenset(
                self.item_names[int(tool)] for tool in tools if int(tool) in self.item_names
            ),
            speeds=materials.get(row["material"], {}),
            drops=tuple(dict.fromkeys(item for item in listed if item in known)),
        )

    def _falling(self, block: str, rows: list[dict[str, Any]]) -> list[str]:
        """What may drop, the likeliest first; the block itself counts as likelier."""
        fit = [
            row
            for row in rows
            if not row.get("silkTouch") and not (row["item"] == block and _SHEARED.fullmatch(block))
        ]
        fit.sort(key=lambda row: -(row["dropChance"] + (row["item"] == block)))
        return [row["item"] for row in fit]

    def _recipe(self, row: dict[str, Any]) -> CraftingRecipe | None:
        shape = self._shape(row["inShape"]) if row.get("inShape") else None
        cells = [cell for line in shape for cell in line if cell] if shape else []
        loose = [self.item_names.get(_id(one), "") for one in row.get("ingredients") or ()]
        made = self.item_names.get(_id(row["result"]))
        if made is None or "" in loose:
            return None
        return CraftingRecipe(
            makes=ItemStack(made, row["result"].get("count", 1)),
            inputs=_stacks([*cells, *loose]),
            returns=_stacks(
                [c for line in self._shape(row.get("outShape") or []) for c in line if c]
            ),
            at_table=(len(shape) > _HAND_CELLS or any(len(line) > _HAND_CELLS for line in shape))
            if shape
            else len(loose) > _HAND_CELLS**2,
            shape=shape,
        )

    def _shape(self, rows: list[list[Any]]) -> Shape:
        return tuple(
            tuple(None if cell is None else self.item_names.get(_id(cell)) for cell in line)
            for line in rows
        )


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        sentence = f"The data of Minecraft's versions is not installed (looked for {path})."
        raise GameDataError(sentence) from None


def _id(drop: Any) -> int:
    """An item's number: the data writes it bare, with a count, or with a variant."""
    if isinstance(drop, list):
        return _id(drop[0])
    if isinstance(drop, dict):
        return _id(drop["drop"] if "drop" in drop else drop["id"])
    return -1 if drop is None else int(drop)


def _stacks(names: list[str]) -> tuple[ItemStack, ...]:
    return tuple(ItemStack(name, count) for name, count in Counter(names).items())


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
    @lru_cache(maxsize=4)
    def from_folder(packages_dir: Path, version: str) -> GameData:
        """Read the installed npm packages, without Node.

        Raises GameDataError: no such version, or no packages."""
        data = MinecraftData.of(packages_dir, version)
        items, cooked = data.items(), FURNACE.cooks_to.items()
        return GameData(
            version=version,
            blocks=data.blocks(),
            items=items,
            recipes=data.recipes(),
            fuels={name: burnt for name, burnt in FURNACE.fuels.items() if name in items},
            cooks_to={raw: made for raw, made in cooked if raw in items and made in items},
        )

    @staticmethod
    def from_bridge(catalogue: Catalogue, book: RecipeBook) -> GameData:
        """From the answers of a connected bot's bridge; the same object for equal answers."""
        answers = (catalogue, book)
        known, data = _last_answers.get(catalogue.version, (None, None))
        if data is None or known != answers:
            items = catalogue.items
            data = GameData(
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
        _last_answers[catalogue.version] = (answers, data)
        return data
