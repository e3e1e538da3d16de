"""`!primitive placeBlock` and `craftItem`."""

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.rig import Rig

from bridge.world import Position


@pytest.mark.parametrize(
    "text",
    [
        "!primitive placeBlock 10 64 8",
        '!primitive placeBlock {"position": [10, 64, 8], "itemName": "dirt"}',
        '!primitive placeBlock {"reference": [10, 63, 8]}',
        '!primitive placeBlock {"reference": {"x": 10, "y": 63, "z": 8}, "face": [0, 1, 0]}',
        '!primitive placeBlock {"reference": [10, 63, 8], "face": "up"}',
    ],
)
async def test_what_is_held_is_placed_in_reach(rig: Rig, text: str) -> None:
    rig.world.give("Alice", "dirt", 2)
    result = await carry_out(rig, text)
    assert (result["block"], result["left"]) == ("dirt", 1)
    assert rig.world.block(Position(10, 64, 8)) == "dirt"


@pytest.mark.parametrize(
    ("given", "text", "reason"),
    [
        ("dirt", "!primitive placeBlock 30 64 8", "too_far"),
        ("dirt", "!primitive placeBlock 10 63 8", "blocked"),
        (None, "!primitive placeBlock 10 64 8", "missing_item"),
        ("dirt", "!primitive placeBlock", "invalid_format"),
        ("dirt", '!primitive placeBlock {"reference": [1, 2, 3], "face": "x"}', "invalid_format"),
    ],
)
async def test_placing_fails_with_its_reason(
    rig: Rig, given: str | None, text: str, reason: str
) -> None:
    if given is not None:
        rig.world.give("Alice", given)
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)


async def test_a_primitive_craft_walks_to_no_table(rig: Rig) -> None:
    rig.world.give("Alice", "oak_planks", 3)
    rig.world.give("Alice", "stick", 2)
    put(rig, "crafting_table", (30, GROUND, 8))
    result = await carry_out(rig, "!primitive craftItem wooden_pickaxe")
    assert result["reason"] == "no_station"
    put(rig, "crafting_table", (10, GROUND, 8))
    result = await carry_out(rig, "!primitive craftItem wooden_pickaxe")
    assert (result["made"], carried(rig)) == (1, {"wooden_pickaxe": 1})
