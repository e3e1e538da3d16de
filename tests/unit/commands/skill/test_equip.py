"""`!skill equip | eat | moveTo | collectDrops`, and who may make a bot work."""

from pathlib import Path

import pytest
from support.acting import GROUND, Scene, carried, carry_out, play, scenes
from support.rig import Rig, run_json

from bridge.world import Position


@pytest.mark.parametrize(
    "text",
    [
        "!skill equip iron_axe",
        "!skill equip_mainhand iron_axe",
        '!primitive equipItem {"itemName": "iron_axe", "destination": "hand"}',
    ],
)
async def test_an_item_is_taken_in_hand(rig: Rig, text: str) -> None:
    rig.world.give("Alice", "dirt")
    rig.world.give("Alice", "iron_axe")
    assert await carry_out(rig, text) == {"success": True, "itemName": "iron_axe", "place": "hand"}
    held = rig.world.body("Alice").held
    assert held is not None
    assert held.name == "iron_axe"


async def test_armour_is_worn_where_it_belongs(rig: Rig) -> None:
    rig.world.give("Alice", "iron_helmet")
    result = await carry_out(rig, '!skill equip_armor {"slot": "head", "item": "iron_helmet"}')
    assert result["place"] == "head"
    assert rig.world.body("Alice").worn == {"head": "iron_helmet"}


GEAR = {"wooden_pickaxe": 1, "diamond_pickaxe": 1, "golden_pickaxe": 1}
STICK = {"stick": 1}


@scenes(
    Scene("a kind of gear means the best of it", "!skill equip pickaxe",
          {"itemName": "diamond_pickaxe"}, given=GEAR),
    Scene("not carried", "!skill equip iron_axe", {"success": False, "reason": "missing_item"}),
    Scene("misspelt", "!skill equip iron_xae", {"success": False, "reason": "unknown_item"}),
    Scene("no such place", "!skill equip iron_axe nose",
          {"success": False, "reason": "invalid_format"}),
    Scene("worn nowhere", "!skill equip stick head", {"success": False, "reason": "wrong_slot"},
          given=STICK, carried=STICK),
)  # fmt: skip
async def test_gear_is_taken_or_refused_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


@pytest.mark.parametrize("destination", ["hand", "off-hand"])
async def test_either_hand_takes_what_else_would_be_worn(rig: Rig, destination: str) -> None:
    rig.world.give("Alice", "dirt", 3)
    rig.world.give("Alice", "iron_helmet")
    order = f'{{"itemName": "iron_helmet", "destination": "{destination}"}}'
    assert (await carry_out(rig, f"!primitive equipItem {order}"))["place"] == destination
    body = rig.world.body("Alice")
    stack = body.held if destination == "hand" else body.off_hand
    assert stack is not None
    assert (stack.name, body.worn.get("head")) == ("iron_helmet", None)
    assert carried(rig)["dirt"] == 3


# --- !skill eat -----------------------------------------------------------------------


async def test_the_most_fitting_food_is_eaten_when_none_is_named(rig: Rig) -> None:
    for item in ("cooked_beef", "bread", "chicken", "potato"):
        rig.world.give("Alice", item)
    rig.world.set_health("Alice", 20, 14)
    result = await carry_out(rig, "!skill eat")
    assert result == {"success": True, "itemName": "bread", "foodBefore": 14, "food": 19, "left": 0}


async def test_a_named_food_is_eaten(rig: Rig) -> None:
    rig.world.give("Alice", "apple", 2)
    rig.world.set_health("Alice", 20, 10)
    result = await carry_out(rig, "!skill eat apple")
    assert (result["food"], result["left"]) == (14, 1)


@pytest.mark.parametrize(
    ("given", "food", "text", "reason"),
    [
        ("stick", 10, "!skill eat", "missing_item"),
        ("chicken", 10, "!skill eat", "missing_item"),
        ("stick", 10, "!skill eat stick", "not_edible"),
        ("apple", 20, "!skill eat apple", "not_hungry"),
        ("stick", 10, "!skill eat appel", "unknown_item"),
    ],
)
async def test_a_meal_fails_with_its_reason(
    rig: Rig, given: str, food: float, text: str, reason: str
) -> None:
    rig.world.give("Alice", given)
    rig.world.set_health("Alice", 20, food)
    assert (await carry_out(rig, text))["reason"] == reason
    assert carried(rig) == {given: 1}


