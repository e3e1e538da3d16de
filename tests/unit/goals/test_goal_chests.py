"""Goals that use chests: what is theirs, what is allowed, and what belongs to others."""

from typing import Any

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.goal_runs import HERE, reach, traced
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


async def test_iron_in_an_allowed_chest_is_taken_and_told(rig: Rig, chest: Inventory) -> None:
    chest.add("iron_ingot", 5)
    await allow(rig)
    result = await reach(rig, "inventory.iron_ingot:3")
    assert result["success"] is True, result
    assert result["message"].endswith(f"I took 3 iron_ingot out of the chest at {AT_CHEST}.")
    assert (carried(rig), chest.count("iron_ingot")) == ({"iron_ingot": 3}, 2)


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


async def test_a_full_bag_is_emptied_into_a_chest_of_ours(rig: Rig) -> None:
    rig.world.give("Alice", "chest")
    placed = await reach(rig, "placed.chest:1")
    assert placed["success"] is True, placed
    (where,) = [at for at, block in rig.world.terrain().changes if block == "chest"]
    free = (await rig.bots["Alice"].snapshot()).free_slots
    rig.world.give("Alice", "cobblestone", 64 * (free - 1))
    rig.world.give("Alice", "bow")
    result = await reach(rig, "inventory.oak_log:2")
    assert result["success"] is True, result
    at = f"{where.x:g} {where.y:g} {where.z:g}"
    assert f"cobblestone into the chest at {at}." in result["message"]
    assert rig.world.terrain().chest(where).count("cobblestone") >= 64 * 8
    assert (carried(rig)["bow"], rig.world.terrain().drops_within(HERE, 30)) == (1, ())


async def test_where_the_chest_is_full_rubble_is_thrown_away(rig: Rig, chest: Inventory) -> None:
    chest.add("dirt", 64 * 27)
    await allow(rig)
    free = (await rig.bots["Alice"].snapshot()).free_slots
    rig.world.give("Alice", "cobblestone", 64 * free)
    result = await reach(rig, "inventory.oak_log:2")
    assert result["success"] is True, result
    assert rig.world.terrain().drops_within(HERE, 30)


async def test_jukebox_bookshelf_and_bow_are_not_burnt(rig: Rig) -> None:
    dear = {"jukebox": 1, "bookshelf": 1, "bow": 1}
    for item in dear:
        rig.world.give("Alice", item)
    rig.world.give("Alice", "iron_ore", 3)
    rig.world.give("Alice", "oak_planks", 2)
    put(rig, "furnace", (10, GROUND, 10))
    assert (await reach(rig, "inventory.iron_ingot:3"))["success"] is True
    assert dear.items() <= carried(rig).items()


async def test_what_the_goal_allows_is_burnt(rig: Rig) -> None:
    rig.world.give("Alice", "lava_bucket")
    rig.world.give("Alice", "iron_ore", 3)
    put(rig, "furnace", (10, GROUND, 10))
    result = await reach(rig, "inventory.iron_ingot:3 with:lava_bucket")
    assert result["success"] is True, result
    assert carried(rig) == {"iron_ingot": 3}


async def test_what_a_chest_holds_is_remembered_and_told(rig: Rig, chest: Inventory) -> None:
    chest.add("diamond", 3)
    await allow(rig)
    assert (await reach(rig, "inventory.diamond:1"))["success"] is True
    assert [entry["items"] for entry in traced(rig, "goal.chest_used")] == [{"diamond": 1}]
    listed = await run_json(rig.bots["Alice"], "!chest list")
    assert listed["message"] == f"{AT_CHEST} (allowed): 2 diamond."
