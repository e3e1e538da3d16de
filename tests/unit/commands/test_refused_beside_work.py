"""A command that is refused has changed nothing: what the bot was at goes on."""

import asyncio
from typing import Any

import pytest
from support.acting import carried, put
from support.goal_runs import HERE, begin, furnish, order, when
from support.job_runs import pass_until_done
from support.rig import STRANGERS, Rig, asked_by, run_json, until

from bots.commands.catalogue import commands
from bridge.world import Position

AT_WORK = "!navigation gotoCoords 60 64 8"

REFUSED = [
    ("!goal foo", "invalid_format"),
    ("!goal inventory.planks:3", "category"),
    ("!goal inventory.nosuchitem:1", "unknown_item"),
    (order("inventory.diamond_pickaxe:1"), "impossible"),
    (order("inventory.dirt:3 inventory.diamond:1"), "impossible"),
    ('!navigation goto {"name":"nowhere"}', "unknown_location"),
    ("!navigation follow Nobody", "player_not_found"),
    ("!navigation dropItem bread", "missing_item"),
    ("!navigation chestOpen", "not_found"),
    ("!navigation chestClose", "window_closed"),
    ("!primitive digBlock 500 64 500", "not_loaded"),
    ("!primitive digBlock 20 63 8", "too_far"),
    ("!primitive placeBlock 10 64 8 bread", "invalid_format"),
    ('!primitive placeBlock {"itemName": "stone", "position": [10, 64, 8]}', "missing_item"),
    ('!primitive placeBlock {"itemName": "dirt", "position": [30, 64, 8]}', "too_far"),
    ("!primitive craftItem stone_pickaxe", "missing_item"),
    ("!skill craft wooden_pickaxe", "missing_item"),
    ("!skill craft chest", "missing_item"),
    ("!skill craft bedrock", "no_recipe"),
    ("!skill smelt iron_ore 2", "missing_item"),
    ("!skill equip iron_axe", "missing_item"),
    ("!skill eat bread", "missing_item"),
    ("!skill eat", "missing_item"),
    ("!skill place stone 10 64 8", "missing_item"),
    ("!skill gather obsidian", "no_tool"),
    ("!skill gather oak_log", "not_found"),
    ("!skill moveTo oak_log", "not_found"),
]


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice", HERE)
    rig.world.give("Alice", "dirt", 3)
    rig.world.give("Alice", "oak_planks", 7)
    return rig


async def going(rig: Rig) -> asyncio.Task[dict[str, Any]]:
    running = asyncio.create_task(run_json(rig.bots["Alice"], AT_WORK))
    await until(lambda: rig.bridge.running_actions)
    return running


@pytest.mark.parametrize(("text", "reason"), REFUSED)
async def test_what_is_refused_ends_nothing(rig: Rig, text: str, reason: str) -> None:
    alice, running = rig.bots["Alice"], await going(rig)
    refused = await run_json(alice, text)
    assert (refused["success"], refused["reason"]) == (False, reason)
    assert alice.doing == ["!navigation gotoCoords"]
    await pass_until_done(rig, running)
    assert (await running)["success"] is True


async def test_whoever_may_not_ends_nothing(rig: Rig) -> None:
    alice, running = rig.bots["Alice"], await going(rig)
    alice.permissions = STRANGERS
    refused = await commands.run(asked_by(alice, "Steve"), "!goal inventory.dirt:1")
    assert refused.as_json()["reason"] == "not_permitted"
    assert (alice.doing, running.done()) == (["!navigation gotoCoords"], False)


async def test_a_misspelt_goal_gets_a_suggestion_while_the_old_one_is_reached(rig: Rig) -> None:
    furnish(rig)
    running = begin(rig, "inventory.chest:1")
    await when(rig, running, "gather oak_log")
    refused = await run_json(rig.bots["Alice"], "!goal inventory.irn_pickaxe:1")
    assert "iron_pickaxe" in refused["message"]
    await pass_until_done(rig, running, 20)
    assert (await running)["have"] == {"chest": 1}


async def test_a_goal_that_is_met_already_ends_nothing(rig: Rig) -> None:
    alice, running = rig.bots["Alice"], await going(rig)
    assert (await run_json(alice, "!goal inventory.dirt:3"))["message"].startswith("Already so")
    assert (alice.doing, running.done()) == (["!navigation gotoCoords"], False)


async def test_a_goal_that_can_be_reached_takes_over_and_counts_from_then_on(rig: Rig) -> None:
    put(rig, "oak_log", (12, 64, 8), (12, 64, 10), (12, 64, 12), (12, 64, 14))
    older = asyncio.create_task(run_json(rig.bots["Alice"], "!skill gather oak_log 3"))
    await until(lambda: rig.bridge.running_actions)
    newer = begin(rig, "inventory.oak_log:+1")
    assert (await older)["reason"] == "replaced"
    await pass_until_done(rig, newer, 20)
    assert (await newer)["have"]["oak_log"] == carried(rig)["oak_log"]


async def test_what_can_be_done_replaces_the_work(rig: Rig) -> None:
    running = await going(rig)
    crafting = asyncio.create_task(run_json(rig.bots["Alice"], "!skill craft stick 12"))
    assert (await running)["reason"] == "replaced"
    await pass_until_done(rig, crafting)
    assert (await crafting)["success"] is True


async def test_a_stop_ends_a_command_that_still_looks_too(rig: Rig) -> None:
    alice, running = rig.bots["Alice"], await going(rig)
    looking = begin(rig, "inventory.diamond_pickaxe:1")
    await until(lambda: len(alice.doing) == 2)
    assert (await run_json(alice, "!stop"))["stoppedActions"] == ["!navigation gotoCoords", "!goal"]
    assert [(await one)["reason"] for one in (running, looking)] == ["stopped", "stopped"]
    assert rig.world.body("Alice").position != Position(60.5, 64, 8.5)
