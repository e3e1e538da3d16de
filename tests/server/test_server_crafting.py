"""Crafting on the embedded server: what the grid shows is what client and server then hold."""

import pytest
from server.players import Players

pytestmark = pytest.mark.real


async def test_planks_table_and_sticks_are_made_by_hand(players: Players) -> None:
    facts = await players.play("byHand")
    assert facts["planks"] == {"oak_planks": 8}
    assert facts["end"] == {"oak_planks": 2, "crafting_table": 1, "stick": 4}


async def test_a_table_makes_what_needs_three_by_three(players: Players) -> None:
    facts = await players.play("atTable")
    assert facts["pickaxe"] == {"wooden_pickaxe": 1, "cobblestone": 8, "iron_ingot": 3}
    assert facts["end"] == {"wooden_pickaxe": 1, "furnace": 1, "bucket": 1}


async def test_planks_of_two_woods_make_one_chest(players: Players) -> None:
    facts = await players.play("mixedChest")
    assert facts == {"made": {"name": "chest", "count": 1}, "end": {"chest": 1}}


async def test_planks_of_two_woods_make_sticks(players: Players) -> None:
    facts = await players.play("mixedSticks")
    assert facts == {"made": {"name": "stick", "count": 4}, "end": {"stick": 4}}


async def test_cobblestone_and_blackstone_make_one_axe(players: Players) -> None:
    assert (await players.play("mixedStones"))["end"] == {"stone_axe": 1}


async def test_a_mirrored_recipe_counts(players: Players) -> None:
    assert (await players.play("mirroredAxe"))["end"] == {"wooden_axe": 1}


async def test_milk_buckets_come_back_empty(players: Players) -> None:
    assert (await players.play("cakeLeavesBuckets"))["end"] == {"cake": 1, "bucket": 3}


async def test_what_makes_nothing_comes_back_when_the_grid_closes(players: Players) -> None:
    assert await players.play("nothingFits") == {"result": None, "end": {"dirt": 1}}


async def test_a_shift_click_crafts_all_there_is(players: Players) -> None:
    assert await players.play("shiftClick") == {"oak_planks": 20}
