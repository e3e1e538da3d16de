"""Requests of Steve to Alice, as the rules read them."""

from typing import Any, TypeAlias

from support.moments import WORLD

from bots.catalogue.names import Things
from bots.responder.rules.requests import Ask, Reading, read

Asked: TypeAlias = list[tuple[str, dict[str, Any]]]
"""Commands with their fields."""

_TREES = ("oak", "birch", "spruce", "jungle", "acacia", "dark_oak")
_MATERIALS = ("wooden", "stone", "iron", "golden", "diamond")
_GEAR = ("pickaxe", "axe", "shovel", "hoe", "sword")
ITEMS = frozenset(
    {
        *(f"{tree}_{part}" for tree in _TREES for part in ("log", "planks", "wood", "sapling")),
        *(f"{material}_{gear}" for material in _MATERIALS for gear in _GEAR),
        *("stick", "torch", "cobblestone", "stone", "dirt", "sand", "gravel", "coal", "charcoal"),
        *("iron_ingot", "gold_ingot", "raw_iron", "iron_ore", "coal_ore", "gold_ore", "diamond"),
        *("crafting_table", "furnace", "chest", "bread", "apple", "cooked_beef", "beef", "glass"),
        *("bucket", "flint", "flint_and_steel", "white_wool", "red_wool", "white_bed", "red_bed"),
        *("wheat", "wheat_seeds", "bow", "arrow", "shield", "ladder", "iron_helmet", "iron_boots"),
        *("stripped_oak_log", "oak_leaves", "birch_leaves", "golden_apple"),
    }
)
NEAR_ME = {"coords": [6, 64, -12], "range": 2}
"""Where Steve stands."""


def reading_of(*lines: str) -> Reading:
    return read(Ask("Alice", "Steve", Things(ITEMS), WORLD), lines)


def asked(*lines: str) -> Asked:
    return [(one.command, dict(one.fields)) for one in reading_of(*lines).requests]


def goal(wanted: str) -> Asked:
    return [("goal", {"goal": f"inventory.{wanted}"})]


def hand(item: str, count: int, to: str = "Steve") -> tuple[str, dict[str, Any]]:
    return "navigation dropItem", {"itemName": item, "count": count, "targetPlayer": to}


COME = [("navigation gotoCoords", NEAR_ME)]
FOLLOW = [("navigation follow", {"username": "Steve"})]
STAY: Asked = [("navigation stopFollow", {})]
STOP: Asked = [("stop", {})]
DOING: Asked = [("status", {})]
HOME = [("navigation goto", {"name": "home"})]
EAT: Asked = [("skill eat", {})]
PICK_UP: Asked = [("skill collectDrops", {})]
