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

SCAN_WITHIN_S = 0.5  # the shortest of the tries: a busy machine delays the others
TRIES = 5


A_BAG_BUT_ONE = {"dirt": 35 * 64}
BUCKETS = {"milk_bucket": 3, "sugar": 2, "egg": 1, "wheat": 3}


@pytest.mark.parametrize(
    ("given", "item", "count", "made", "carried"),
    [
        ({"oak_planks": 3, "birch_planks": 3, "spruce_planks": 2}, "chest", 1, 1, {"chest": 1}),
        ({"charcoal": 1, "stick": 1}, "torch", 1, 4, {"torch": 4}),
        ({"oak_planks": 2, "birch_planks": 2}, "stick", 8, 8, {"stick": 8}),
        (BUCKETS, "cake", 1, 1, {"cake": 1, "bucket": 3}),
        ({"oak_log": 1}, "oak_planks", 4, 4, {"oak_planks": 4}),
        ({**A_BAG_BUT_ONE, "oak_log": 1}, "oak_planks", 1, 4, {**A_BAG_BUT_ONE, "oak_planks": 4}),
        ({**A_BAG_BUT_ONE, "oak_planks": 2}, "stick", 4, 4, {**A_BAG_BUT_ONE, "stick": 4}),
    ],
    ids=["planks of several woods", "the second of two ingredients", "rounds of several woods",
         "buckets are left", "by hand no table is needed", "the last log makes room",
         "a stack that is used up makes room"],
)  # fmt: skip
async def test_what_is_crafted_is_carried_and_nothing_else(
    scene: Scene, given: dict[str, int], item: str, count: int, made: int, carried: dict[str, int]
) -> None:
    for each, number in given.items():  # buckets do not stack
        for some in [1] * number if each == "milk_bucket" else [number]:
            await scene.give(**{each: some})
    is_wide = item in ("chest", "cake")
    table = await scene.put(scene.at(2, 0, 0), "crafting_table") if is_wide else None
    assert (await scene.done(Craft(item, count, table))).result == {"made": made}
    assert await scene.carries() == carried


@pytest.mark.parametrize(
    ("given", "item", "count", "reason"),
    [
        ({"oak_log": 1, "birch_log": 1}, "stick", 64, "missing_item"),
        ({**A_BAG_BUT_ONE, "oak_log": 2}, "oak_planks", 1, "inventory_full"),
    ],
)
async def test_a_craft_that_fails_loses_nothing(
    scene: Scene, given: dict[str, int], item: str, count: int, reason: str
) -> None:
    await scene.give(**given)
    finished = await scene.perform(Craft(item, count))
    assert (finished.outcome, finished.reason) == ("failed", reason)
    assert finished.result.get("made", 0) == 0
    assert await scene.carries() == given


@pytest.mark.parametrize("count", [1, 31, 64, 70, 150])
async def test_any_count_goes_in_and_out_over_several_stacks(scene: Scene, count: int) -> None:
    await scene.give(cobblestone=150, apple=1)
    chest = await scene.put(scene.at(2, 0, 0), "chest")
    await scene.done(OpenContainer(chest))
    assert (await scene.done(Deposit("cobblestone", count))).result == {"moved": count}
    assert await scene.chest(chest) == {"cobblestone": count}
    assert (await scene.carries())["cobblestone"] == 150 - count
    assert (await scene.done(Withdraw("cobblestone", -1))).result == {"moved": count}
    assert (await scene.done(Deposit("cobblestone", -1))).result == {"moved": 150}
    assert await scene.chest(chest) == {"cobblestone": 150}
    await scene.done(Withdraw("cobblestone", -1))
    await scene.done(CloseContainer())
    assert await scene.carries() == {"cobblestone": 150, "apple": 1}
    assert not await scene.chest(chest)


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


@pytest.mark.parametrize(
    ("fuel", "pieces", "ores", "reason", "carried"),
    [
        ("stick", 10, 3, None, {"iron_ingot": 3, "stick": 4}),  # a stick burns half an item
        ("stick", 2, 3, "missing_item", {"iron_ore": 2, "iron_ingot": 1}),
        ("apple", 1, 1, "no_recipe", {"iron_ore": 1, "apple": 1}),
    ],
    ids=["as much fuel as it needs", "fuel runs out", "what does not burn is given back"],
)
async def test_the_furnace_takes_and_gives_back(
    scene: Scene, fuel: str, pieces: int, ores: int, reason: str | None, carried: dict[str, int]
) -> None:
    await scene.give(iron_ore=ores, **{fuel: pieces})
    furnace = await scene.put(scene.at(2, 0, 0), "furnace")
    finished = await scene.perform(Smelt("iron_ore", fuel, furnace, ores))
    assert (finished.outcome, finished.reason) == ("failed" if reason else "done", reason)
    assert finished.result.get("made", 0) == carried.get("iron_ingot", 0)
    assert await scene.carries() == carried


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
    took_s: list[float] = []
    for _ in range(TRIES):
        since = time.monotonic()
        assert await scene.stage.bridge.query(scene.bot, FindBlocks(("beacon",), 128)) == ()
        took_s.append(time.monotonic() - since)
    assert min(took_s) < SCAN_WITHIN_S
