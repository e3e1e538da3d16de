"""Z4 to Z9, defects of another planner towards goals: none of them is ours."""

import asyncio

import pytest
from support.acting import carried
from support.goal_runs import WITHIN_S, begin, reach, traced, when
from support.job_runs import pass_until_done
from support.rig import Rig, run_json, until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("alice_in_the_country")]

A_WHILE_S = 60.0
GOING = "!navigation gotoCoords 60 64 8"
PARTIAL_STOCKS: tuple[dict[str, int], ...] = (
    {"oak_log": 1},
    {"oak_log": 2, "oak_planks": 8},
    {"oak_planks": 1, "stick": 3},
    {"stick": 1, "crafting_table": 1, "wooden_pickaxe": 1, "chest": 1},
)


def give(rig: Rig, **items: int) -> None:
    for item, count in items.items():
        assert rig.world.give("Alice", item, count) == 0


# --- Z4: overlapping goals ---------------------------------------------------------------


async def test_z04_a_goal_gives_way_to_the_next_which_can_be_stopped(rig: Rig) -> None:
    older = begin(rig, "inventory.chest:1")
    await when(rig, older, "gather oak_log")
    newer = begin(rig, "inventory.stone_pickaxe:1")
    assert (await older)["reason"] == "replaced"
    await until(lambda: rig.bridge.running_actions)
    alice = rig.bots["Alice"]
    assert (await run_json(alice, "!status"))["doing"] == ["!goal"]
    assert (await run_json(alice, "!stop"))["stoppedActions"] == ["!goal"]
    assert (await newer)["reason"] == "stopped"
    before = (rig.world.body("Alice").position, carried(rig))
    await rig.world.clock.advance(A_WHILE_S)
    assert (rig.world.body("Alice").position, carried(rig)) == before
    assert (rig.bridge.running_actions, alice.doing) == (0, [])


async def test_z04_another_job_takes_the_place_of_a_goal(rig: Rig) -> None:
    goal = begin(rig, "inventory.chest:1")
    await when(rig, goal, "gather oak_log")
    going = asyncio.create_task(run_json(rig.bots["Alice"], GOING))
    assert (await goal)["reason"] == "replaced"
    await pass_until_done(rig, going)
    assert (await going)["success"] is True
    assert "chest" not in carried(rig)


# --- Z5: success without the thing -------------------------------------------------------


async def test_z05_a_goal_of_stone_is_met_by_stone_alone(rig: Rig) -> None:
    result = await reach(rig, "inventory.stone:1")
    assert (result["success"], result["have"]) == (True, {"stone": 1})
    assert carried(rig)["stone"] == 1


async def test_z05_a_goal_of_ore_is_met_when_the_ore_is_carried(rig: Rig) -> None:
    result = await reach(rig, "inventory.iron_ore:1")
    assert result["success"] is True, result
    assert carried(rig)["iron_ore"] >= 1


async def test_z05_steps_that_all_went_well_are_no_proof(rig: Rig) -> None:
    running = begin(rig, "inventory.oak_log:3 inventory.stick:4")
    await when(rig, running, "gather oak_log")
    rig.world.body("Alice").inventory.take("oak_log")
    await pass_until_done(rig, running, WITHIN_S)
    assert (await running)["success"] is True
    assert carried(rig)["oak_log"] == 3
    assert (len(traced(rig, "goal.planned")), traced(rig, "goal.step_failed")) == (2, [])


# --- Z6: short delivery ------------------------------------------------------------------


@pytest.mark.parametrize("held", [0, 2, 3])
async def test_z06_three_ingots_are_three_in_all(rig: Rig, held: int) -> None:
    give(rig, iron_ingot=held)
    result = await reach(rig, "inventory.iron_ingot:3")
    assert (result["success"], result["have"]) == (True, {"iron_ingot": 3})
    assert carried(rig)["iron_ingot"] == 3


# --- Z7: partial stock -------------------------------------------------------------------


@pytest.mark.parametrize("goal", ["chest", "wooden_pickaxe", "stone_pickaxe", "furnace"])
@pytest.mark.parametrize("held", PARTIAL_STOCKS, ids="_".join)
async def test_z07_what_is_held_already_makes_no_goal_fail(
    rig: Rig, goal: str, held: dict[str, int]
) -> None:
    give(rig, **held)
    result = await reach(rig, f"inventory.{goal}:+1")
    assert result["success"] is True, result
    assert carried(rig)[goal] == held.get(goal, 0) + 1


# --- Z8: what was never planned directly ---------------------------------------------------


@pytest.mark.parametrize("item", ["iron_sword", "bucket"])
async def test_z08_iron_things_are_made_from_nothing(rig: Rig, item: str) -> None:
    result = await reach(rig, f"inventory.{item}:1")
    assert (result["success"], result["replans"]) == (True, 0)
    assert carried(rig)[item] == 1


# --- Z9: inflation -----------------------------------------------------------------------


@pytest.mark.parametrize(("held", "now"), [(0, 12), (8, 12), (10, 10), (64, 64)])
async def test_z09_ten_planks_are_ten_in_all(rig: Rig, held: int, now: int) -> None:
    give(rig, oak_planks=held)
    result = await reach(rig, "inventory.oak_planks:10")
    assert (result["success"], carried(rig)["oak_planks"]) == (True, now)


@pytest.mark.parametrize(("held", "now"), [(0, 12), (8, 20), (64, 76)])
async def test_z09_ten_more_planks_are_ten_more(rig: Rig, held: int, now: int) -> None:
    give(rig, oak_planks=held)
    result = await reach(rig, "inventory.oak_planks:+10")
    assert result["goal"] == f"inventory.oak_planks:{held + 10}"
    assert carried(rig)["oak_planks"] == now


async def test_z09_failed_steps_do_not_raise_what_is_wanted(rig: Rig) -> None:
    give(rig, oak_planks=6)
    running = begin(rig, "inventory.oak_planks:+10")
    await when(rig, running, "gather oak_log")
    rig.world.body("Alice").inventory.take("oak_planks", 6)
    await pass_until_done(rig, running, WITHIN_S)
    assert (await running)["goal"] == "inventory.oak_planks:16"
    assert carried(rig)["oak_planks"] == 16
    assert len(traced(rig, "goal.planned")) == 2
