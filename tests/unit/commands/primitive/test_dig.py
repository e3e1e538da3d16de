"""`!primitive digBlock`, `findBestTool` and `equipBestToolForBlock`."""

import pytest
from support.acting import GROUND, carry_out, put
from support.rig import Rig, run_json

from bridge.world import Position


async def test_a_block_is_dug_with_the_best_tool_and_what_came_of_it_is_told(rig: Rig) -> None:
    rig.world.give("Alice", "dirt")
    rig.world.give("Alice", "stone_pickaxe")
    put(rig, "stone", (9, GROUND, 8))
    assert await carry_out(rig, "!primitive digBlock 9 64 8") == {
        "success": True,
        "block": "stone",
        "position": {"x": 9, "y": 64, "z": 8},
        "tool": "stone_pickaxe",
        "gained": {"cobblestone": 1},
        "warning": None,
    }
    assert rig.world.block(Position(9, 64, 8)) == "air"


@pytest.mark.parametrize("lava", [(9, 65, 8), (10, 64, 8), (9, 63, 8)])
async def test_no_block_that_holds_lava_back_is_dug(rig: Rig, lava: tuple[int, int, int]) -> None:
    put(rig, "stone", (9, GROUND, 8))
    put(rig, "lava", lava)
    result = await carry_out(rig, "!primitive digBlock 9 64 8")
    assert (result["success"], result["reason"]) == (False, "unsafe")
    assert "lava" in result["message"]
    assert rig.world.block(Position(9, 64, 8)) == "stone"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!primitive digBlock 9 70 8", "not_found"),
        ("!primitive digBlock 30 63 8", "too_far"),
        ("!primitive digBlock 3000 63 8", "not_loaded"),
        ("!primitive digBlock 7 64 8", "unbreakable"),
        ("!primitive digBlock", "invalid_format"),
    ],
)
async def test_a_dig_fails_with_its_reason(rig: Rig, text: str, reason: str) -> None:
    put(rig, "stone", (9, GROUND, 8))
    put(rig, "bedrock", (7, GROUND, 8))
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)


async def test_a_block_is_dug_with_a_warning_where_it_drops_nothing(rig: Rig) -> None:
    put(rig, "stone", (9, GROUND, 8))
    dug = await carry_out(rig, '!primitive digBlock {"x": 9, "y": 64, "z": 8}')
    assert (dug["success"], dug["tool"], dug["gained"]) == (True, None, {})
    assert dug["warning"].startswith("stone drops nothing without a wooden_pickaxe or better")
    assert rig.world.block(Position(9, 64, 8)) == "air"


async def test_a_tool_too_weak_is_still_quicker_than_the_hand(rig: Rig) -> None:
    rig.world.give("Alice", "dirt")
    rig.world.give("Alice", "wooden_pickaxe")
    put(rig, "iron_ore", (9, GROUND, 8))
    dug = await carry_out(rig, "!primitive digBlock 9 64 8")
    assert (dug["tool"], dug["gained"]) == ("wooden_pickaxe", {})
    assert dug["warning"].startswith("iron_ore drops nothing without a stone_pickaxe")


async def test_the_best_tool_is_told_without_being_taken(rig: Rig) -> None:
    for item in ("dirt", "wooden_pickaxe", "iron_pickaxe"):
        rig.world.give("Alice", item)
    result = await run_json(rig.bots["Alice"], "!primitive findBestTool stone")
    assert (result["tool"], result["drops"]) == ("iron_pickaxe", ["cobblestone"])
    held = rig.world.body("Alice").held
    assert held is not None
    assert held.name == "dirt"
    assert (await carry_out(rig, "!primitive equipBestToolForBlock stone"))["success"]
    held = rig.world.body("Alice").held
    assert held is not None
    assert held.name == "iron_pickaxe"


async def test_what_every_hand_breaks_needs_no_tool(rig: Rig) -> None:
    assert (await run_json(rig.bots["Alice"], "!primitive findBestTool dirt"))["tool"] is None
