"""`!skill craft`: what is made, at which table, and what is left."""

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.rig import Rig, run_json

from bridge.world import Position

HERE = Position(8.5, GROUND, 8.5)


NEAR, FAR = (12, GROUND, 8), (28, GROUND, 8)


def give(rig: Rig, **items: int) -> None:
    for item, count in items.items():
        rig.world.give("Alice", item, count)


@pytest.mark.parametrize("name", ["craft", "craftItem", "hand_craft", "workbench_craft"])
async def test_planks_are_made_by_hand(rig: Rig, name: str) -> None:
    give(rig, oak_log=2)
    result = await carry_out(rig, f"!skill {name} oak_planks 5")
    assert result == {
        "success": True,
        "itemName": "oak_planks",
        "count": 5,
        "made": 8,
        "have": 8,
        "station": "hand",
        "table": None,
        "tablePlaced": False,
        "message": "Made 8 oak_planks, now 8.",
    }
    assert carried(rig) == {"oak_planks": 8}


async def test_a_pickaxe_is_made_at_a_table_that_is_walked_to(rig: Rig) -> None:
    give(rig, oak_planks=3, stick=2)
    put(rig, "crafting_table", FAR)
    result = await carry_out(rig, '!skill craft {"recipe": "wooden_pickaxe"}')
    assert (result["station"], result["tablePlaced"]) == ("crafting_table", False)
    assert result["table"] == {"x": 28, "y": GROUND, "z": 8}
    assert carried(rig) == {"wooden_pickaxe": 1}


async def test_a_carried_table_is_put_down_where_none_is_near(rig: Rig) -> None:
    give(rig, oak_planks=3, stick=2, crafting_table=1)
    result = await carry_out(rig, "!skill craft wooden_pickaxe")
    assert (result["tablePlaced"], carried(rig)) == (True, {"wooden_pickaxe": 1})
    table = result["table"]
    assert rig.world.block(Position(table["x"], table["y"], table["z"])) == "crafting_table"


async def test_without_any_table_it_says_what_is_needed(rig: Rig) -> None:
    give(rig, oak_planks=3, stick=2)
    result = await carry_out(rig, "!skill craft wooden_pickaxe")
    assert (result["reason"], result["station"]) == ("no_station", "crafting_table")
    assert carried(rig) == {"oak_planks": 3, "stick": 2}


async def test_what_lacks_is_named_before_any_walk(rig: Rig) -> None:
    give(rig, oak_planks=1, crafting_table=1)
    put(rig, "crafting_table", FAR)
    result = await carry_out(rig, "!skill craft wooden_pickaxe")
    assert (result["success"], result["reason"]) == (False, "missing_item")
    assert result["missing"] == {"oak_planks": 2, "stick": 2}
    assert result["message"] == "For 1 wooden_pickaxe there lack 2 oak_planks, 2 stick."
    assert rig.world.body("Alice").position == HERE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!skill craft wooden_pikcaxe", "unknown_item"),
        ("!skill craft oak_log", "no_recipe"),
        ("!skill smelt moon_cheese", "unknown_item"),
        ("!skill smelt apple", "not_smeltable"),
        ('!skill smelt {"input": "iron_ore", "output": "gold_ingot"}', "not_smeltable"),
    ],
)
async def test_what_cannot_be_made_is_refused(rig: Rig, text: str, reason: str) -> None:
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)


async def test_a_misspelt_item_gets_the_nearest_name(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!skill craft wooden_pikcaxe")
    assert result["nearest"][0] == "wooden_pickaxe"
