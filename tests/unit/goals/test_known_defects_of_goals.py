"""Z5 to Z9, defects of a planner towards goals, as far as jobs and skills could have them.

Those of goals themselves: test_goal_runner_defects.py. Z4, of jobs that overlap: test_jobs.py.
"""

import asyncio
from collections import Counter
from typing import Any

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.rig import Rig, rig_with_alice, run_json

from bridge.world import Position

pytestmark = pytest.mark.slow

HERE = Position(8.5, GROUND, 8.5)
NEAR = (11, GROUND, 8)
LOGS = tuple((x, GROUND, z) for x in (14, 16) for z in range(0, 12, 2))  # no pile
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
rig = rig_with_alice(HERE)


def give(rig: Rig, **items: int) -> None:
    for item, count in items.items():
        assert rig.world.give("Alice", item, count) == 0


# --- Z5: success without the thing --------------------------------------------------------


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


# --- Z9: repeated and replaced orders -----------------------------------------------------


@pytest.mark.parametrize(("held", "now"), [(0, 12), (8, 20), (64, 76)])
async def test_z09_ten_more_planks_take_the_fewest_rounds(rig: Rig, held: int, now: int) -> None:
    give(rig, oak_log=20, oak_planks=held)
    result = await carry_out(rig, "!skill craft oak_planks 10")
    assert (result["made"], result["have"]) == (12, now)
    assert carried(rig) == {"oak_log": 17, "oak_planks": now}
