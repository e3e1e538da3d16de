"""Z4 to Z9, defects of a planner towards goals, as far as jobs and skills could have them.

Those of goals themselves: test_goal_runner_defects.py.
"""

import asyncio
from collections import Counter
from typing import Any

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.job_runs import begin
from support.rig import Rig, rig_with_alice, run_json, until

from bots.bot.bot import Bot
from bridge.world import Position

pytestmark = pytest.mark.slow

HERE = Position(8.5, GROUND, 8.5)
NEAR = (11, GROUND, 8)
LOGS = tuple((x, GROUND, z) for x in (14, 16) for z in range(0, 12, 2))  # no pile
A_WHILE_S = 60.0
GOING = "!navigation gotoCoords 60 64 8"
GATHERING = "!skill gather oak_log 4"
SMELTING = "!skill smelt iron_ore 3"

NEEDS = {
    "stick": {"oak_planks": 2},
    "crafting_table": {"oak_planks": 4},
    "chest": {"oak_planks": 8},
    "wooden_pickaxe": {"oak_planks": 3, "stick": 2},
    "stone_pickaxe": {"cobblestone": 3, "stick": 2},
    "furnace": {"cobblestone": 8},
}
PARTIAL_STOCKS: tuple[dict[str, int], ...] = (
    {},
    {"oak_log": 2, "oak_planks": 8},
    {"oak_planks": 1, "stick": 3},
    {"stick": 1, "crafting_table": 1, "wooden_pickaxe": 1, "chest": 1},
)
IRON_AND_DIAMOND = {
    "iron_pickaxe": {"iron_ingot": 3, "stick": 2},
    "iron_sword": {"iron_ingot": 2, "stick": 1},
    "bucket": {"iron_ingot": 3},
    "diamond_pickaxe": {"diamond": 3, "stick": 2},
}
CLUTTER = ("dirt", "sand", "gravel", "oak_log", "birch_planks", "coal", "iron_ore", "gold_ingot")
rig = rig_with_alice(HERE)


def give(rig: Rig, **items: int) -> None:
    for item, count in items.items():
        assert rig.world.give("Alice", item, count) == 0


def lying_logs(rig: Rig) -> int:
    return sum(rig.world.block(Position(*cell)) == "oak_log" for cell in LOGS)


async def are_dug(rig: Rig, count: int) -> None:
    async with asyncio.timeout(60):
        while lying_logs(rig) > len(LOGS) - count:
            await rig.world.clock.advance(0.1)


# --- Z4: overlapping jobs -------------------------------------------------------------


@pytest.mark.parametrize("first", [GOING, GATHERING, SMELTING])
@pytest.mark.parametrize("second", [GOING, GATHERING, SMELTING])
async def test_z04_the_end_of_a_replaced_job_leaves_its_successor_listed_and_stoppable(
    rig: Rig, alice: Bot, first: str, second: str
) -> None:
    put(rig, "oak_log", *LOGS)
    put(rig, "furnace", NEAR)
    give(rig, iron_ore=8, coal=2)
    older = await begin(rig, alice, first)
    await rig.world.clock.advance(0.5)
    newer = asyncio.create_task(run_json(alice, second))
    assert (await older)["reason"] == "replaced"
    await until(lambda: rig.bridge.running_actions)
    await rig.world.clock.advance(0.5)
    name = " ".join(second.split()[:2])
    assert alice.doing == [name]
    assert (await run_json(alice, "!status"))["doing"] == [name]
    assert (await run_json(alice, "!stop"))["stoppedActions"] == [name]
    assert (await newer)["reason"] == "stopped"
    before = (rig.world.body("Alice").position, carried(rig))
    await rig.world.clock.advance(A_WHILE_S)
    assert (rig.world.body("Alice").position, carried(rig)) == before
    assert (rig.bridge.running_actions, alice.doing) == (0, [])


async def test_z04_a_stop_between_two_ends_the_next(rig: Rig, alice: Bot) -> None:
    put(rig, "oak_log", *LOGS)
    begun = await begin(rig, alice, GOING)
    orders = (GATHERING, GOING, GATHERING)
    later = [asyncio.create_task(run_json(alice, order)) for order in orders]
    await until(lambda: alice.doing == ["!skill gather"])
    await run_json(alice, "!stop")
    reasons = [(await order)["reason"] for order in (begun, *later)]
    assert reasons == ["replaced", "replaced", "replaced", "stopped"]
    await rig.world.clock.advance(A_WHILE_S)
    assert (rig.bridge.running_actions, alice.doing, carried(rig)) == (0, [], {})


