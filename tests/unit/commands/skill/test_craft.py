"""`!skill craft | smelt`: what is made, where, of what, and what is left."""

from support.acting import GROUND, Scene, carried, carry_out, give, play, put, scenes
from support.rig import Rig

from bridge.world import Position

NEAR, FAR = (12, GROUND, 8), (28, GROUND, 8)


@scenes(
    *(Scene(f"planks are made by hand: {name}", f"!skill {name} oak_planks 5",
            {"success": True, "itemName": "oak_planks", "count": 5, "made": 8, "have": 8,
             "station": "hand", "table": None, "tablePlaced": False,
             "message": "Made 8 oak_planks, now 8."},
            whole=True, given={"oak_log": 2}, carried={"oak_planks": 8})
      for name in ("craft", "craftItem", "hand_craft", "workbench_craft")),
    Scene("a pickaxe is made at a table that is walked to",
          '!skill craft {"recipe": "wooden_pickaxe"}',
          {"station": "crafting_table", "tablePlaced": False,
           "table": {"x": 28, "y": GROUND, "z": 8}},
          given={"oak_planks": 3, "stick": 2}, blocks={"crafting_table": [FAR]},
          carried={"wooden_pickaxe": 1}),
    Scene("without any table it says what is needed", "!skill craft wooden_pickaxe",
          {"success": False, "reason": "no_station", "station": "crafting_table"},
          given={"oak_planks": 3, "stick": 2}, carried={"oak_planks": 3, "stick": 2}),
    Scene("what lacks is named before any walk", "!skill craft wooden_pickaxe",
          {"success": False, "reason": "missing_item", "missing": {"oak_planks": 2, "stick": 2},
           "message": "For 1 wooden_pickaxe there lack 2 oak_planks, 2 stick."},
          given={"oak_planks": 1, "crafting_table": 1}, blocks={"crafting_table": [FAR]},
          stays=True),
    Scene("a misspelt item gets the nearest name", "!skill craft wooden_pikcaxe",
          {"success": False, "reason": "unknown_item",
           "nearest": ["wooden_pickaxe", "wooden_axe", "golden_pickaxe"]}),
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


# --- !skill smelt ---------------------------------------------------------------------


IRON = {"iron_ore": 1, "coal": 1}


@scenes(
    Scene("iron, with an account of the fuel", '!skill smelt {"itemName": "iron_ore", "count": 3}',
          {"success": True, "itemName": "iron_ore", "product": "iron_ingot", "count": 3, "made": 3,
           "fuelUsed": {"coal": 1}, "furnace": {"x": 12, "y": GROUND, "z": 8},
           "furnacePlaced": False, "message": "Made 3 iron_ingot; burnt 1 coal."},
          whole=True, given={"iron_ore": 3, "coal": 2}, blocks={"furnace": [NEAR]},
          carried={"coal": 1, "iron_ingot": 3}),
    Scene("several fuels in turn when one is not enough", "!skill smelt iron_ore 4",
          {"made": 4, "fuelUsed": {"stick": 4, "oak_planks": 2}}, blocks={"furnace": [NEAR]},
          given={"iron_ore": 4, "stick": 4, "oak_planks": 2},
          carried={"iron_ingot": 4}),
    Scene("a carried furnace is put down", "!skill furnace_smelt sand",
          {"product": "glass", "furnacePlaced": True},
          given={"sand": 1, "stick": 2, "furnace": 1}, carried={"glass": 1}),
    Scene("too little fuel is told before anything burns", "!skill smelt iron_ore 4",
          {"success": False, "reason": "missing_fuel", "enoughFor": 1},
          given={"iron_ore": 4, "stick": 2},
          blocks={"furnace": [NEAR]}, carried={"iron_ore": 4, "stick": 2}),
    Scene("more than is carried", "!skill smelt iron_ore 2",
          {"success": False, "reason": "missing_item"}, given=IRON, carried=IRON),
    Scene("fuel that does not burn", '!skill smelt {"itemName": "iron_ore", "fuel": "apple"}',
          {"success": False, "reason": "not_fuel"}, given=IRON, carried=IRON),
    Scene("no furnace", "!skill smelt iron_ore", {"success": False, "reason": "no_station"},
          given=IRON, carried=IRON),
    Scene("a thing that does not exist", "!skill smelt moon_cheese",
          {"success": False, "reason": "unknown_item"}),
    Scene("a thing that cannot be smelted", "!skill smelt apple",
          {"success": False, "reason": "not_smeltable"}),
    Scene("a product it does not give",
          '!skill smelt {"input": "iron_ore", "output": "gold_ingot"}',
          {"success": False, "reason": "not_smeltable"}),
)  # fmt: skip
async def test_smelting_burns_no_more_than_it_needs_or_says_why_not(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_what_is_to_be_cooked_is_not_burnt(rig: Rig) -> None:
    give(rig, oak_log=4)
    put(rig, "furnace", NEAR)
    result = await carry_out(rig, "!skill smelt oak_log 2")
    assert (result["product"], result["fuelUsed"]) == ("charcoal", {"oak_log": 2})
    assert carried(rig) == {"charcoal": 2}
    give(rig, oak_log=2)
    again = await carry_out(rig, '!skill smelt {"itemName": "oak_log", "count": 2, "fuel": "log"}')
    assert again["reason"] == "unknown_item"
    short = await carry_out(rig, '!skill smelt {"item": "oak_log", "count": 2, "fuel": "oak_log"}')
    assert (short["reason"], short["enoughFor"]) == ("missing_fuel", 0)


async def test_no_more_fuel_is_burnt_than_was_allowed(rig: Rig) -> None:
    give(rig, iron_ore=9, coal=4)
    put(rig, "furnace", NEAR)
    order = '{"input": "iron_ore", "count": 9, "fuel": "coal", "output": "iron_ingot"'
    refused = await carry_out(rig, f'!skill furnace_smelt {order}, "fuel_count": 1}}')
    assert (refused["reason"], refused["enoughFor"]) == ("missing_fuel", 8)
    why = "For 9 to cook, the coal carried, at most 1 of it, is enough for 8."
    assert refused["message"] == why
    assert carried(rig) == {"iron_ore": 9, "coal": 4}
    done = await carry_out(rig, f'!skill furnace_smelt {order}, "fuel_count": 2}}')
    assert (done["made"], done["fuelUsed"], carried(rig)["coal"]) == (9, {"coal": 2}, 2)


async def test_what_is_allowed_counts_over_all_fuels(rig: Rig) -> None:
    give(rig, iron_ore=4, stick=4, oak_planks=2)
    put(rig, "furnace", NEAR)
    refused = await carry_out(rig, '!skill smelt {"item": "iron_ore", "count": 4, "fuelCount": 3}')
    assert (refused["reason"], refused["enoughFor"]) == ("missing_fuel", 3)
    done = await carry_out(rig, '!skill smelt {"item": "iron_ore", "count": 4, "fuelCount": 4}')
    assert (done["made"], done["fuelUsed"]) == (4, {"oak_planks": 2, "stick": 2})


async def test_tools_and_chests_are_not_burnt_unless_named(rig: Rig) -> None:
    give(rig, iron_ore=1, lava_bucket=1)
    put(rig, "furnace", NEAR)
    assert (await carry_out(rig, "!skill smelt iron_ore"))["reason"] == "missing_fuel"
    named = await carry_out(rig, '!skill smelt {"itemName": "iron_ore", "fuel": "lava_bucket"}')
    assert named["made"] == 1
