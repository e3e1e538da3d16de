"""`!goal then | list | status | pause | resume`: goals one after the other, and how they fare."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.acting import carried
from support.goal_runs import HERE, WITHIN_S, furnish, order, traced, when
from support.job_runs import pass_until_done
from support.rig import STRANGERS, Rig, in_words, run_json, until

from bots.access.origin import Level, Person
from bots.access.sources import FACTS
from bots.bot.agenda import MOST_WAITING
from bots.bot.bot import Bot
from bots.bot.stoppables import anything
from bots.commands.catalogue import commands
from bots.registry.registry import CommandContext
from bridge.world import PlayerName, Position

STEVE, EVE = Person(PlayerName("Steve")), Person(PlayerName("Eve"))


@pytest.fixture
async def alice(rig: Rig) -> Bot:
    furnish(rig)
    return await rig.bot("Alice", HERE)


async def passing(rig: Rig, met: Callable[[], object]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not met():
            await rig.world.clock.advance(0.5)
            await asyncio.sleep(0.001)


def given(alice: Bot, goal: str, by: Person = STEVE) -> asyncio.Task[dict[str, Any]]:
    return asyncio.create_task(run_json(alice, order(goal), by))


def then(goal: str) -> str:
    return order(goal).replace("!goal", "!goal then", 1)


async def making_a_chest(rig: Rig, alice: Bot) -> asyncio.Task[dict[str, Any]]:
    """It is at the second step, with more sticks to come after it."""
    running = given(alice, "inventory.chest:1")
    await when(rig, running, "gather oak_log")
    await run_json(alice, then("inventory.stick:4"), STEVE)
    return running


async def told(alice: Bot, text: str, who: Person | None = None) -> str:
    return str((await run_json(alice, text, who))["message"])


async def test_a_goal_waits_until_the_one_before_is_reached(rig: Rig, alice: Bot) -> None:
    steve = rig.world.person("Steve", Position(9.5, 64, 9.5))
    running = given(alice, "inventory.oak_log:1")
    await until(lambda: alice.agenda.under_way)
    queued = await run_json(alice, then("inventory.stick:2"), STEVE)
    assert queued["message"] == "inventory.stick:2 comes after inventory.oak_log:1."
    assert alice.doing == ["!goal"]
    assert alice.waiting_for(anything) == ["waiting goal inventory.stick:2"]
    await pass_until_done(rig, running, WITHIN_S)
    assert (await running)["success"] is True
    await passing(rig, lambda: carried(rig).get("stick", 0) >= 2)
    await passing(rig, lambda: not alice.agenda.goals)
    while not (heard := (await steve.hears()).text).startswith("Done"):
        assert heard.startswith("On it: inventory.stick:2, ")
    assert heard.startswith("Done: inventory.stick:2")
    assert traced(rig, "goal.queued")[0]["goal"] == "inventory.stick:2"


async def test_with_nothing_before_it_a_queued_goal_begins_at_once(rig: Rig, alice: Bot) -> None:
    assert await told(alice, then("inventory.oak_log:1")) == "inventory.oak_log:1 comes next."
    await passing(rig, lambda: carried(rig).get("oak_log"))


async def test_a_goal_that_cannot_be_reached_lets_the_next_one_come(rig: Rig, alice: Bot) -> None:
    running = given(alice, "inventory.oak_log:1")
    await until(lambda: alice.agenda.under_way)
    for goal in ("inventory.diamond_pickaxe:1", "inventory.oak_planks:4"):
        await run_json(alice, then(goal), STEVE)
    await pass_until_done(rig, running, WITHIN_S)
    await passing(rig, lambda: carried(rig).get("oak_planks", 0) >= 4)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("!goal then foo", "invalid_format"), ("!goal then inventory.nosuchitem:1", "unknown_item")],
)
async def test_a_misspelt_goal_is_not_queued(alice: Bot, text: str, reason: str) -> None:
    assert (await run_json(alice, text))["reason"] == reason
    assert alice.agenda.goals == ()


async def test_one_more_than_may_wait_is_refused(alice: Bot) -> None:
    running = given(alice, "inventory.chest:1")
    await until(lambda: alice.agenda.under_way)
    for number in range(MOST_WAITING):
        assert (await run_json(alice, then(f"inventory.stick:{number + 1}")))["success"] is True
    refused = await run_json(alice, then("inventory.stick:99"))
    assert (refused["reason"], refused["waiting"]) == ("queue_full", MOST_WAITING)
    assert "!goal list" in refused["message"]
    await alice.stop()
    assert (await running)["reason"] == "stopped"


async def test_the_list_tells_what_is_under_way_and_what_waits(alice: Bot) -> None:
    assert (await run_json(alice, "!goal list"))["message"] == "I have no goal."
    given(alice, "inventory.chest:1")
    await until(lambda: alice.agenda.under_way)
    await run_json(alice, then("inventory.stick:4"))
    listed = await run_json(alice, "!goal list", STEVE)
    assert listed["message"] == "inventory.chest:1 (under way), then inventory.stick:4."
    assert [(row["goal"], row["state"], row["givenBy"]) for row in listed["goals"]] == [
        ("inventory.chest:1", "under_way", "Steve"),
        ("inventory.stick:4", "waiting", "@operator"),
    ]


async def test_the_status_tells_the_step_and_how_long_the_rest_takes(rig: Rig, alice: Bot) -> None:
    assert await told(alice, "!goal status") == "I have no goal."
    await making_a_chest(rig, alice)
    status = await run_json(alice, "!goal status", EVE)
    assert (status["stage"]["of"], status["stage"]["goal"]) == (5, "chest")
    assert status["message"].startswith("I am at step 2 of 5 of chest: crafting ")
    assert " more. 1 goal waits behind it." in status["message"]
    in_place_of_the_command = await run_json(alice, "!status")
    assert in_place_of_the_command["stage"]["step"] == 2
    assert "; at step 2 of 5 of chest: crafting " in (await in_words(alice, "!status"))[0]


async def test_who_gave_a_goal_is_not_told_to_players(rig_of_strangers: Rig) -> None:
    alice = rig_of_strangers.bots["Alice"]
    kept = alice.agenda.new_goal(
        "inventory.stick:4", {}, given_by=STEVE, level=Level.TRUSTED, sources=FACTS
    )
    await alice.agenda.queue(replace(kept, state="paused"))
    for who, known in ((EVE, None), (STEVE, "Steve"), (Person(PlayerName("Alex")), "Steve")):
        status = await run_json(alice, "!goal status", who)
        assert [row["givenBy"] for row in status["goals"]] == [known]


# --- paused ----------------------------------------------------------------------------


async def test_a_paused_goal_rests_until_it_is_resumed(rig: Rig, alice: Bot) -> None:
    running = await making_a_chest(rig, alice)
    paused = "I leave inventory.chest:1 for now. Say !goal resume, and I go on."
    assert await told(alice, "!goal pause") == paused
    assert (await running)["reason"] == "paused"
    await rig.world.clock.advance(60)
    assert "chest" not in carried(rig)
    rests = "inventory.chest:1 is paused. 1 goal waits behind it."
    assert await told(alice, "!goal status") == rests
    assert await told(alice, "!goal resume") == "I go on with inventory.chest:1."
    await passing(rig, lambda: carried(rig).get("chest") and carried(rig).get("stick"))


async def test_other_work_is_done_while_a_goal_is_paused(rig: Rig, alice: Bot) -> None:
    await making_a_chest(rig, alice)
    await run_json(alice, "!goal pause")
    short = given(alice, "inventory.oak_planks:4")
    await pass_until_done(rig, short, WITHIN_S)
    assert (await short)["success"] is True
    assert [one.state for one in alice.agenda.goals] == ["paused", "waiting"]


@pytest.mark.parametrize("text", ["!goal pause", "!goal resume"])
async def test_without_a_goal_there_is_nothing_to_pause_or_resume(alice: Bot, text: str) -> None:
    assert (await run_json(alice, text))["reason"] == "no_goal"


# --- stopped ---------------------------------------------------------------------------


async def test_a_stop_empties_the_agenda(rig: Rig, alice: Bot) -> None:
    await making_a_chest(rig, alice)
    await run_json(alice, "!goal pause")
    stopped = await run_json(alice, "!stop")
    assert stopped["stoppedActions"] == [
        "paused goal inventory.chest:1",
        "waiting goal inventory.stick:4",
    ]
    await rig.world.clock.advance(60)
    assert (alice.agenda.goals, alice.doing, carried(rig).get("chest")) == ((), [], None)


async def test_players_stop_only_the_goals_that_they_gave(rig: Rig, alice: Bot) -> None:
    await making_a_chest(rig, alice)
    await run_json(alice, then("inventory.stick:5"), EVE)
    alice.permissions = STRANGERS
    stopped = await run_json(alice, "!stop", EVE)
    assert stopped["stoppedActions"] == ["waiting goal inventory.stick:5"]
    assert [one.title for one in alice.agenda.goals] == ["inventory.chest:1", "inventory.stick:4"]


# --- what a kept goal may do -------------------------------------------------------------


@pytest.mark.parametrize(
    ("giver", "level", "may"),
    [("Olga", Level.OWNER, True), ("Olga", Level.PLAYER, False), ("Eve", Level.OWNER, False)],
)
async def test_an_kept_may_no_more_than_when_it_was_given_and_than_its_giver_now(
    rig_of_strangers: Rig, giver: str, level: Level, may: bool
) -> None:
    alice = rig_of_strangers.bots["Alice"]
    by = Person(PlayerName(giver))
    kept = alice.agenda.new_goal("x", {}, given_by=by, level=level, sources=FACTS)
    context = CommandContext(alice, by, giver, commands, kept_goal=kept)
    assert commands.find("goal").allows(context.rights) is may
