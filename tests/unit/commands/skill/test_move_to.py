"""`!skill moveTo` and `!primitive moveTo`."""

import pytest
from support.acting import GROUND, Scene, carry_out, play, scenes
from support.rig import Rig

from bridge.world import Position


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
    Scene("a misspelt block", "!skill moveTo oak_lgo", {"reason": "unknown_block"}),
    Scene("nothing", "!skill moveTo", NO_POINT),
    Scene("half a point", "!skill moveTo 20 64", NO_POINT),
    Scene("a word in a point", "!primitive moveTo 20 64 north", NO_POINT),
    Scene("too late", '!primitive moveTo {"position": [90, 64, 8], "timeout": 500}',
          {"success": False, "reason": "deadline"}),
)  # fmt: skip
async def test_a_walk_ends_where_it_says_or_fails_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)
