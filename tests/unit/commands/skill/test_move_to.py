"""`!skill moveTo` and `!primitive moveTo`."""

import pytest
from support.acting import GROUND, carry_out, put
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


async def test_it_walks_to_the_nearest_block_of_a_kind(rig: Rig) -> None:
    put(rig, "birch_log", (25, GROUND, 8))
    put(rig, "oak_log", (14, GROUND + 20, 8))
    result = await carry_out(rig, "!skill moveTo log")
    assert (result["block"], result["target"]["x"]) == ("birch_log", 25)


async def test_a_primitive_walk_ends_in_the_block_itself(rig: Rig) -> None:
    result = await carry_out(rig, "!primitive moveTo 20 64 8")
    assert (result["position"], result["distance"]) == ({"x": 20, "y": 64, "z": 8}, 0)


async def test_a_walk_out_of_a_cell_of_bedrock_has_no_path(rig: Rig) -> None:
    walls = [(x, z) for x in (7, 8, 9) for z in (7, 8, 9) if (x, z) != (8, 8)]
    put(rig, "bedrock", *((x, GROUND + y, z) for x, z in walls for y in (0, 1)))
    result = await carry_out(rig, "!skill moveTo 20 64 8")
    assert (result["success"], result["reason"]) == (False, "no_path")
    assert rig.world.body("Alice").position.block == Position(8, GROUND, 8)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
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
