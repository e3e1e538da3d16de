"""Goals that use chests: what is theirs, what is allowed, and what belongs to others."""

from typing import Any

import pytest
from support.acting import GROUND, carried, carry_out
from support.goal_runs import reach, traced
from support.rig import Rig, run_json

from bridge.fake.body import Inventory
from bridge.world import Position

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("alice_in_the_country")]

CHEST = Position(11, GROUND, 8)
AT_CHEST = "11 64 8"


@pytest.fixture
def chest(rig: Rig) -> Inventory:
    rig.world.set_block(CHEST, "chest")
    return rig.world.terrain().chest(CHEST)


async def allow(rig: Rig) -> dict[str, Any]:
    return await run_json(rig.bots["Alice"], f"!chest allow {AT_CHEST}")


async def test_the_chest_of_somebody_else_is_left_alone(rig: Rig, chest: Inventory) -> None:
    chest.add("gold_ingot", 5)
    await carry_out(rig, "!navigation chestOpen")
    result = await reach(rig, "inventory.gold_ingot:3")
    assert (result["reason"], chest.count("gold_ingot")) == ("impossible", 5)
    hint = f"The chest at {AT_CHEST} holds 5 gold_ingot; !chest allow {AT_CHEST} lets me take it."
    assert hint in result["message"]


async def test_a_chest_of_others_is_no_wood_either(rig: Rig, chest: Inventory) -> None:
    await reach(rig, "inventory.chest:1")
    assert rig.world.terrain().block(CHEST) == "chest"


async def test_what_is_gone_from_a_chest_is_got_otherwise(rig: Rig, chest: Inventory) -> None:
    chest.add("oak_log", 8)
    await allow(rig)
    await carry_out(rig, "!navigation chestOpen")
    chest.take("oak_log", 8)
    result = await reach(rig, "inventory.oak_log:3")
    assert (result["success"], result["replans"]) == (True, 1)
    assert carried(rig)["oak_log"] == 3


async def test_what_is_forbidden_is_used_no_more(rig: Rig, chest: Inventory) -> None:
    chest.add("gold_ingot", 2)
    await allow(rig)
    assert (await reach(rig, "inventory.gold_ingot:1"))["success"] is True
    await run_json(rig.bots["Alice"], f"!chest forbid {AT_CHEST}")
    assert (await reach(rig, "inventory.gold_ingot:2"))["reason"] == "impossible"


async def test_what_a_chest_holds_is_remembered_and_told(rig: Rig, chest: Inventory) -> None:
    chest.add("diamond", 3)
    await allow(rig)
    result = await reach(rig, "inventory.diamond:1")
    assert result["success"] is True, result
    assert result["message"].endswith(f"I took 1 diamond out of the chest at {AT_CHEST}.")
    assert (carried(rig), chest.count("diamond")) == ({"diamond": 1}, 2)
    assert [entry["items"] for entry in traced(rig, "goal.chest_used")] == [{"diamond": 1}]
    listed = await run_json(rig.bots["Alice"], "!chest list")
    assert listed["message"] == f"{AT_CHEST} (allowed): 2 diamond."
