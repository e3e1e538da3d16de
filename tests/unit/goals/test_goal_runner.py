"""Goals carried out in the simulated world, with and without disturbances."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from support.acting import GROUND, carried, put
from support.goal_runs import HERE, TREES, WITHIN_S, begin, order, reach, traced, when
from support.job_runs import pass_until_done
from support.rig import Rig, run_json, until

from bots.commands.goal import reach_goal
from bots.errors import ActionFailed
from bots.goals.plan import Plan
from bots.goals.runner.goal_planner import GoalPlanner
from bots.goals.runner.recovery import MAX_SETBACKS
from bots.skills.breaking import Breaking
from bridge.actions import Wait
from bridge.world import Position

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("alice_in_the_country")]


def blocks_named(rig: Rig, name: str) -> list[Position]:
    return [where for where, block in rig.world.terrain().changes if block == name]


async def ended(rig: Rig, running: asyncio.Task[dict[str, Any]]) -> dict[str, Any]:
    await pass_until_done(rig, running, WITHIN_S)
    return await running


# --- undisturbed ------------------------------------------------------------------------


async def test_a_diamond_pickaxe_is_made_from_nothing(rig: Rig) -> None:
    result = await reach(rig, "inventory.diamond_pickaxe:1")
    assert result["success"] is True, result
    assert (result["have"], result["replans"]) == ({"diamond_pickaxe": 1}, 0)
    assert carried(rig)["diamond_pickaxe"] == 1


async def test_several_goals_are_reached_together(rig: Rig) -> None:
    result = await reach(rig, ["inventory.stick:8", "inventory.crafting_table:1"])
    assert (result["success"], result["goal"]) == (
        True,
        "inventory.stick:8 inventory.crafting_table:1",
    )
    assert carried(rig)["stick"] >= 8
    assert carried(rig)["crafting_table"] == 1


async def test_what_is_so_already_takes_no_step(rig: Rig) -> None:
    rig.world.give("Alice", "stick", 4)
    result = await reach(rig, "inventory.stick:4")
    assert (result["success"], result["steps"], result["estimateS"]) == (True, 0, 0)
    assert result["message"] == "Already so: inventory.stick:4."
    assert traced(rig, "goal.planned") == []


async def test_armour_is_worn_and_stays_worn(rig: Rig) -> None:
    rig.world.give("Alice", "iron_helmet")
    assert (await reach(rig, "equipment.iron_helmet:true"))["success"] is True
    assert rig.world.body("Alice").worn == {"head": "iron_helmet"}
    again = await reach(rig, "equipment.iron_helmet:true")
    assert (again["success"], again["steps"]) == (True, 0)


async def test_what_is_worn_is_had(rig: Rig) -> None:
    rig.world.give("Alice", "iron_helmet")
    rig.world.body("Alice").equip("iron_helmet")
    result = await reach(rig, "inventory.iron_helmet:1")
    assert (result["success"], result["steps"], result["have"]) == (True, 0, {"iron_helmet": 1})


async def test_what_the_plan_leaves_alone_is_not_used_up(rig: Rig) -> None:
    rig.world.give("Alice", "oak_planks", 8)
    rig.world.give("Alice", "birch_planks", 4)
    result = await reach(rig, "inventory.oak_planks:8 inventory.crafting_table:1")
    assert (result["success"], result["steps"]) == (True, 1)
    assert carried(rig) == {"oak_planks": 8, "crafting_table": 1}


async def test_a_tool_is_made_and_held(rig: Rig) -> None:
    assert (await reach(rig, "equipment.wooden_pickaxe:true"))["success"] is True
    held = rig.world.body("Alice").held
    assert held is not None
    assert held.name == "wooden_pickaxe"


async def test_blocks_are_placed_till_so_many_stand(rig: Rig) -> None:
    put(rig, "furnace", (6, GROUND, 8))
    rig.world.give("Alice", "furnace")
    result = await reach(rig, "placed.furnace:2 any")
    assert result["success"] is True, result
    assert len(blocks_named(rig, "furnace")) == 2


async def test_a_position_is_walked_to(rig: Rig) -> None:
    result = await reach(rig, "position:3,64,3")
    assert result["success"] is True, result
    assert rig.world.body("Alice").position.distance_to(Position(3.5, GROUND, 3.5)) <= 1


@pytest.mark.parametrize(("goal", "left"), [("", 2), (" inventory.dirt:6", 6)])
async def test_a_pillar_leads_out_of_a_shaft(rig: Rig, goal: str, left: int) -> None:
    depth = range(GROUND - 4, GROUND)
    walls = [(x, y, z) for x in range(7, 10) for z in range(7, 10) for y in depth]
    put(rig, "bedrock", *walls, (8, GROUND - 5, 8))
    put(rig, "air", *((8, y, 8) for y in depth))
    rig.world.move(rig.world.body("Alice"), Position(8.5, GROUND - 4, 8.5))
    rig.world.give("Alice", "dirt", 6)
    result = await reach(rig, f"position:3,64,3{goal}")
    assert (result["success"], carried(rig)["dirt"]) == (not goal, left), result


async def test_estimate_and_time_of_every_step_are_traced(rig: Rig) -> None:
    result = await reach(rig, "inventory.wooden_pickaxe:1")
    steps = traced(rig, "goal.step_done")
    (plan,) = traced(rig, "goal.planned")
    assert len(steps) == result["steps"] == len(plan["steps"])
    assert all(step["estimateS"] > 0 and step["tookS"] >= 0 for step in steps)
    assert result["estimateS"] == pytest.approx(sum(step["estimateS"] for step in steps), abs=0.1)
    assert result["tookS"] >= sum(step["tookS"] for step in steps) - 0.1


async def test_progress_tells_the_step_and_how_far_it_is(rig: Rig) -> None:
    await reach(rig, "inventory.oak_planks:4")
    told = [(entry["stage"], entry["what"]) for entry in traced(rig, "job.progressed")]
    assert told[0] == ("step 1 of 2", "gather oak_log")
    assert ("step 2 of 2", "craft oak_planks") in told


async def test_who_whispers_a_goal_hears_the_plan_the_estimate_and_the_end(rig: Rig) -> None:
    steve = rig.world.person("Steve", Position(6.5, GROUND, 6.5))
    steve.whisper("Alice", order("inventory.wooden_pickaxe:1"))
    jobs = rig.bots["Alice"].jobs
    await until(lambda: jobs.current and jobs.current.intent)  # a thread is thinking
    async with asyncio.timeout(WITHIN_S):
        while not any("Done" in line.text for line in steve.inbox):
            await rig.world.clock.advance(0.5)
            await asyncio.sleep(0.001)
    told = " ".join(line.text for line in steve.inbox)
    assert told.startswith("On it: inventory.wooden_pickaxe:1, 6 steps, about ")
    assert "gather 3 oak_log, craft 12 oak_planks" in told
    assert "Done: inventory.wooden_pickaxe:1, in " in told


async def test_it_comes_up_again_when_it_is_done_in_the_depth(rig: Rig) -> None:
    rig.world.give("Alice", "iron_pickaxe")
    put(rig, "gold_ore", (9, GROUND - 25, 9))
    result = await reach(rig, "inventory.gold_ore:1", range=30)
    assert result["success"] is True, result
    assert rig.world.body("Alice").position.distance_to(HERE) <= 8


async def test_it_climbs_out_of_the_pit_it_dug(rig: Rig) -> None:
    rig.world.give("Alice", "stone_pickaxe")
    result = await reach(rig, "inventory.cobblestone:16")
    assert result["success"] is True, result
    assert rig.world.body("Alice").position.distance_to(HERE) <= 2


async def test_what_is_lost_while_climbing_back_is_got_again(rig: Rig) -> None:
    rig.world.give("Alice", "stone_pickaxe")
    running = begin(rig, "inventory.cobblestone:16")
    await when(rig, running, "gather stone")
    body = rig.world.body("Alice")
    bottom = body.position.y
    async with asyncio.timeout(WITHIN_S):
        while body.position.y <= bottom:
            assert not running.done()
            await rig.world.clock.advance(0.1)
            await asyncio.sleep(0.001)
    body.inventory.take("cobblestone", 16)
    result = await ended(rig, running)
    assert result["success"] is True, result
    assert carried(rig)["cobblestone"] >= 16


async def test_python_gives_a_goal_to_a_bot(rig: Rig) -> None:
    rig.world.give("Alice", "stick", 4)
    result = await reach_goal(rig.bots["Alice"], "inventory.stick:4")
    assert result.as_json()["message"] == "Already so: inventory.stick:4."


# --- refused ------------------------------------------------------------------------------


async def test_the_impossible_is_told_with_what_lacks_and_recorded(rig: Rig) -> None:
    result = await reach(rig, "inventory.wheat:1")
    assert (result["success"], result["reason"]) == (False, "impossible")
    (missing,) = result["missing"]
    assert (missing["item"], missing["need"], missing["have"]) == ("wheat", 1, 0)
    assert missing["why"]
    recorded = rig.bots["Alice"].get_conversation_history(type="system_info")
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
async def test_a_senseless_goal_is_refused_at_once(rig: Rig, goal: str, reason: str) -> None:
    result = await reach(rig, goal)
    assert (result["success"], result["reason"]) == (False, reason)
    assert traced(rig, "goal.planned") == []


async def test_a_goal_is_given_in_words_a_list_or_an_object(rig: Rig) -> None:
    rig.world.give("Alice", "stick", 9)
    alice = rig.bots["Alice"]
    for text in (
        "!goal inventory.stick:9",
        order(["inventory.stick:9"]),
        order({"inventory.stick": 9}),
    ):
        assert (await run_json(alice, text))["success"] is True, text


# --- out of sight -------------------------------------------------------------------------


async def test_what_is_out_of_sight_is_looked_for(rig: Rig) -> None:
    put(rig, "spruce_log", (8 + 24, GROUND, 8), (8 + 24, GROUND + 1, 8))
    result = await reach(rig, "inventory.spruce_planks:4", outlooks=4)
    assert result["success"] is True, result
    (plan,) = traced(rig, "goal.planned")
    assert plan["steps"][0] == "gather 1 spruce_log"
    assert traced(rig, "goal.searching")[0]["blocks"] == ["spruce_log"]


async def test_the_search_for_what_is_nowhere_ends(rig: Rig) -> None:
    result = await reach(rig, "inventory.spruce_planks:4", outlooks=3)
    assert (result["success"], result["reason"]) == (False, "impossible")
    assert "I looked for spruce_log at 3 places further on." in result["message"]
    assert [entry["places"] for entry in traced(rig, "goal.searching")] == [1, 2, 3]


async def test_what_no_country_holds_is_not_looked_for(rig: Rig) -> None:
    result = await reach(rig, "inventory.wheat:1", outlooks=3)
    assert (result["reason"], traced(rig, "goal.searching")) == ("impossible", [])


# --- disturbed ----------------------------------------------------------------------------


async def test_what_is_taken_away_on_the_way_is_got_again(rig: Rig) -> None:
    running = begin(rig, "inventory.stone_pickaxe:1")
    await when(rig, running, "craft stick")
    rig.world.body("Alice").inventory.take("stick", 64)
    result = await ended(rig, running)
    assert result["success"] is True, result
    assert result["replans"] == 1
    assert carried(rig)["stone_pickaxe"] == 1


async def test_a_broken_table_is_replaced(rig: Rig) -> None:
    running = begin(rig, "inventory.stone_pickaxe:1")
    await when(rig, running, "craft wooden_pickaxe")
    (table,) = blocks_named(rig, "crafting_table")
    rig.world.set_block(table, "air")
    result = await ended(rig, running)
    assert result["success"] is True, result
    assert blocks_named(rig, "crafting_table") != [table]


async def test_a_table_further_off_is_walked_to(rig: Rig) -> None:
    put(rig, "crafting_table", (8, GROUND, 19))
    for item, count in (("oak_planks", 3), ("stick", 2)):
        rig.world.give("Alice", item, count)
    result = await reach(rig, "inventory.wooden_pickaxe:1")
    assert result["success"], result
    did = [one["step"]["action"] for one in traced(rig, "goal.step_done")]
    assert did == ["approach", "craft"]
    assert len(blocks_named(rig, "crafting_table")) == 1


async def test_a_table_nobody_can_reach_is_counted_on_once_only(rig: Rig) -> None:
    put(rig, "crafting_table", (8, GROUND + 7, 8))
    result = await reach(rig, "inventory.wooden_pickaxe:1")
    assert (result["success"], result["replans"]) == (True, 1), result
    assert [entry["reason"] for entry in traced(rig, "goal.step_failed")] == ["no_station"]


async def test_what_cannot_be_reached_is_as_good_as_absent(rig: Rig) -> None:
    put(rig, "birch_log", (12, GROUND + 11, 8))
    result = await reach(rig, "inventory.birch_planks:4")
    assert (result["success"], result["reason"]) == (False, "impossible")
    assert [entry["reason"] for entry in traced(rig, "goal.step_failed")] == ["no_path"]


async def test_a_wood_that_cannot_be_reached_is_left_for_one_that_can(rig: Rig) -> None:
    """Finding 1: the same plan was tried three times, with another tree beside it."""
    put(rig, "birch_log", *((9, GROUND + up, 8) for up in (7, 8, 9)))
    put(rig, "oak_log", (28, GROUND, 8))
    for cell in TREES:
        rig.world.set_block(Position(*cell), "air")
    result = await reach(rig, "inventory.stick:4", range=24)
    assert (result["success"], result["replans"]) == (True, 1), result
    plans = [entry["steps"][0] for entry in traced(rig, "goal.planned")]
    assert plans == ["gather 1 birch_log", "gather 1 oak_log"]


async def test_a_lost_tool_is_made_anew(rig: Rig) -> None:
    running = begin(rig, "inventory.furnace:1")
    await when(rig, running, "craft wooden_pickaxe")
    rig.world.body("Alice").inventory.take("wooden_pickaxe")
    result = await ended(rig, running)
    assert (result["success"], result["replans"]) == (True, 1)


async def test_death_costs_time_but_not_the_goal(rig: Rig) -> None:
    running = begin(rig, "inventory.stone_pickaxe:1")
    await when(rig, running, "craft wooden_pickaxe")
    rig.world.set_health("Alice", 0)
    result = await ended(rig, running)
    assert result["success"] is True, result
    assert carried(rig)["stone_pickaxe"] == 1
    (surprise,) = traced(rig, "goal.step_failed")
    assert surprise["reason"] == "died"


async def test_a_death_that_ended_no_action_is_noticed_and_its_things_fetched(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.world.teleport("Alice", Position(40.5, GROUND, 40.5))
    rig.world.give("Alice", "gold_ingot", 5)
    rig.world.give("Alice", "oak_log", 2)
    plan = GoalPlanner.plan

    async def plan_and_die(self: GoalPlanner, *args: Any) -> Plan:
        found = await plan(self, *args)
        if rig.world.body("Alice").died is None:
            rig.world.set_health("Alice", 0)
        return found

    monkeypatch.setattr(GoalPlanner, "plan", plan_and_die)
    assert (await reach(rig, "inventory.oak_planks:8"))["success"] is True
    assert [one["reason"] for one in traced(rig, "goal.step_failed")] == ["died"]
    assert carried(rig)["gold_ingot"] == 5


async def test_a_death_that_a_skill_makes_nothing_of_ends_the_step(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed 12 ms after it began to dig a tunnel, it came back and dug on with empty hands."""
    break_block = Breaking.break_block

    async def die_and_break(self: Breaking, *args: Any, **options: Any) -> Any:
        if rig.world.body("Alice").died is None:
            rig.world.set_health("Alice", 0)
            with suppress(ActionFailed):
                await self.job.act(Wait(0.1))
        return await break_block(self, *args, **options)

    monkeypatch.setattr(Breaking, "break_block", die_and_break)
    assert (await reach(rig, "inventory.oak_planks:8"))["success"] is True
    assert [one["reason"] for one in traced(rig, "goal.step_failed")] == ["died"]


