"""What the simulated world knows about items and blocks: small tables, meant to be extended.

rules = VANILLA.adding(recipes=[Recipe("bread", {"wheat": 3}, at_table=True)],
                       foods={"bread": 5})
world = FakeWorld(rules=rules)

`VANILLA` has wood, table, tools, stone, furnace, iron and chest, as rules.toml tells them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

UNBREAKABLE = float("inf")
STACK_SIZE = 64
SPEED_OF = {"wooden": 2.0, "stone": 4.0, "iron": 6.0, "diamond": 8.0, "golden": 12.0}
TIER_OF = {"wooden": 0, "golden": 0, "stone": 1, "iron": 2, "diamond": 3}

WOODS = ("oak", "spruce", "birch", "jungle", "acacia", "dark_oak")
LOGS = tuple(f"{wood}_log" for wood in WOODS)
PLANKS = tuple(f"{wood}_planks" for wood in WOODS)
_MATERIALS = {
    "wooden": "#planks",
    "stone": "cobblestone",
    "iron": "iron_ingot",
    "golden": "gold_ingot",
    "diamond": "diamond",
}
_TOOL_PARTS = {
    "pickaxe": (3, 2),
    "axe": (3, 2),
    "shovel": (1, 2),
    "sword": (2, 1),
    "hoe": (2, 2),
}
_ARMOUR_PARTS = {"helmet": 5, "chestplate": 8, "leggings": 7, "boots": 4}


@dataclass(frozen=True, slots=True)
class Recipe:
    """`count` items made from `needs`; a need `#planks` takes any item of that category."""

    makes: str
    needs: Mapping[str, int]
    count: int = 1
    at_table: bool = False


@dataclass(frozen=True, slots=True)
class BlockRule:
    """How a block breaks: vanilla hardness, the tool that speeds it up, what falls out."""

    hardness: float
    tool: str | None = None
    """`pickaxe`, `axe`, `shovel`; None = the bare hand is as good."""
    tier: int | None = None
    """Least tool tier that makes it drop (0 wood, 1 stone, 2 iron); None = always drops."""
    drops: Mapping[str, int] | None = None
    """None = the block itself."""


@dataclass(frozen=True, slots=True)
class Rules:
    """All tables; make a richer one with `adding`."""

    recipes: tuple[Recipe, ...] = ()
    blocks: Mapping[str, BlockRule] = field(default_factory=dict)
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    foods: Mapping[str, int] = field(default_factory=dict)
    """Food points restored."""
    fuels: Mapping[str, float] = field(default_factory=dict)
    """Items smelted by one piece."""
    smelting: Mapping[str, str] = field(default_factory=dict)
    stack_sizes: Mapping[str, int] = field(default_factory=dict)
    """Where they differ from 64; tools and armour are 1 without being named."""
    items: frozenset[str] = frozenset()
    """Items known besides those the other tables name."""

    def adding(self, *, recipes: Iterable[Recipe] = (), **tables: Any) -> Rules:
        """These rules plus more: mappings are merged, recipes and items appended."""
        merged = {name: self._merge(name, more) for name, more in tables.items()}
        return replace(self, recipes=(*self.recipes, *recipes), **merged)

    def _merge(self, name: str, more: Any) -> Any:
        mine = getattr(self, name)
        return mine | frozenset(more) if isinstance(mine, frozenset) else {**mine, **more}

    def knows(self, item: str) -> bool:
        return item in self.names

    @property
    def names(self) -> frozenset[str]:
        """Every item there is."""
        dropped = {d for rule in self.blocks.values() for d in rule.drops or ()}
        made = {recipe.makes for recipe in self.recipes}
        tables = (self.blocks, self.foods, self.fuels, self.smelting, self.smelting.values())
        return self.items | made | dropped | {name for table in tables for name in table}

    def stack_size(self, item: str) -> int:
        if item.rpartition("_")[2] in _TOOL_PARTS or worn_on(item):
            return 1
        return self.stack_sizes.get(item, STACK_SIZE)

    def block(self, name: str) -> BlockRule:
        """The rule of a block; an unknown one breaks by hand and drops itself."""
        return self.blocks.get(name, BlockRule(1.0))

    def recipes_for(self, item: str) -> tuple[Recipe, ...]:
        return tuple(recipe for recipe in self.recipes if recipe.makes == item)

    def choices(self, need: str) -> tuple[str, ...]:
        """The items that satisfy one need of a recipe."""
        return self.categories[need[1:]] if need.startswith("#") else (need,)

    def drops(self, block: str, tool: str | None) -> Mapping[str, int]:
        """What breaking a block with a tool in hand leaves; empty = nothing."""
        rule = self.block(block)
        if rule.tier is not None and not _harvests(rule, tool):
            return {}
        if rule.drops is None or (tool == "shears" and block.endswith("_leaves")):
            return {block: 1}
        return rule.drops

    def dig_seconds(self, block: str, tool: str | None) -> float:
        """Source: minecraft.wiki/w/Breaking, without enchantments and effects."""
        rule = self.block(block)
        slowness = 1.5 if rule.tier is None or _harvests(rule, tool) else 5.0
        material, _, kind = (tool or "").rpartition("_")
        speed = SPEED_OF.get(material, 1.0) if kind == rule.tool else 1.0
        return rule.hardness * slowness / speed


def worn_on(item: str) -> str | None:
    """The body part an item is worn on, if any."""
    parts = {"helmet": "head", "chestplate": "torso", "leggings": "legs", "boots": "feet"}
    return parts.get(item.rpartition("_")[2])


def _harvests(rule: BlockRule, tool: str | None) -> bool:
    material, _, kind = (tool or "").rpartition("_")
    return kind == rule.tool and TIER_OF.get(material, -1) >= (rule.tier or 0)


_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _of_each_wood(table: str) -> dict[str, Any]:
    """A table of rules.toml, with the rows for each wood written out."""
    rows: dict[str, Any] = {}
    for name, row in _TOLD[table].items():
        needs = row.get("needs") if isinstance(row, dict) else None
        for wood in WOODS if "{wood}" in name else ("",):
            written = row
            if needs is not None:
                named = {item.replace("{wood}", wood): count for item, count in needs.items()}
                written = {**row, "needs": named}
            rows[name.replace("{wood}", wood)] = written
    return rows


VANILLA = Rules(
    recipes=(
        *(Recipe(makes, **row) for makes, row in _of_each_wood("recipes").items()),
        *(
            Recipe(f"{name}_{tool}", {material: heads, "stick": sticks}, at_table=True)
            for name, material in _MATERIALS.items()
            for tool, (heads, sticks) in _TOOL_PARTS.items()
        ),
        *(
            Recipe(f"{name}_{part}", {_MATERIALS[name]: pieces}, at_table=True)
            for name in ("iron", "golden", "diamond")
            for part, pieces in _ARMOUR_PARTS.items()
        ),
    ),
    blocks={name: BlockRule(**row) for name, row in _of_each_wood("blocks").items()},
    categories={"planks": PLANKS, "logs": LOGS, "coals": ("coal", "charcoal")},
    foods=_of_each_wood("foods"),
    fuels=_of_each_wood("fuels"),
    smelting=_of_each_wood("smelting"),
    stack_sizes=_of_each_wood("stack_sizes"),
    items=frozenset(
        {
            *("wheat", "wheat_seeds", "egg", "string", "feather", "leather", "bone"),
            *("beef", "porkchop", "mutton", "chicken", "white_wool"),
            *("cod", "salmon", "pufferfish", "tropical_fish"),
            *("milk_bucket", "water_bucket", "lava_bucket", "flint", "apple", "oak_sapling"),
        }
    ),
)
