"""Goals carried out in the simulated world, undisturbed and disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.acting import GROUND, carried, put
from support.goal_runs import HERE, WITHIN_S, begin, furnish, order, reach, traced, when
from support.job_runs import pass_until_done
from support.town import Town, run_json, until

from bots.commands.goal import reach_goal
from bridge.world import Position

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    town = await Town.found(tmp_path)
    furnish(town)
    await town.bot("Alice", HERE)
    yield town
    await town.aclose()


def blocks_named(town: Town, name: str) -> list[Position]:
    return [where for where, block in town.world.terrain().changes if block == name]


async def ended(town: Town, running: asyncio.Task[dict[str, Any]]) -> dict[str, Any]:
    await pass_until_done(town, running, WITHIN_S)
    return await running


# --- undisturbed ------------------------------------------------------------------------


async def test_a_diamond_pickaxe_is_made_from_nothing(town: Town) -> None:
    result = await reach(town, "inventory.diamond_pickaxe:1")
    assert result["success"] is True, result
    assert (result["have"], result["replans"]) == ({"diamond_pickaxe": 1}, 0)
    assert carried(town)["diamond_pickaxe"] == 1


async def test_several_goals_are_reached_together(town: Town) -> None:
    result = await reach(town, ["inventory.stick:8", "inventory.crafting_table:1"])
    assert (result["success"], result["goal"]) == (
        True,
        "inventory.stick:8 inventory.crafting_table:1",
    )
    assert carried(town)["stick"] >= 8
    assert carried(town)["crafting_table"] == 1


async def test_what_is_so_already_takes_no_step(town: Town) -> None:
    town.world.give("Alice", "stick", 4)
    result = await reach(town, "inventory.stick:4")
    assert (result["success"], result["steps"], result["estimateS"]) == (True, 0, 0)
    assert result["message"] == "Already so: inventory.stick:4."
    assert traced(town, "goal.planned") == []


async def test_armour_is_worn_and_stays_worn(town: Town) -> None:
    town.world.give("Alice", "iron_helmet")
    assert (await reach(town, "equipment.iron_helmet:true"))["success"] is True
    assert town.world.body("Alice").worn == {"head": "iron_helmet"}
    again = await reach(town, "equipment.iron_helmet:true")
    assert (again["success"], again["steps"]) == (True, 0)


async def test_what_is_worn_is_had(town: Town) -> None:
    town.world.give("Alice", "iron_helmet")
    town.world.body("Alice").equip("iron_helmet")
    result = await reach(town, "inventory.iron_helmet:1")
    assert (result["success"], result["steps"], result["have"]) == (True, 0, {"iron_helmet": 1})


async def test_what_the_plan_leaves_alone_is_not_used_up(town: Town) -> None:
    town.world.give("Alice", "oak_planks", 8)
    town.world.give("Alice", "birch_planks", 4)
    result = await reach(town, "inventory.oak_planks:8 inventory.crafting_table:1")
    assert (result["success"], result["steps"]) == (True, 1)
    assert carried(town) == {"oak_planks": 8, "crafting_table": 1}


async def test_a_tool_is_made_and_held(town: Town) -> None:
    assert (await reach(town, "equipment.wooden_pickaxe:true"))["success"] is True
    held = town.world.body("Alice").held
    assert held is not None
    assert held.name == "wooden_pickaxe"


async def test_blocks_are_placed_till_so_many_stand(town: Town) -> None:
    put(town, "furnace", (6, GROUND, 8))
    town.world.give("Alice", "furnace")
    result = await reach(town, "placed.furnace:2")
    assert result["success"] is True, result
    assert len(blocks_named(town, "furnace")) == 2


async def test_a_position_is_walked_to(town: Town) -> None:
    result = await reach(town, "position:3,64,3")
    assert result["success"] is True, result
    assert town.world.body("Alice").position.distance_to(Position(3.5, GROUND, 3.5)) <= 1


async def test_estimate_and_time_of_every_step_are_traced(town: Town) -> None:
    result = await reach(town, "inventory.wooden_pickaxe:1")
    steps = traced(town, "goal.step_done")
    (plan,) = traced(town, "goal.planned")
    assert len(steps) == result["steps"] == len(plan["steps"])
    assert all(step["estimateS"] > 0 and step["tookS"] >= 0 for step in steps)
    assert result["estimateS"] == pytest.approx(sum(step["estimateS"] for step in steps), abs=0.1)
    assert result["tookS"] >= sum(step["tookS"] for step in steps) - 0.1


async def test_progress_tells_the_step_and_how_far_it_is(town: Town) -> None:
    await reach(town, "inventory.oak_planks:4")
    told = [(entry["stage"], entry["what"]) for entry in traced(town, "job.progressed")]
    assert told[0] == ("step 1 of 2", "gather oak_log")
    assert ("step 2 of 2", "craft oak_planks") in told


async def test_who_whispers_a_goal_hears_the_plan_the_estimate_and_the_end(town: Town) -> None:
    steve = town.world.person("Steve", Position(6.5, GROUND, 6.5))
    steve.whisper("Alice", order("inventory.wooden_pickaxe:1"))
    jobs = town.bots["Alice"].jobs
    await until(lambda: jobs.current and jobs.current.intent)  # a thread is thinking
    async with asyncio.timeout(WITHIN_S):
        while not any("Done" in line.text for line in steve.inbox):
            await town.world.clock.advance(0.5)
            await asyncio.sleep(0.001)
    told = " ".join(line.text for line in steve.inbox)
    assert told.startswith("On it: inventory.wooden_pickaxe:1, 6 steps, about ")
    assert "gather 3 oak_log, craft 12 oak_planks" in told
    assert "Done: inventory.wooden_pickaxe:1, in " in told


async def test_it_comes_up_again_when_it_is_done_in_the_depth(town: Town) -> None:
    town.world.give("Alice", "iron_pickaxe")
    put(town, "gold_ore", (9, GROUND - 25, 9))
    result = await reach(town, "inventory.gold_ore:1", range=30)
    assert result["success"] is True, result
    assert town.world.body("Alice").position.distance_to(HERE) <= 8


async def test_it_climbs_out_of_the_pit_it_dug(town: Town) -> None:
    town.world.give("Alice", "stone_pickaxe")
    result = await reach(town, "inventory.cobblestone:16")
    assert result["success"] is True, result
    assert town.world.body("Alice").position.distance_to(HERE) <= 2


async def test_python_gives_a_goal_to_a_bot(town: Town) -> None:
    town.world.give("Alice", "stick", 4)
    result = await reach_goal(town.bots["Alice"], "inventory.stick:4")
    assert result.as_json()["message"] == "Already so: inventory.stick:4."


# --- refused ------------------------------------------------------------------------------


async def test_the_impossible_is_told_with_what_lacks_and_recorded(town: Town) -> None:
    result = await reach(town, "inventory.wheat:1")
    assert (result["success"], result["reason"]) == (False, "impossible")
    (missing,) = result["missing"]
    assert (missing["item"], missing["need"], missing["have"]) == ("wheat", 1, 0)
    assert missing["why"]
    recorded = town.bots["Alice"].get_conversation_history(type="system_info")
    assert [message.content for message in recorded] == [result["message"]]


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("inventory.log:1", "category"),
        ("inventory.stik:1", "unknown_item"),
        ("stick", "invalid_format"),
        ("inventory.stick:0", "invalid_format"),
    ],
)
async def test_a_goal_that_makes_no_sense_is_refused_before_anything_is_done(
    town: Town, goal: str, reason: str
) -> None:
    result = await reach(town, goal)
    assert (result["success"], result["reason"]) == (False, reason)
    assert traced(town, "goal.planned") == []


async def test_a_goal_is_given_in_words_a_list_or_an_object(town: Town) -> None:
    town.world.give("Alice", "stick", 9)
    alice = town.bots["Alice"]
    for text in (
        "!goal inventory.stick:9",
        order(["inventory.stick:9"]),
        order({"inventory.stick": 9}),
    ):
        assert (await run_json(alice, text))["success"] is True, text


# --- out of sight -------------------------------------------------------------------------


async def test_what_is_out_of_sight_is_looked_for(town: Town) -> None:
    put(town, "spruce_log", (8 + 24, GROUND, 8), (8 + 24, GROUND + 1, 8))
    result = await reach(town, "inventory.spruce_planks:4", outlooks=4)
    assert result["success"] is True, result
    (plan,) = traced(town, "goal.planned")
    assert plan["steps"][0] == "gather 1 spruce_log"
    assert traced(town, "goal.sought")[0]["blocks"] == ["spruce_log"]


async def test_the_search_for_what_is_nowhere_ends(town: Town) -> None:
    result = await reach(town, "inventory.spruce_planks:4", outlooks=3)
    assert (result["success"], result["reason"]) == (False, "impossible")
    assert "I looked for spruce_log at 3 places further on." in result["message"]
    assert len(traced(town, "goal.sought")) == 3


async def test_what_no_country_holds_is_not_looked_for(town: Town) -> None:
    result = await reach(town, "inventory.wheat:1", outlooks=3)
    assert (result["reason"], traced(town, "goal.sought")) == ("impossible", [])


# --- disturbed ----------------------------------------------------------------------------


async def test_what_is_taken_away_on_the_way_is_got_again(town: Town) -> None:
    running = begin(town, "inventory.stone_pickaxe:1")
    await when(town, running, "craft stick")
    town.world.body("Alice").inventory.take("stick", 64)
    result = await ended(town, running)
    assert result["success"] is True, result
    assert result["replans"] == 1
    assert carried(town)["stone_pickaxe"] == 1


async def test_a_broken_table_is_replaced(town: Town) -> None:
    running = begin(town, "inventory.stone_pickaxe:1")
    await when(town, running, "craft wooden_pickaxe")
    (table,) = blocks_named(town, "crafting_table")
    town.world.set_block(table, "air")
    result = await ended(town, running)
    assert result["success"] is True, result
    assert blocks_named(town, "crafting_table") != [table]


async def test_a_table_nobody_can_reach_is_counted_on_once_only(town: Town) -> None:
    put(town, "crafting_table", (8, GROUND + 10, 8))
    result = await reach(town, "inventory.wooden_pickaxe:1")
    assert (result["success"], result["replans"]) == (True, 1), result
    assert [entry["reason"] for entry in traced(town, "goal.surprised")] == ["no_station"]


async def test_what_cannot_be_reached_is_as_good_as_absent(town: Town) -> None:
    put(town, "birch_log", (12, GROUND + 11, 8))
    result = await reach(town, "inventory.birch_planks:4")
    assert (result["success"], result["reason"]) == (False, "impossible")
    assert [entry["reason"] for entry in traced(town, "goal.surprised")] == ["no_path"]


async def test_a_lost_tool_is_made_anew(town: Town) -> None:
    running = begin(town, "inventory.furnace:1")
    await when(town, running, "craft wooden_pickaxe")
    town.world.body("Alice").inventory.take("wooden_pickaxe")
    result = await ended(town, running)
    assert (result["success"], result["replans"]) == (True, 1)


async def test_death_costs_time_but_not_the_goal(town: Town) -> None:
    running = begin(town, "inventory.stone_pickaxe:1")
    await when(town, running, "craft wooden_pickaxe")
    town.world.set_health("Alice", 0)
    result = await ended(town, running)
    assert result["success"] is True, result
    assert carried(town)["stone_pickaxe"] == 1
    (surprise,) = traced(town, "goal.surprised")
    assert surprise["reason"] == "died"


async def test_things_lost_by_death_are_fetched(town: Town) -> None:
    far_off = Position(40.5, GROUND, 40.5)
    town.world.teleport("Alice", far_off)
    town.world.give("Alice", "gold_ingot", 5)
    put(town, "oak_log", (44, GROUND, 40), (44, GROUND, 41), (12, GROUND, 8), (12, GROUND, 9))
    running = begin(town, "inventory.oak_planks:8")
    await until(lambda: town.bridge.running_deeds)
    town.world.set_health("Alice", 0)
    assert (await ended(town, running))["success"] is True
    assert carried(town)["gold_ingot"] == 5


async def test_rubble_makes_room_when_the_bag_is_full(town: Town) -> None:
    town.world.give("Alice", "dirt", 34 * 64)
    town.world.give("Alice", "gold_ingot", 2 * 64)
    result = await reach(town, "inventory.wooden_pickaxe:1")
    assert result["success"] is True, result
    assert carried(town)["gold_ingot"] == 128
    assert carried(town).get("dirt", 0) < 34 * 64


async def test_rubble_that_is_wanted_stays(town: Town) -> None:
    town.world.give("Alice", "dirt", 35 * 64)
    result = await reach(town, f"inventory.dirt:{35 * 64} inventory.oak_log:1")
    assert result["success"] is True, result
    assert carried(town)["dirt"] == 35 * 64


async def test_a_bag_full_of_good_things_is_told_and_left_alone(town: Town) -> None:
    town.world.give("Alice", "gold_ingot", 36 * 64)
    result = await reach(town, "inventory.oak_log:1")
    assert (result["success"], result["reason"]) == (False, "inventory_full")
    assert carried(town) == {"gold_ingot": 36 * 64}


async def test_a_thief_who_never_tires_is_given_up_on(town: Town) -> None:
    running = begin(town, "inventory.crafting_table:1")
    async with asyncio.timeout(WITHIN_S):
        while not running.done():
            town.world.body("Alice").inventory.take("oak_planks", 64)
            await town.world.clock.advance(0.1)
            await asyncio.sleep(0.001)
    result = running.result()
    assert (result["success"], result["reason"]) == (False, "gave_up")
    assert len(traced(town, "goal.surprised")) == 3


async def test_a_furnace_that_stands_there_smelts_what_is_held(town: Town) -> None:
    put(town, "furnace", (6, GROUND, 8))
    town.world.give("Alice", "iron_ore", 1)
    town.world.give("Alice", "coal", 1)
    result = await reach(town, "inventory.iron_ingot:1")
    assert (result["success"], carried(town)) == (True, {"iron_ingot": 1})