async def test_things_lost_by_death_are_fetched(rig: Rig) -> None:
    far_off = Position(40.5, GROUND, 40.5)
    rig.world.teleport("Alice", far_off)
    rig.world.give("Alice", "gold_ingot", 5)
    put(rig, "oak_log", (44, GROUND, 40), (44, GROUND, 41), (12, GROUND, 8), (12, GROUND, 9))
    running = begin(rig, "inventory.oak_planks:8")
    await until(lambda: rig.bridge.running_actions)
    rig.world.set_health("Alice", 0)
    assert (await ended(rig, running))["success"] is True
    assert carried(rig)["gold_ingot"] == 5


async def test_rubble_that_is_wanted_stays(rig: Rig) -> None:
    rig.world.give("Alice", "dirt", 35 * 64)
    result = await reach(rig, f"inventory.dirt:{35 * 64} inventory.oak_log:1")
    assert result["success"] is True, result
    assert carried(rig)["dirt"] == 35 * 64


async def test_a_thief_who_comes_back_five_times_keeps_it_from_nothing(rig: Rig) -> None:
    running = begin(rig, "inventory.crafting_table:1")
    for times in range(1, 6):
        await when(rig, running, "craft oak_planks", times=times)
        rig.world.body("Alice").inventory.take("oak_planks", 64)
    result = await ended(rig, running)
    assert (result["success"], result["replans"]) == (True, 5), result