# --- Z5: success without the thing --------------------------------------------------------


async def test_z05_stone_is_gathered_when_its_cobblestone_is_carried(rig: Rig) -> None:
    give(rig, wooden_pickaxe=1, cobblestone=5)
    put(rig, "stone", NEAR, (12, GROUND, 8))
    result = await carry_out(rig, "!skill gather stone 2")
    assert (result["success"], result["gathered"], result["have"]) == (True, 2, 7)
    assert carried(rig) == {"wooden_pickaxe": 1, "cobblestone": 7}


async def snatched(rig: Rig, logs: int, of_them: int) -> dict[str, Any]:
    """The result of gathering three of so many logs, where Steve gets hold of the first few."""
    put(rig, "oak_log", *LOGS[:logs])
    steve = rig.world.person("Steve", Position(40.5, GROUND, 40.5))
    from_afar = '!skill gather {"itemName": "oak_log", "count": 3, "approachRange": 4}'
    gathering = asyncio.create_task(run_json(rig.bots["Alice"], from_afar))
    while not gathering.done():
        await rig.world.clock.advance(0.05)
        lying = rig.world.terrain().drops
        if lying and carried(rig, "Steve").get("oak_log", 0) < of_them:
            steve.move_to(lying[0].position)
            steve.move_to(Position(40.5, GROUND, 40.5))
    assert carried(rig, "Steve") == {"oak_log": of_them}
    return await gathering


async def test_z05_what_somebody_else_picked_up_is_dug_once_more(rig: Rig) -> None:
    result = await snatched(rig, logs=4, of_them=1)
    assert (result["success"], result["dug"], result["gathered"]) == (True, 4, 3)
    assert carried(rig) == {"oak_log": 3}


async def test_z05_without_more_of_it_what_somebody_else_picked_up_is_missing(rig: Rig) -> None:
    result = await snatched(rig, logs=3, of_them=2)
    assert (result["success"], result["dug"]) == (False, 3)
    assert (result["gathered"], result["have"], carried(rig)) == (1, 1, {"oak_log": 1})


# --- Z6: short delivery -------------------------------------------------------------------


@pytest.mark.parametrize("held", [0, 2, 3, 64])
async def test_z06_three_ingots_are_three_more_than_before(rig: Rig, held: int) -> None:
    put(rig, "furnace", NEAR)
    give(rig, iron_ore=3, coal=1, iron_ingot=held)
    result = await carry_out(rig, SMELTING)
    assert (result["success"], result["made"]) == (True, 3)
    assert carried(rig) == {"iron_ingot": held + 3}


@pytest.mark.parametrize("held", [0, 2, 3, 64])
async def test_z06_two_more_of_three_are_a_failure_with_the_count(rig: Rig, held: int) -> None:
    put(rig, "oak_log", *LOGS[:2])
    give(rig, oak_log=held)
    result = await carry_out(rig, "!skill gather oak_log 3")
    assert (result["success"], result["gathered"], result["have"]) == (False, 2, held + 2)
    assert result["message"].startswith("Got 2 of 3 oak_log")


@pytest.mark.parametrize(
    ("order", "product", "held"),
    [
        (SMELTING, "iron_ingot", {"iron_ore": 3, "coal": 2}),
        ("!skill craft oak_planks 8", "oak_planks", {"oak_log": 3, "oak_planks": 62}),
    ],
)
async def test_z06_what_was_made_and_found_no_room_is_a_failure_with_the_count(
    rig: Rig, order: str, product: str, held: dict[str, int]
) -> None:
    put(rig, "furnace", NEAR)
    give(rig, **held, gold_ingot=34 * 64)
    result = await carry_out(rig, order)
    assert (result["success"], result["reason"]) == (False, "inventory_full")
    assert result["made"] == carried(rig)[product] - held.get(product, 0) < result["count"]
    assert result["message"].startswith(f"Got {result['made']} of {result['count']} {product}")


# --- Z7: partial stock --------------------------------------------------------------------


