"""A full bag: room is made for what a step lacks, nothing is lost, and the end tells of it."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.goal_runs import HERE, reach
from support.job_runs import pass_until_done
from support.rig import Rig, run_json

from bots.access.sources import FACTS
from bots.bot.episode import Episode
from bots.knowledge.episodes import in_words
from bridge.world import MobSighting, PlayerName, Position

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("alice_in_the_country")]

SLOTS = 36
PLACED_WITHIN_S = 30.0
KINDS = ("granite", "dirt", "cobblestone", "sand", "bricks", "white_wool", "glass")
TWO_KINDS = "inventory.oak_log:1 inventory.dirt:1"
TWO_STACKS_OF_32_LOGS = "inventory.oak_planks:128"
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
WAYS = (Position(10, 64, 8), Position(6, 64, 8), Position(8, 64, 10), Position(8, 64, 6))
"""Where the bot throws things from where it stands at first."""


def fill(rig: Rig, item: str, slots: int = SLOTS, size: int = 64) -> None:
    for _ in range(slots):
        rig.world.give("Alice", item, size)


def lying(rig: Rig) -> dict[str, int]:
    drops = rig.world.terrain().drops_within(HERE, 30)
    return {drop.item: sum(one.count for one in drops if one.item == drop.item) for drop in drops}


def blocks_put(rig: Rig, name: str) -> list[Position]:
    return [at for at, block in rig.world.terrain().changes if block == name]


async def given_today(rig: Rig, item: str, count: int, by: str = "Steve", days: int = 0) -> None:
    alice = rig.bots["Alice"]
    episode = Episode("received", item, count, by)
    at = alice.times.clock() - timedelta(days=days)
    await alice.note_episode(episode, in_words(episode), FACTS, at)


async def test_a_goal_that_needs_no_slot_leaves_the_bag_alone(rig: Rig) -> None:
    rig.world.give("Alice", "oak_log")
    for slot in range(SLOTS - 1):
        fill(rig, KINDS[slot % len(KINDS)], 1)
    before = carried(rig)
    result = await reach(rig, "inventory.oak_planks:4")
    assert result["success"] is True, result
    del before["oak_log"]
    assert (carried(rig), lying(rig)) == ({**before, "oak_planks": 4}, {})


async def test_one_slot_is_made_of_the_least_worth_and_told_with_its_place(rig: Rig) -> None:
    fill(rig, "gold_ingot", SLOTS - 3)
    fill(rig, "cobblestone", 2)
    fill(rig, "dirt", 1)
    result = await reach(rig, "inventory.oak_log:2")
    assert (result["success"], lying(rig)) == (True, {"dirt": 64})
    (drop,) = rig.world.terrain().drops_within(HERE, 30)
    at = drop.position.block
    assert result["message"].endswith(f" I left 64 dirt at {at.x:g} {at.y:g} {at.z:g}.")


@pytest.mark.parametrize("item", ["chest", "barrel"])
async def test_what_it_carries_to_keep_things_in_is_put_down_and_used(rig: Rig, item: str) -> None:
    rig.world.give("Alice", item)
    fill(rig, "gold_ingot", SLOTS - 1)
    result = await reach(rig, TWO_KINDS)
    (where,) = blocks_put(rig, item)
    assert (result["success"], lying(rig)) == (True, {})
    assert rig.world.terrain().chest(where).count("gold_ingot") > 0
    assert "gold_ingot into the chest at" in result["message"]


async def test_when_nothing_else_makes_room_it_goes_back_to_its_chest(rig: Rig) -> None:
    far = Position(68, 64, 8)
    rig.world.give("Alice", "chest")
    rig.world.teleport("Alice", Position(66.5, 64, 8.5))
    order = f"!skill place chest {far.x} {far.y} {far.z}"
    placing = asyncio.create_task(run_json(rig.bots["Alice"], order))
    await pass_until_done(rig, placing, PLACED_WITHIN_S)
    rig.world.teleport("Alice", HERE)
    fill(rig, "gold_ingot", SLOTS)
    result = await reach(rig, TWO_KINDS)
    assert (result["success"], lying(rig)) == (True, {}), result
    assert rig.world.terrain().chest(far).count("gold_ingot") > 0


@pytest.mark.parametrize(
    "wood",
    [
        {"oak_planks": 8, "iron_axe": 1, "iron_shovel": 1},
        {"oak_log": 2, "oak_planks": 20},
        {"birch_log": 2, "birch_planks": 56, "crafting_table": 1},
        {"spruce_planks": 64, "crafting_table": 1},
    ],
    ids=["planks", "logs onto planks", "logs and a table", "a table alone makes the slot"],
)
async def test_without_a_chest_spare_wood_makes_one(rig: Rig, wood: dict[str, int]) -> None:
    if "crafting_table" not in wood:
        put(rig, "crafting_table", (10, GROUND, 10))
    for item, count in wood.items():
        rig.world.give("Alice", item, count)
    fill(rig, "gold_ingot", SLOTS - len(wood))
    has_logs = any(item.endswith("_log") for item in wood)
    result = await reach(rig, "inventory.dirt:70" if has_logs else TWO_KINDS)
    (where,) = blocks_put(rig, "chest")
    assert (result["success"], lying(rig)) == (True, {})
    assert rig.world.terrain().chest(where).count("gold_ingot") > 0
    assert "gold_ingot into the chest at" in result["message"]


@pytest.mark.parametrize(
    ("helper", "thrown"), [(("granite", 64), {"granite": 64}), (("birch_log", 1), {})]
)
async def test_the_slot_for_a_chest_comes_of_one_stack_of_rubble_or_of_few_logs(
    rig: Rig, helper: tuple[str, int], thrown: dict[str, int]
) -> None:
    put(rig, "crafting_table", (10, GROUND, 10))
    wood = (("oak_planks", 64), ("birch_planks", 20), ("iron_axe", 1), ("iron_shovel", 1), helper)
    for item, count in wood:
        rig.world.give("Alice", item, count)
    fill(rig, "gold_ingot", SLOTS - len(wood))
    result = await reach(rig, TWO_KINDS)
    (where,) = blocks_put(rig, "chest")
    assert (result["success"], lying(rig)) == (True, thrown)
    assert rig.world.terrain().chest(where).count("gold_ingot") > 0


async def test_of_wood_that_is_needed_or_without_a_table_no_chest_is_made(rig: Rig) -> None:
    rig.world.give("Alice", "oak_planks", 8)
    fill(rig, "gold_ingot", SLOTS - 1)
    assert (await reach(rig, "inventory.dirt:1"))["reason"] == "inventory_full"
    put(rig, "crafting_table", (10, GROUND, 10))
    result = await reach(rig, "inventory.oak_planks:8 inventory.dirt:1")
    assert (result["reason"], carried(rig)["oak_planks"]) == ("inventory_full", 8)
    assert not blocks_put(rig, "chest")


async def test_a_chest_in_the_bag_that_makes_the_room_itself_stays_empty(rig: Rig) -> None:
    rig.world.give("Alice", "chest")
    fill(rig, "gold_ingot", SLOTS - 1)
    result = await reach(rig, "inventory.oak_log:1")
    (where,) = blocks_put(rig, "chest")
    assert (result["success"], rig.world.terrain().chest(where).counts()) == (True, {})


async def test_a_bag_of_tools_goes_into_its_own_chest_the_poorest_first(rig: Rig) -> None:
    rig.world.give("Alice", "chest")
    rig.world.give("Alice", "wooden_pickaxe")
    fill(rig, "iron_pickaxe", SLOTS - 2, 1)
    result = await reach(rig, TWO_KINDS)
    (where,) = blocks_put(rig, "chest")
    assert result["success"] is True, result
    assert rig.world.terrain().chest(where).counts() == {"wooden_pickaxe": 1}


@pytest.mark.parametrize("item", ["iron_pickaxe", "gold_ingot", "oak_door"])
async def test_when_nothing_may_go_it_says_so_and_breaks_nothing(rig: Rig, item: str) -> None:
    fill(rig, item, SLOTS, 1 if item == "iron_pickaxe" else 64)
    before = carried(rig)
    result = await reach(rig, "inventory.oak_log:1")
    assert (result["reason"], carried(rig), lying(rig)) == ("inventory_full", before, {})
    assert result["message"].startswith("I need 1 free slot for oak_log, and the bag is full")
    assert "give me a chest to put down" in result["message"]
    assert not blocks_put(rig, "air")


async def test_what_would_not_make_enough_room_is_not_thrown_away(rig: Rig) -> None:
    rig.world.give("Alice", "oak_log", 32)
    fill(rig, "iron_pickaxe", SLOTS - 2, 1)
    fill(rig, "dirt", 1)
    result = await reach(rig, TWO_STACKS_OF_32_LOGS)
    assert (result["reason"], lying(rig)) == ("inventory_full", {})


async def test_what_a_person_gave_today_is_never_left_or_put_away(rig: Rig) -> None:
    fill(rig, "dirt")
    await given_today(rig, "dirt", SLOTS * 64)
    result = await reach(rig, "inventory.oak_log:1")
    assert (result["reason"], lying(rig)) == ("inventory_full", {})


@pytest.mark.parametrize(("by", "days"), [("Steve", 2), ("Alice", 0)])
async def test_old_gifts_and_gifts_of_bots_are_rubble(rig: Rig, by: str, days: int) -> None:
    fill(rig, "dirt")
    await given_today(rig, "dirt", SLOTS * 64, by, days)
    assert (await reach(rig, "inventory.oak_log:1"))["success"] is True
    assert lying(rig) == {"dirt": 64}


async def test_the_chest_of_a_player_is_not_used_by_a_full_bag(rig: Rig) -> None:
    at = Position(11, GROUND, 8)
    rig.world.set_block(at, "chest")
    await carry_out(rig, "!navigation chestOpen")
    fill(rig, "gold_ingot")
    assert (await reach(rig, "inventory.oak_log:1"))["reason"] == "inventory_full"
    assert rig.world.terrain().chest(at).counts() == {}


async def test_a_chest_with_too_little_room_takes_what_fits(rig: Rig) -> None:
    at = Position(11, GROUND, 8)
    rig.world.set_block(at, "chest")
    rig.world.terrain().chest(at).add("diamond", 64 * 26)
    await run_json(rig.bots["Alice"], "!chest allow 11 64 8")
    rig.world.give("Alice", "oak_log", 32)
    fill(rig, "cobblestone", SLOTS - 1)
    result = await reach(rig, TWO_STACKS_OF_32_LOGS)
    assert (result["success"], lying(rig)) == (True, {"cobblestone": 64})
    assert rig.world.terrain().chest(at).count("cobblestone") == 64


async def test_its_chest_does_not_join_the_chest_of_a_player(rig: Rig) -> None:
    theirs = [(x, GROUND, z) for x in (7, 10) for z in (7, 9)]
    put(rig, "chest", *theirs)
    rig.world.give("Alice", "chest")
    fill(rig, "gold_ingot", SLOTS - 1)
    assert (await reach(rig, "inventory.oak_log:1"))["success"] is True
    (mine,) = [at for at in blocks_put(rig, "chest") if (at.x, at.y, at.z) not in theirs]
    sides = [Position(mine.x + dx, mine.y, mine.z + dz) for dx, dz in SIDES]
    assert "chest" not in [rig.world.block(side) for side in sides]


async def test_nothing_is_thrown_into_lava_or_at_a_person(rig: Rig) -> None:
    put(rig, "lava", (10, GROUND - 1, 8), (8, GROUND - 1, 10))
    rig.world.enter(PlayerName("Steve"), Position(5.5, GROUND, 8.5))
    fill(rig, "dirt")
    result = await reach(rig, "inventory.oak_log:1")
    assert result["success"] is True, result
    (drop,) = rig.world.terrain().drops_within(HERE, 30)
    assert drop.position.block == Position(8, GROUND, 6)


async def test_where_lava_is_all_around_nothing_is_thrown(rig: Rig) -> None:
    put(rig, "lava", *((int(at.x), GROUND - 1, int(at.z)) for at in WAYS))
    fill(rig, "dirt")
    result = await reach(rig, "inventory.oak_log:1")
    assert (result["reason"], lying(rig)) == ("inventory_full", {})


async def test_it_throws_through_the_gap_and_tells_only_what_still_lies_there(rig: Rig) -> None:
    walls = [(x, y, z) for x, z in ((9, 8), (7, 8), (8, 9)) for y in (GROUND, GROUND + 1)]
    put(rig, "stone", *walls)
    fill(rig, "dirt")
    result = await reach(rig, "inventory.oak_log:1")
    (drop,) = rig.world.terrain().drops_within(HERE, 30)  # it walked over what it threw first
    at = drop.position.block
    assert (result["success"], drop.count, result["replans"]) == (True, 64, 1)
    assert result["message"].count("I left") == 1
    assert result["message"].endswith(f" I left 64 dirt at {at.x:g} {at.y:g} {at.z:g}.")


async def test_a_gathering_job_makes_room_and_tells_of_it(rig: Rig) -> None:
    fill(rig, "dirt")
    result = await carry_out(rig, "!skill gather oak_log 2")
    assert (result["success"], lying(rig)) == (True, {"dirt": 64})
    assert " I left 64 dirt at " in result["message"]


async def test_a_gathering_that_finds_nothing_throws_nothing_away(rig: Rig) -> None:
    fill(rig, "dirt")
    assert (await carry_out(rig, "!skill gather sand"))["reason"] == "not_found"
    assert lying(rig) == {}


@pytest.mark.parametrize(
    ("held", "order", "product"),
    [
        ({"oak_log": 2}, "!skill craft oak_planks 4", "oak_planks"),
        ({"iron_ore": 2, "coal": 1}, "!skill smelt iron_ore 1", "iron_ingot"),
    ],
)
async def test_crafting_and_smelting_make_the_room_they_lack(
    rig: Rig, held: dict[str, int], order: str, product: str
) -> None:
    put(rig, "furnace", (10, GROUND, 10))
    for item, count in held.items():
        rig.world.give("Alice", item, count)
    fill(rig, "dirt", SLOTS - len(held))
    result: dict[str, Any] = await carry_out(rig, order)
    assert result["success"] is True, result
    assert (carried(rig)[product] > 0, lying(rig)) == (True, {"dirt": 64})
    assert "I left 64 dirt at" in result["message"]


@pytest.mark.parametrize(("item", "tool"), [("leather", "iron_sword"), ("cod", "fishing_rod")])
async def test_hunting_and_fishing_make_the_room_they_lack(rig: Rig, item: str, tool: str) -> None:
    put(rig, "water", *((x, GROUND - 1, z) for x in range(12, 15) for z in range(6, 11)))
    for number in (1, 2, 3):
        at = Position(HERE.x - 2.0 * number, GROUND, HERE.z)
        rig.world.mobs.append(MobSighting("cow", at, hostile=False, id=number))
    rig.world.give("Alice", tool)
    fill(rig, "dirt", SLOTS - 1)
    result = await reach(rig, f"inventory.{item}:1")
    assert (result["success"], carried(rig)[item] >= 1) == (True, True), result
    assert 64 <= lying(rig)["dirt"] <= 2 * 64
    assert carried(rig)["dirt"] + lying(rig)["dirt"] == (SLOTS - 1) * 64
    assert " dirt at " in result["message"]
