"""`!primitive digBlock`, `findBestTool` and `equipBestToolForBlock`."""

import pytest
from support.acting import GROUND, Scene, carry_out, play, put, scenes
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


BESIDE = (9, GROUND, 8)
IN_VAIN = "drops nothing without a {} or better, and none is carried."


@scenes(
    Scene("with a warning where it drops nothing", '!primitive digBlock {"x": 9, "y": 64, "z": 8}',
          {"success": True, "tool": None, "gained": {},
           "warning": "stone " + IN_VAIN.format("wooden_pickaxe")},
          blocks={"stone": [BESIDE]}, standing={"air": [BESIDE]}),
    Scene("with a tool too weak, quicker than the hand", "!primitive digBlock 9 64 8",
          {"tool": "wooden_pickaxe", "gained": {},
           "warning": "iron_ore " + IN_VAIN.format("stone_pickaxe")},
          given={"dirt": 1, "wooden_pickaxe": 1}, blocks={"iron_ore": [BESIDE]}),
    Scene("what every hand breaks needs no tool", "!primitive findBestTool dirt", {"tool": None}),
    *(Scene(f"{reason}: {at}", f"!primitive digBlock{at}", {"success": False, "reason": reason},
            blocks={"stone": [BESIDE], "bedrock": [(7, GROUND, 8)]})
      for at, reason in ((" 9 70 8", "not_found"), (" 30 63 8", "too_far"), ("", "invalid_format"),
                         (" 3000 63 8", "not_loaded"), (" 7 64 8", "unbreakable"))),
)  # fmt: skip
async def test_a_block_is_dug_or_left_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


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
