"""What the simulated world knows about items and blocks: small tables, meant to be extended.

rules = VANILLA.adding(recipes=[Recipe("bread", {"wheat": 3}, at_table=True)],
                       foods={"bread": 5})
world = FakeWorld(rules=rules)

`VANILLA` has wood, table, tools, stone, furnace, iron and chest, as in Minecraft 1.16. Source of
hardness, drops, fuels and foods: minecraft.wiki, the pages of each block and item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
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
        if is_tool(item) or worn_on(item):
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


def is_tool(item: str) -> bool:
    return item.rpartition("_")[2] in {"pickaxe", "axe", "shovel", "hoe", "sword"}


def worn_on(item: str) -> str | None:
    """The body part an item is worn on, if any."""
    parts = {"helmet": "head", "chestplate": "torso", "leggings": "legs", "boots": "feet"}
    return parts.get(item.rpartition("_")[2])


def _harvests(rule: BlockRule, tool: str | None) -> bool:
    material, _, kind = (tool or "").rpartition("_")
    return kind == rule.tool and TIER_OF.get(material, -1) >= (rule.tier or 0)


def _tools() -> tuple[Recipe, ...]:
    return tuple(
        Recipe(f"{name}_{tool}", {material: heads, "stick": sticks}, at_table=True)
        for name, material in _MATERIALS.items()
        for tool, (heads, sticks) in _TOOL_PARTS.items()
    )


def _armour() -> tuple[Recipe, ...]:
    return tuple(
        Recipe(f"{name}_{part}", {_MATERIALS[name]: pieces}, at_table=True)
        for name in ("iron", "golden", "diamond")
        for part, pieces in _ARMOUR_PARTS.items()
    )


_RECIPES = (
    *(Recipe(f"{wood}_planks", {f"{wood}_log": 1}, count=4) for wood in WOODS),
    *(Recipe(f"{wood}_boat", {f"{wood}_planks": 5}, at_table=True) for wood in WOODS),
    *(Recipe(f"{wood}_door", {f"{wood}_planks": 6}, count=3, at_table=True) for wood in WOODS),
    Recipe("white_bed", {"white_wool": 3, "#planks": 3}, at_table=True),
    Recipe("stick", {"#planks": 2}, count=4),
    Recipe("crafting_table", {"#planks": 4}),
    Recipe("torch", {"#coals": 1, "stick": 1}, count=4),
    Recipe("chest", {"#planks": 8}, at_table=True),
    Recipe("furnace", {"cobblestone": 8}, at_table=True),
    Recipe("ladder", {"stick": 7}, count=3, at_table=True),
    Recipe("bucket", {"iron_ingot": 3}, at_table=True),
    Recipe("shears", {"iron_ingot": 2}),
    Recipe("bread", {"wheat": 3}, at_table=True),
    Recipe("fishing_rod", {"stick": 3, "string": 2}, at_table=True),
    Recipe("iron_block", {"iron_ingot": 9}, at_table=True),
    Recipe("iron_ingot", {"iron_block": 1}, count=9),
    *_tools(),
    *_armour(),
)

_BLOCKS = {
    **{name: BlockRule(2.0, "axe") for name in (*LOGS, *PLANKS)},
    **{f"{wood}_leaves": BlockRule(0.2, drops={}) for wood in WOODS},
    **{f"{wood}_door": BlockRule(3.0, "axe") for wood in WOODS},
    **dict.fromkeys(("white_bed", "red_bed"), BlockRule(0.2)),
    "grass_block": BlockRule(0.6, "shovel", drops={"dirt": 1}),
    "dirt": BlockRule(0.5, "shovel"),
    "sand": BlockRule(0.5, "shovel"),
    "gravel": BlockRule(0.6, "shovel"),
    "stone": BlockRule(1.5, "pickaxe", tier=0, drops={"cobblestone": 1}),
    "cobblestone": BlockRule(2.0, "pickaxe", tier=0),
    "coal_ore": BlockRule(3.0, "pickaxe", tier=0, drops={"coal": 1}),
    "iron_ore": BlockRule(3.0, "pickaxe", tier=1),
    "gold_ore": BlockRule(3.0, "pickaxe", tier=2),
    "diamond_ore": BlockRule(3.0, "pickaxe", tier=2, drops={"diamond": 1}),
    "redstone_ore": BlockRule(3.0, "pickaxe", tier=2, drops={"redstone": 4}),
    "obsidian": BlockRule(50.0, "pickaxe", tier=3),
    "iron_block": BlockRule(5.0, "pickaxe", tier=1),
    "crafting_table": BlockRule(2.5, "axe"),
    "chest": BlockRule(2.5, "axe"),
    "furnace": BlockRule(3.5, "pickaxe", tier=0),
    "ice": BlockRule(0.5, "pickaxe", drops={}),
    "torch": BlockRule(0.0),
    "ladder": BlockRule(0.4, "axe"),
    "bedrock": BlockRule(UNBREAKABLE),
    "water": BlockRule(UNBREAKABLE),
    "lava": BlockRule(UNBREAKABLE),
}

VANILLA = Rules(
    recipes=_RECIPES,
    blocks=_BLOCKS,
    categories={"planks": PLANKS, "logs": LOGS, "coals": ("coal", "charcoal")},
    foods={
        "apple": 4,
        "bread": 5,
        "beef": 3,
        "cooked_beef": 8,
        "porkchop": 3,
        "cooked_porkchop": 8,
        "chicken": 2,
        "cooked_chicken": 6,
        "carrot": 3,
        "potato": 1,
        "baked_potato": 5,
    },
    fuels={
        "coal": 8.0,
        "charcoal": 8.0,
        "stick": 0.5,
        "lava_bucket": 100.0,
        **dict.fromkeys((*LOGS, *PLANKS), 1.5),
    },
    smelting={
        "iron_ore": "iron_ingot",
        "gold_ore": "gold_ingot",
        "sand": "glass",
        "cobblestone": "stone",
        "beef": "cooked_beef",
        "porkchop": "cooked_porkchop",
        "chicken": "cooked_chicken",
        "potato": "baked_potato",
        **dict.fromkeys(LOGS, "charcoal"),
    },
    stack_sizes={
        "bucket": 16,
        "lava_bucket": 1,
        "water_bucket": 1,
        "shears": 1,
        "fishing_rod": 1,
        "egg": 16,
        "milk_bucket": 1,
    }
    | {f"{wood}_boat": 1 for wood in WOODS},
    items=frozenset(
        {
            *("wheat", "wheat_seeds", "egg", "string", "feather", "leather", "bone"),
            *("beef", "porkchop", "mutton", "chicken", "white_wool"),
            *("cod", "salmon", "pufferfish", "tropical_fish"),
            *("milk_bucket", "water_bucket", "lava_bucket", "flint", "apple", "oak_sapling"),
        }
    ),
)
