"""`!skill place|equip|eat|collectDrops|moveTo` and `!creative placeBlock`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.rig import Rig, run_json

from bridge.world import Position

pytestmark = pytest.mark.anyio

HERE = Position(8.5, GROUND, 8.5)


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await Rig.found(tmp_path)
    await rig.bot("Alice", HERE)
    yield rig
    await rig.aclose()


# --- place ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "!skill place dirt 10 64 8",
        "!skill place_block dirt 10 64 8",
        '!skill place {"itemName": "dirt", "position": [10, 64, 8]}',
        '!skill place {"blockName": "dirt", "position": {"x": 10, "y": 64, "z": 8}}',
        '!creative placeBlock {"name": "dirt", "coords": [10, 64, 8]}',
        '!creative placeBlock {"name": "dirt", "x": 10, "y": 64, "z": 8}',
    ],
)
async def test_a_block_is_put_where_it_is_wanted(rig: Rig, text: str) -> None:
    rig.world.give("Alice", "dirt", 2)
    result = await carry_out(rig, text)
    assert result == {
        "success": True,
        "itemName": "dirt",
        "position": {"x": 10, "y": 64, "z": 8},
        "block": "dirt",
        "left": 1,
        "message": "Placed dirt at 10 64 8; 1 left.",
    }
    assert rig.world.block(Position(10, 64, 8)) == "dirt"


async def test_a_far_place_is_walked_to(rig: Rig) -> None:
    rig.world.give("Alice", "dirt")
    assert (await carry_out(rig, "!skill place dirt 30 64 8"))["success"]
    assert rig.world.block(Position(30, 64, 8)) == "dirt"


async def test_without_a_place_it_is_put_down_near(rig: Rig) -> None:
    rig.world.give("Alice", "chest")
    result = await carry_out(rig, "!skill place chest")
    at = result["position"]
    assert Position(at["x"], at["y"], at["z"]).distance_to(HERE) < 3
    assert rig.world.block(Position(at["x"], at["y"], at["z"])) == "chest"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!skill place dirt 8 64 8", "blocked"),
        ("!skill place dirt 8 65 8", "blocked"),
        ("!skill place dirt 10 63 8", "blocked"),
        ("!skill place stone 10 64 8", "missing_item"),
        ("!skill place dirty 10 64 8", "unknown_item"),
        ("!skill place dirt 10 64", "invalid_format"),
        ('!creative placeBlock {"name": "dirt", "coords": [1, 2]}', "invalid_format"),
        ('!creative placeBlock {"name": "dirt", "coords": [1e9, 2, 3]}', "invalid_format"),
        ('!creative placeBlock {"name": "dirt", "coords": [NaN, 2, 3]}', "invalid_format"),
    ],
)
async def test_what_cannot_be_placed_is_a_failure_and_nothing_is_lost(
    rig: Rig, text: str, reason: str
) -> None:
    rig.world.give("Alice", "dirt")
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)
    assert carried(rig) == {"dirt": 1}


async def test_what_is_carried_instead_is_told(rig: Rig) -> None:
    rig.world.give("Alice", "dirt", 3)
    result = await carry_out(rig, "!creative placeBlock stone 10 64 8")
    assert result["inventory"] == {"dirt": 3}


# --- equip ---------------------------------------------------------------------


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


async def test_a_kind_of_gear_means_the_best_of_it(rig: Rig) -> None:
    for item in ("wooden_pickaxe", "diamond_pickaxe", "golden_pickaxe"):
        rig.world.give("Alice", item)
    assert (await carry_out(rig, "!skill equip pickaxe"))["itemName"] == "diamond_pickaxe"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!skill equip iron_axe", "missing_item"),
        ("!skill equip iron_xae", "unknown_item"),
        ("!skill equip iron_axe nose", "invalid_format"),
        ("!skill equip stick head", "wrong_slot"),
    ],
)
async def test_equipping_fails_with_its_reason(rig: Rig, text: str, reason: str) -> None:
    rig.world.give("Alice", "stick")
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)


# --- eat -----------------------------------------------------------------------


async def test_the_most_fitting_food_is_eaten_when_none_is_named(rig: Rig) -> None:
    for item in ("cooked_beef", "bread", "chicken", "potato"):
        rig.world.give("Alice", item)
    rig.world.set_health("Alice", 20, 14)
    result = await carry_out(rig, "!skill eat")
    assert result == {
        "success": True,
        "itemName": "bread",
        "foodBefore": 14,
        "food": 19,
        "left": 0,
    }


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


# --- collectDrops --------------------------------------------------------------


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


# --- moveTo --------------------------------------------------------------------


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


async def test_it_walks_to_the_nearest_block_of_a_kind(rig: Rig) -> None:
    put(rig, "birch_log", (25, GROUND, 8))
    put(rig, "oak_log", (14, GROUND + 20, 8))
    result = await carry_out(rig, "!skill moveTo log")
    assert (result["block"], result["target"]["x"]) == ("birch_log", 25)


async def test_a_primitive_walk_ends_in_the_block_itself(rig: Rig) -> None:
    result = await carry_out(rig, "!primitive moveTo 20 64 8")
    assert (result["position"], result["distance"]) == ({"x": 20, "y": 64, "z": 8}, 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!skill moveTo 20 200 8", "no_path"),
        ("!skill moveTo oak_log", "not_found"),
        ("!skill moveTo oak_lgo", "unknown_block"),
        ("!skill moveTo", "invalid_format"),
        ("!skill moveTo 20 64", "invalid_format"),
        ("!primitive moveTo 20 64 north", "invalid_format"),
        ('!primitive moveTo {"position": [90, 64, 8], "timeout": 500}', "deadline"),
    ],
)
async def test_a_walk_fails_with_its_reason(rig: Rig, text: str, reason: str) -> None:
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)


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


async def test_a_chest_is_put_where_its_lid_can_open(rig: Rig) -> None:
    rig.world.give("Alice", "chest", 1)
    for x, z in ((9, 8), (7, 8), (8, 9), (8, 7)):
        rig.world.set_block(Position(x, 65, z), "stone")
    placed = await carry_out(rig, "!skill place chest")
    at = placed["position"]
    assert rig.world.block(Position(at["x"], at["y"], at["z"])) == "chest"
    assert rig.world.block(Position(at["x"], at["y"] + 1, at["z"])) == "air"


@pytest.mark.parametrize("item", ["chest", "crafting_table"])
async def test_in_a_narrow_pit_a_niche_is_dug_for_what_is_put_down(rig: Rig, item: str) -> None:
    rig.world.give("Alice", "stone_pickaxe", 1)
    rig.world.give("Alice", item, 1)
    put(rig, "air", *((8, GROUND - down, 8) for down in (1, 2, 3, 4)))
    rig.world.teleport("Alice", Position(8.5, GROUND - 4, 8.5))
    placed = (await carry_out(rig, f"!skill place {item}"))["position"]
    assert placed["y"] == GROUND - 4
    assert abs(placed["x"] - 8) + abs(placed["z"] - 8) == 1
    assert rig.world.body("Alice").position.block == Position(8, GROUND - 4, 8)
    above = Position(placed["x"], GROUND - 3, placed["z"])
    assert rig.world.block(above) == "air"


async def test_no_niche_is_dug_into_what_somebody_built(rig: Rig) -> None:
    rig.world.give("Alice", "chest", 1)
    cell = [(x, y, z) for x in (6, 7, 8, 9, 10) for z in (6, 7, 8, 9, 10) for y in (64, 65, 66, 67)]
    put(rig, "oak_planks", *(at for at in cell if at not in ((8, 64, 8), (8, 65, 8))))
    result = await carry_out(rig, "!skill place chest")
    assert (result["success"], result["reason"]) == (False, "blocked")
    assert all(rig.world.block(Position(*at)) != "chest" for at in cell)
