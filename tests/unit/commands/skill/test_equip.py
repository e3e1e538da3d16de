"""`!skill equip`: in hand, or worn where it belongs."""

import pytest
from support.acting import Scene, carried, carry_out, play, scenes
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
