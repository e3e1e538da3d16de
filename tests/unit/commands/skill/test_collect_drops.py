"""`!skill collectDrops` and `!primitive collectDrops`."""

import pytest
from support.acting import GROUND, carried, carry_out
from support.rig import Rig

from bridge.world import Position


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