@pytest.mark.parametrize("item", [*NEEDS])
@pytest.mark.parametrize("more", PARTIAL_STOCKS, ids="_".join)
async def test_z07_what_is_held_besides_makes_no_craft_fail(
    rig: Rig, item: str, more: dict[str, int]
) -> None:
    put(rig, "crafting_table", NEAR)
    give(rig, **NEEDS[item])
    give(rig, **more)
    held = Counter(carried(rig))
    result = await carry_out(rig, f"!skill craft {item}")
    assert result["success"] is True, result
    used = sum(NEEDS[item].values())
    assert sum(carried(rig).values()) == held.total() - used + result["made"]
    assert carried(rig)[item] == held[item] + result["made"]


@pytest.mark.parametrize("held", PARTIAL_STOCKS, ids="_".join)
async def test_z07_steps_from_nothing_work_from_any_stock(rig: Rig, held: dict[str, int]) -> None:
    put(rig, "oak_log", *LOGS)
    give(rig, **held)
    for order in (
        *("!skill gather oak_log 6", "!skill craft oak_planks 20", "!skill craft crafting_table"),
        *("!skill craft stick 4", "!skill craft wooden_pickaxe", "!skill craft chest"),
    ):
        result = await carry_out(rig, order)
        assert result["success"] is True, (order, result)
    assert carried(rig)["wooden_pickaxe"] == held.get("wooden_pickaxe", 0) + 1
    assert carried(rig)["chest"] == held.get("chest", 0) + 1


# --- Z8: what was never planned directly --------------------------------------------------


@pytest.mark.parametrize("item", [*IRON_AND_DIAMOND])
@pytest.mark.parametrize("count", [1, 3])
async def test_z08_iron_and_diamond_things_are_made_at_once(
    rig: Rig, alice: Bot, item: str, count: int
) -> None:
    put(rig, "crafting_table", NEAR)
    needs = {name: each * count for name, each in IRON_AND_DIAMOND[item].items()}
    give(rig, **needs)
    give(rig, **dict.fromkeys(CLUTTER, 64))
    result = await carry_out(rig, f"!skill craft {item} {count}")
    assert (result["success"], result["made"]) == (True, count)
    assert carried(rig) == {item: count, **dict.fromkeys(CLUTTER, 64)}
    lacking = await run_json(alice, f"!skill craft {item}")
    assert (lacking["reason"], lacking["missing"]) == ("missing_item", IRON_AND_DIAMOND[item])


# --- Z9: repeated and replaced orders -----------------------------------------------------


@pytest.mark.parametrize(("held", "now"), [(0, 12), (8, 20), (64, 76)])
async def test_z09_ten_more_planks_take_the_fewest_rounds(rig: Rig, held: int, now: int) -> None:
    give(rig, oak_log=20, oak_planks=held)
    result = await carry_out(rig, "!skill craft oak_planks 10")
    assert (result["made"], result["have"]) == (12, now)
    assert carried(rig) == {"oak_log": 17, "oak_planks": now}


@pytest.mark.parametrize("held", [0, 3, 4, 64])
async def test_z09_gathering_brings_exactly_so_many_more(rig: Rig, held: int) -> None:
    put(rig, "oak_log", *LOGS)
    give(rig, oak_log=held)
    result = await carry_out(rig, GATHERING)
    assert (result["before"], result["gathered"], result["dug"]) == (held, 4, 4)
    await rig.world.clock.advance(A_WHILE_S)
    assert (carried(rig)["oak_log"], lying_logs(rig)) == (held + 4, len(LOGS) - 4)


@pytest.mark.parametrize("ended", ["stopped", "replaced"])
async def test_z09_a_cut_order_adds_nothing_to_the_next(rig: Rig, alice: Bot, ended: str) -> None:
    put(rig, "oak_log", *LOGS)
    cut_short = await begin(rig, alice, GATHERING)
    await are_dug(rig, 2)
    if ended == "stopped":
        await run_json(alice, "!stop")
    again = await carry_out(rig, GATHERING)
    assert (await cut_short)["reason"] == ended
    assert again["gathered"] >= 4 >= again["dug"]
    await rig.world.clock.advance(A_WHILE_S)
    assert carried(rig)["oak_log"] == again["have"] <= len(LOGS) - lying_logs(rig) <= 3 + 4
