"""Actions that leave the world as they claim: variants, stacks, odd places and refusals."""

import time

import pytest
from actions.stage import Scene

from bridge.actions import (
    CloseContainer,
    CollectDrops,
    Craft,
    Deposit,
    Dig,
    Eat,
    Equip,
    FindBlocks,
    MoveTo,
    OpenContainer,
    Place,
    Smelt,
    Toss,
    Wait,
    Withdraw,
)
from bridge.world import BlockSighting, Position

pytestmark = pytest.mark.real

SCAN_WITHIN_S = 0.5


async def test_planks_of_several_woods_make_one_chest(scene: Scene) -> None:
    await scene.give(oak_planks=3, birch_planks=3, spruce_planks=2)
    table = await scene.put(scene.at(2, 0, 0), "crafting_table")
    assert (await scene.done(Craft("chest", table=table))).result == {"made": 1}
    assert await scene.carries() == {"chest": 1}


async def test_the_second_of_two_ingredients_will_do(scene: Scene) -> None:
    await scene.give(charcoal=1, stick=1)
    assert (await scene.done(Craft("torch"))).result == {"made": 4}
    assert await scene.carries() == {"torch": 4}


async def test_a_craft_goes_on_over_several_woods(scene: Scene) -> None:
    await scene.give(oak_planks=2, birch_planks=2)
    assert (await scene.done(Craft("stick", 8))).result == {"made": 8}
    assert await scene.carries() == {"stick": 8}


async def test_buckets_are_left_after_a_cake(scene: Scene) -> None:
    for _ in range(3):
        await scene.give(milk_bucket=1)
    await scene.give(sugar=2, egg=1, wheat=3)
    table = await scene.put(scene.at(2, 0, 0), "crafting_table")
    assert (await scene.done(Craft("cake", table=table))).result == {"made": 1}
    assert await scene.carries() == {"cake": 1, "bucket": 3}


async def test_what_can_be_made_by_hand_needs_no_table_near(scene: Scene) -> None:
    await scene.give(oak_log=1)
    await scene.done(Craft("oak_planks", 4))
    assert await scene.carries() == {"oak_planks": 4}


async def test_too_little_for_all_makes_none(scene: Scene) -> None:
    await scene.give(oak_log=1, birch_log=1)
    finished = await scene.perform(Craft("stick", 64))
    assert (finished.reason, finished.result["made"]) == ("missing_item", 0)
    assert await scene.carries() == {"oak_log": 1, "birch_log": 1}


async def test_a_full_bot_crafts_nothing_and_loses_nothing(scene: Scene) -> None:
    await scene.give(dirt=35 * 64, oak_log=2)
    finished = await scene.perform(Craft("oak_planks"))
    assert (finished.outcome, finished.reason) == ("failed", "inventory_full")
    assert await scene.carries() == {"dirt": 35 * 64, "oak_log": 2}


async def test_the_last_log_makes_room_for_its_planks(scene: Scene) -> None:
    await scene.give(dirt=35 * 64, oak_log=1)
    await scene.done(Craft("oak_planks"))
    assert await scene.carries() == {"dirt": 35 * 64, "oak_planks": 4}


async def test_a_stack_that_is_used_up_makes_room(scene: Scene) -> None:
    await scene.give(dirt=35 * 64, oak_planks=2)
    await scene.done(Craft("stick", 4))
    assert await scene.carries() == {"dirt": 35 * 64, "stick": 4}


@pytest.mark.parametrize("count", [1, 31, 64, 70, 150])
async def test_any_count_goes_in_and_out_over_several_stacks(scene: Scene, count: int) -> None:
    await scene.give(cobblestone=150, apple=1)
    chest = await scene.put(scene.at(2, 0, 0), "chest")
    await scene.done(OpenContainer(chest))
    assert (await scene.done(Deposit("cobblestone", count))).result == {"moved": count}
    assert await scene.chest(chest) == {"cobblestone": count}
    assert (await scene.carries())["cobblestone"] == 150 - count
    assert (await scene.done(Withdraw("cobblestone", -1))).result == {"moved": count}
    await scene.done(CloseContainer())
    assert await scene.carries() == {"cobblestone": 150, "apple": 1}
    assert not await scene.chest(chest)


async def test_all_stacks_go_in_with_minus_one(scene: Scene) -> None:
    await scene.give(cobblestone=150)
    chest = await scene.put(scene.at(2, 0, 0), "chest")
    await scene.done(OpenContainer(chest))
    assert (await scene.done(Deposit("cobblestone", -1))).result == {"moved": 150}
    assert await scene.chest(chest) == {"cobblestone": 150}
    assert not await scene.carries()


async def test_what_does_not_fit_is_told_with_what_did(scene: Scene) -> None:
    await scene.give(dirt=26 * 64)
    chest = await scene.put(scene.at(2, 0, 0), "chest")
    await scene.done(OpenContainer(chest))
    await scene.done(Deposit("dirt", -1))
    await scene.give(apple=100)
    finished = await scene.perform(Deposit("apple", 100))
    assert (finished.reason, finished.result) == ("inventory_full", {"moved": 64})
    assert (await scene.chest(chest))["apple"] == 64
    assert await scene.carries() == {"apple": 36}


async def test_part_of_many_stacks_is_thrown(scene: Scene) -> None:
    await scene.give(cobblestone=150)
    assert (await scene.done(Toss("cobblestone", 100))).result == {"tossed": 100}
    assert await scene.carries() == {"cobblestone": 50}


