"""Ways through the ground: none through what people made, and none that takes very long by hand."""

import pytest
from support.acting import GROUND, carry_out, put
from support.rig import Rig

from bridge.world import Position

Cell = tuple[int, int, int]
ROOM = [(x, y, z) for x in range(3, 14) for y in range(63, 68) for z in range(3, 31)]
HILL = [(x, y, z) for x, y, z in ROOM if 4 <= x <= 12 and 64 <= y <= 66 and 11 <= z <= 20]


def hill_between(rig: Rig, rock: str = "dirt") -> None:
    """A long court of bedrock with a roofed hill across its middle; Alice stands before it."""
    walls = [(x, y, z) for x, y, z in ROOM if x in (3, 13) or y == 63 or z in (3, 30)]
    roof = [(x, 67, z) for x, y, z in HILL if y == 66]
    put(rig, "bedrock", *walls, *roof)
    put(rig, rock, *HILL)


def standing(rig: Rig, rock: str) -> bool:
    return all(rig.world.block(Position(*cell)) == rock for cell in HILL)


THERE = f"!skill moveTo 8 {GROUND} 27 1"


BESIDE = ((5, GROUND, 22), (11, GROUND, 22))
DEEP = [(x, GROUND - 12, 15) for x in range(4, 13)]


@pytest.mark.parametrize(
    ("built", "cells", "reason"),
    [
        ("dirt", (), None),
        ("oak_planks", DEEP, None),
        *((built, BESIDE, "no_path") for built in ("oak_planks", "torch", "farmland", "chest")),
    ],
)
async def test_a_hill_is_dug_through_but_not_beside_what_somebody_built(
    rig: Rig, built: str, cells: list[Cell], reason: str | None
) -> None:
    hill_between(rig)
    put(rig, built, *cells)
    result = await carry_out(rig, THERE)
    assert (result["success"], result.get("reason")) == (reason is None, reason)
    assert standing(rig, "dirt") is (reason is not None)
    assert reason is None or "what somebody built" in result["message"]


async def test_a_look_that_was_near_is_not_enough_for_a_way_that_is_far(rig: Rig) -> None:
    hill_between(rig)
    put(rig, "dirt", (8, GROUND, 6))
    put(rig, "oak_planks", *BESIDE)
    near = '!skill gather {"itemName": "dirt", "maxDistance": 4}'
    assert (await carry_out(rig, near))["success"]
    assert (await carry_out(rig, THERE))["reason"] == "no_path"


async def test_a_way_is_dug_beside_what_bots_placed(rig: Rig) -> None:
    hill_between(rig)
    put(rig, "chest", *BESIDE)
    for cell in BESIDE:
        placed = rig.bots["Alice"].placements
        await placed.add("chest", "chest", Position(*cell), "overworld")
    assert (await carry_out(rig, THERE))["success"]


async def test_a_long_way_through_rock_is_not_begun_by_hand(rig: Rig) -> None:
    hill_between(rig, "stone")
    result = await carry_out(rig, THERE)
    assert (result["success"], result["reason"]) == (False, "no_tool")
    assert "20 blocks of stone" in result["message"]
    assert "3 minutes" in result["message"]
    assert standing(rig, "stone")
    rig.world.give("Alice", "wooden_pickaxe")
    assert (await carry_out(rig, THERE))["success"]


async def test_whoever_is_below_ground_digs_by_hand_all_the_same(rig: Rig) -> None:
    hill_between(rig, "stone")
    put(rig, "bedrock", (7, GROUND + 1, 8), (9, GROUND + 1, 8))
    assert (await carry_out(rig, THERE))["success"]


async def test_a_shaft_through_rock_is_not_begun_by_hand(rig: Rig) -> None:
    result = await carry_out(rig, f"!skill moveTo 8 {GROUND - 30} 8 1")
    assert (result["success"], result["reason"]) == (False, "no_tool")