async def test_a_thief_who_never_tires_is_given_up_on(rig: Rig) -> None:
    running = begin(rig, "inventory.crafting_table:1")
    async with asyncio.timeout(WITHIN_S):
        while not running.done():
            rig.world.body("Alice").inventory.take("oak_planks", 64)
            await rig.world.clock.advance(0.1)
            await asyncio.sleep(0.001)
    result = running.result()
    assert (result["success"], result["reason"]) == (False, "gave_up")
    assert len(traced(rig, "goal.step_failed")) == MAX_SETBACKS + 1


async def test_a_furnace_that_stands_there_smelts_what_is_held(rig: Rig) -> None:
    put(rig, "furnace", (6, GROUND, 8))
    rig.world.give("Alice", "iron_ore", 1)
    rig.world.give("Alice", "coal", 1)
    result = await reach(rig, "inventory.iron_ingot:1")
    assert (result["success"], carried(rig)) == (True, {"iron_ingot": 1})


async def test_a_wall_of_cobblestone_is_not_what_a_goal_digs(rig: Rig) -> None:
    wall = [(10, GROUND + up, z) for up in range(2) for z in range(4, 13)]
    put(rig, "cobblestone", *wall)
    rig.world.give("Alice", "wooden_pickaxe", 1)
    result = await reach(rig, "inventory.cobblestone:2")
    assert (result["success"], result["replans"]) == (True, 0)
    assert {rig.world.block(Position(*cell)) for cell in wall} == {"cobblestone"}