@pytest.mark.parametrize("there", ["air", "grass", "tall_grass", "fern", "snow", "water", "vine"])
async def test_a_block_takes_the_place_of_what_gives_way(scene: Scene, there: str) -> None:
    await scene.give(cobblestone=1)
    where = await scene.put(scene.at(2, 0, 0), there)
    assert (await scene.done(Place("cobblestone", where))).result == {"block": "cobblestone"}
    assert await scene.true_block(where) == "cobblestone"
    assert not await scene.carries()


async def test_a_block_is_placed_on_a_chest_without_opening_it(scene: Scene) -> None:
    await scene.give(cobblestone=1)
    await scene.put(scene.at(2, 0, 0), "chest")
    await scene.done(Place("cobblestone", scene.at(2, 1, 0)))
    assert await scene.true_block(scene.at(2, 1, 0)) == "cobblestone"
    assert (await scene.perform(Deposit("dirt"))).reason == "window_closed"


async def test_a_torch_stands_where_the_bot_stands(scene: Scene) -> None:
    await scene.give(torch=1)
    await scene.done(Place("torch", scene.at(0, 0, 0)))
    assert await scene.true_block(scene.at(0, 0, 0)) == "torch"


async def test_a_placed_item_comes_from_behind_a_full_hotbar(scene: Scene) -> None:
    for item in ("dirt", "sand", "gravel", "apple", "bread", "stick", "coal", "flint", "bone"):
        await scene.give(**{item: 1})
    await scene.give(cobblestone=1)
    await scene.done(Place("cobblestone", scene.at(2, 0, 0)))
    carried = await scene.carries()
    assert (len(carried), sum(carried.values())) == (9, 9)


async def test_several_drops_are_fetched_and_counted(scene: Scene) -> None:
    await scene.give(apple=2, bread=3)
    await scene.done(Toss("apple", -1))
    await scene.done(Toss("bread", -1))
    await scene.done(MoveTo(scene.at(-5, 0, 5)))
    finished = await scene.done(CollectDrops(16))
    assert finished.result == {"collected": {"apple": 2, "bread": 3}}
    assert await scene.carries() == {"apple": 2, "bread": 3}


async def test_a_log_dug_at_the_feet_is_in_the_bag_when_the_action_ends(scene: Scene) -> None:
    where = await scene.put(scene.at(1, 0, 0), "oak_log")
    await scene.done(Dig(where))
    assert await scene.carries() == {"oak_log": 1}
    assert await scene.true_block(where) == "air"


async def test_the_furnace_takes_fuel_as_it_needs_it(scene: Scene) -> None:
    await scene.give(iron_ore=3, stick=10)
    furnace = await scene.put(scene.at(2, 0, 0), "furnace")
    finished = await scene.done(Smelt("iron_ore", "stick", furnace, 3))
    assert finished.result == {"product": "iron_ingot", "made": 3}
    assert await scene.carries() == {"iron_ingot": 3, "stick": 4}  # a stick burns half an item


async def test_fuel_that_runs_out_is_told_with_what_was_made(scene: Scene) -> None:
    await scene.give(iron_ore=3, stick=2)
    furnace = await scene.put(scene.at(2, 0, 0), "furnace")
    finished = await scene.perform(Smelt("iron_ore", "stick", furnace, 3))
    assert (finished.reason, finished.result["made"]) == ("missing_item", 1)
    assert await scene.carries() == {"iron_ore": 2, "iron_ingot": 1}


async def test_what_does_not_burn_is_no_fuel_and_is_given_back(scene: Scene) -> None:
    await scene.give(iron_ore=1, apple=1)
    furnace = await scene.put(scene.at(2, 0, 0), "furnace")
    finished = await scene.perform(Smelt("iron_ore", "apple", furnace))
    assert (finished.outcome, finished.reason) == ("failed", "no_recipe")
    assert await scene.carries() == {"iron_ore": 1, "apple": 1}


async def test_armour_changes_places_with_what_was_worn(scene: Scene) -> None:
    await scene.give(iron_helmet=1)
    await scene.done(Equip("iron_helmet"))
    await scene.give(golden_helmet=1)
    await scene.done(Equip("golden_helmet"))
    await scene.sees_inventory(iron_helmet=1)
    assert await scene.carries() == {"iron_helmet": 1, "golden_helmet": 1}


async def test_a_golden_apple_is_eaten_when_not_hungry(scene: Scene) -> None:
    await scene.give(golden_apple=2)
    await scene.done(Eat("golden_apple"))
    assert await scene.carries() == {"golden_apple": 1}


async def test_a_walk_leads_beyond_the_loaded_land(scene: Scene) -> None:
    await scene.stage.server.admin("teleport", player=scene.bot, x=8.5, y=64, z=8.5)
    await scene.perform(Wait(1))
    finished = await scene.perform(MoveTo(Position(120, 64, 8), within=40))
    assert finished.outcome == "done"


async def test_blocks_are_found_over_section_borders_nearest_first(scene: Scene) -> None:
    spots = [scene.at(-5, 0, 0), scene.at(3, 7, 0), scene.at(0, -9, 4), scene.at(2, 0, 0)]
    for spot in spots:
        await scene.put(spot, "gold_block")
    found = await scene.stage.bridge.query(scene.bot, FindBlocks(("gold_block", "nonsense"), 16))
    assert found == tuple(
        BlockSighting("gold_block", spot) for spot in sorted(spots, key=scene.origin.distance_to)
    )


async def test_looking_far_for_what_is_not_there_is_quick(scene: Scene) -> None:
    since = time.monotonic()
    assert await scene.stage.bridge.query(scene.bot, FindBlocks(("beacon",), 128)) == ()
    assert time.monotonic() - since < SCAN_WITHIN_S
