"""Tables for wood, table, tools, stone, furnace, iron and chest, as in Minecraft 1.16.

Source of hardness, drops, fuels and foods: minecraft.wiki, the pages of each block and item."""

from __future__ import annotations

from bridge.fake.rules import UNBREAKABLE, BlockRule, Recipe, Rules

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
