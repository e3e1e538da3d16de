"""`!skill craft`: what is made, at which table, and what is left."""

import pytest
from support.acting import GROUND, Scene, carried, carry_out, play, scenes
from support.rig import Rig

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


@scenes(
    Scene("a pickaxe is made at a table that is walked to",
          '!skill craft {"recipe": "wooden_pickaxe"}',
          {"station": "crafting_table", "tablePlaced": False,
           "table": {"x": 28, "y": GROUND, "z": 8}},
          given={"oak_planks": 3, "stick": 2}, blocks={"crafting_table": [FAR]},
          carried={"wooden_pickaxe": 1}),
    Scene("without any table it says what is needed", "!skill craft wooden_pickaxe",
          {"reason": "no_station", "station": "crafting_table"},
          given={"oak_planks": 3, "stick": 2}, carried={"oak_planks": 3, "stick": 2}),
    Scene("what lacks is named before any walk", "!skill craft wooden_pickaxe",
          {"success": False, "reason": "missing_item", "missing": {"oak_planks": 2, "stick": 2},
           "message": "For 1 wooden_pickaxe there lack 2 oak_planks, 2 stick."},
          given={"oak_planks": 1, "crafting_table": 1}, blocks={"crafting_table": [FAR]},
          stays=True),
    Scene("a misspelt item gets the nearest name", "!skill craft wooden_pikcaxe",
          {"success": False, "reason": "unknown_item"}, says="wooden_pickaxe"),
    Scene("what has no recipe is refused", "!skill craft oak_log",
          {"success": False, "reason": "no_recipe"}),
)  # fmt: skip
async def test_a_craft_is_made_or_refused_with_what_it_lacks(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_a_carried_table_is_put_down_where_none_is_near(rig: Rig) -> None:
    give(rig, oak_planks=3, stick=2, crafting_table=1)
    result = await carry_out(rig, "!skill craft wooden_pickaxe")
    assert (result["tablePlaced"], carried(rig)) == (True, {"wooden_pickaxe": 1})
    table = result["table"]
    assert rig.world.block(Position(table["x"], table["y"], table["z"])) == "crafting_table"
