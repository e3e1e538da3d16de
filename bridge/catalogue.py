"""What the connected version of Minecraft knows of its blocks, items and mobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bridge.actions import Query


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """One kind of block, without enchantments."""

    name: str
    hardness: float | None
    """None = it cannot be broken."""
    needs: frozenset[str] | None
    """The tools of which one must be held for anything to drop; None = the hand will do."""
    speeds: Mapping[str, float]
    """How many times faster than by hand, for the tools that help."""
    drops: tuple[str, ...]
    """What may fall out; nothing of it is sure but for the first."""


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """One kind of item."""

    name: str
    stack_size: int
    food: int
    """Food points it restores; 0 = not edible."""
    fuel: float
    """Items that one piece smelts; 0 = does not burn."""
    cooks_to: str | None
    """What a furnace makes of it."""


@dataclass(frozen=True, slots=True)
class MobFacts:
    """One kind of animal or monster."""

    name: str
    """That of the newest version."""
    hostile: bool
    drops: tuple[str, ...]
    """Items that it may leave; empty where the version's data has none of any mob."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    version: str
    blocks: Mapping[str, BlockFacts]
    items: Mapping[str, ItemFacts]
    mobs: Mapping[str, MobFacts]

    def dropping(self, item: str) -> tuple[str, ...]:
        """The blocks that drop an item, those that always do first."""
        sources = [block for block in self.blocks.values() if item in block.drops]
        sources.sort(key=lambda block: block.drops.index(item))
        return tuple(block.name for block in sources)


@dataclass(frozen=True, slots=True)
class ReadCatalogue(Query[Catalogue | None]):
    """All of it; None when the server's version is the `known` one."""

    kind: ClassVar = "read_catalogue"
    known: str = ""


def parse_catalogue(wire: Mapping[str, Any] | None) -> Catalogue | None:
    """The answer of host/queries/read_catalogue.cjs; sets of tools and speeds are numbers in
    its lists of them."""
    if wire is None:
        return None
    tools = [frozenset(names) for names in wire["tools"]]
    speeds: list[Mapping[str, float]] = wire["speeds"]
    blocks = {row[0]: _block(row, tools, speeds) for row in wire["blocks"]}
    items = {row[0]: ItemFacts(*row) for row in wire["items"]}
    mobs = {name: MobFacts(name, hostile, tuple(drops)) for name, hostile, drops in wire["mobs"]}
    return Catalogue(wire["version"], blocks, items, mobs)


def _block(
    row: list[Any], tools: list[frozenset[str]], speeds: list[Mapping[str, float]]
) -> BlockFacts:
    name, hardness, needs, fast, drops = row
    return BlockFacts(
        name=name,
        hardness=hardness,
        needs=None if needs is None else tools[needs],
        speeds={} if fast is None else speeds[fast],
        drops=tuple(drops),
    )