# --- moveTo ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "!skill moveTo 20 64 8",
        "!skill move_to 20 64 8 3",
        '!skill moveTo {"position": {"x": 20, "y": 64, "z": 8}, "range": 3}',
        '!skill moveTo {"x": 20, "y": 64, "z": 8}',
    ],
)
async def test_it_walks_to_a_point(rig: Rig, text: str) -> None:
    result = await carry_out(rig, text)
    assert result["success"] is True
    assert result["target"] == {"x": 20, "y": 64, "z": 8}
    assert 2 <= result["distance"] <= 3
    assert rig.world.body("Alice").position.distance_to(Position(20.5, 64, 8.5)) <= 3


WALLS = [(x, z) for x in (7, 8, 9) for z in (7, 8, 9) if (x, z) != (8, 8)]
CELL = [(x, GROUND + y, z) for x, z in WALLS for y in (0, 1)]
NO_POINT = {"success": False, "reason": "invalid_format"}


@scenes(
    Scene("to the nearest block of a kind", "!skill moveTo log",
          {"block": "birch_log", "target": {"x": 25, "y": GROUND, "z": 8}},
          blocks={"birch_log": [(25, GROUND, 8)], "oak_log": [(14, GROUND + 20, 8)]}),
    Scene("a primitive walk ends in the block itself", "!primitive moveTo 20 64 8",
          {"position": {"x": 20, "y": 64, "z": 8}, "distance": 0}),
    Scene("no path out of a cell of bedrock", "!skill moveTo 20 64 8",
          {"success": False, "reason": "no_path"}, blocks={"bedrock": CELL}, stays=True),
    Scene("no such block", "!skill moveTo oak_log", {"success": False, "reason": "not_found"}),
    Scene("a misspelt block", "!skill moveTo oak_lgo",
          {"success": False, "reason": "unknown_block"}),
    Scene("nothing", "!skill moveTo", NO_POINT),
    Scene("half a point", "!skill moveTo 20 64", NO_POINT),
    Scene("a word in a point", "!primitive moveTo 20 64 north", NO_POINT),
    Scene("too late", '!primitive moveTo {"position": [90, 64, 8], "timeout": 500}',
          {"success": False, "reason": "deadline"}),
)  # fmt: skip
async def test_a_walk_ends_where_it_says_or_fails_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


# --- collectDrops ---------------------------------------------------------------------


@pytest.mark.parametrize("family", ["skill", "primitive"])
async def test_what_lies_about_is_picked_up_and_counted(rig: Rig, family: str) -> None:
    ground = rig.world.terrain()
    ground.drop("apple", 3, Position(12.5, GROUND, 8.5))
    ground.drop("stick", 1, Position(8.5, GROUND, 11.5))
    result = await carry_out(rig, f"!{family} collectDrops")
    assert result == {"success": True, "collected": {"apple": 3, "stick": 1}, "count": 4}
    assert carried(rig) == {"apple": 3, "stick": 1}


async def test_nothing_to_pick_up_is_a_failure(rig: Rig) -> None:
    result = await carry_out(rig, "!skill collect_drops 4")
    assert (result["success"], result["reason"], result["collected"]) == (False, "not_found", {})


async def test_a_full_bot_says_what_found_no_room(rig: Rig) -> None:
    rig.world.give("Alice", "dirt", 36 * 64)
    rig.world.terrain().drop("apple", 3, Position(12.5, GROUND, 8.5))
    assert (await carry_out(rig, "!skill collectDrops"))["reason"] == "inventory_full"


# --- who may --------------------------------------------------------------------------


HERE = Position(8.5, GROUND, 8.5)


@pytest.mark.parametrize("text", ["!skill gather oak_log", "!creative placeBlock dirt"])
async def test_a_mere_player_may_not_work_a_bot(tmp_path: Path, text: str) -> None:
    from bots.access.origin import Person
    from bots.access.permissions import Permissions
    from bridge.world import PlayerName

    rig = await Rig.found(tmp_path, Permissions())
    await rig.bot("Alice", HERE)
    result = await run_json(rig.bots["Alice"], text, Person(PlayerName("Steve")))
    assert (result["reason"], result["level"]) == ("not_permitted", "trusted")
    await rig.aclose()
