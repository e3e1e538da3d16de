"""`!skill equip`: in hand, or worn where it belongs."""

import pytest
from support.acting import carried, carry_out
from support.rig import Rig


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
