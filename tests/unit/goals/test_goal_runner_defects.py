"""Z5 to Z9, defects of another planner towards goals: none of them is ours."""

import pytest
from support.acting import carried
from support.goal_runs import WITHIN_S, begin, reach, traced, when
from support.job_runs import pass_until_done
from support.rig import Rig

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("alice_in_the_country")]

PARTIAL_STOCKS: tuple[dict[str, int], ...] = (
    {"oak_log": 1},
    {"oak_log": 2, "oak_planks": 8},
    {"oak_planks": 1, "stick": 3},
    {"stick": 1, "crafting_table": 1, "wooden_pickaxe": 1, "chest": 1},
)


def give(rig: Rig, **items: int) -> None:
    for item, count in items.items():
        assert rig.world.give("Alice", item, count) == 0


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
