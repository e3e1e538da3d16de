"""Chests keep and share, furnaces smelt, on the embedded server."""

import pytest
from server.players import Players

pytestmark = pytest.mark.real


async def test_a_chest_keeps_what_was_put_in(players: Players) -> None:
    facts = await players.play("chest")
    assert facts["stored"] == facts["inside"] == [["oak_log", 7], ["bread", 2]]
    assert facts["kept"] == {"oak_log": 3}
    assert facts["end"] == {"oak_log": 6}


async def test_chests_placed_side_by_side_are_one_until_one_is_gone(players: Players) -> None:
    facts = await players.play("doubleChest")
    assert facts == {"types": True, "slots": 54, "inside": 28, "halves": [1, 27], "left": 27}


@pytest.mark.parametrize("scene", ["barrel", "shulkerBox", "redShulkerBox"])
async def test_what_else_keeps_things_opens_too(players: Players, scene: str) -> None:
    assert await players.play(scene) == [27, [["bread", 3]]]


async def test_two_who_look_into_a_chest_see_the_same(players: Players) -> None:
    facts = await players.play("twoViewers")
    assert facts == {"saw": [["gold_ingot", 5]], "alice": {}, "bob": {"gold_ingot": 5}}


async def test_a_broken_chest_closes_and_lets_its_contents_fall(players: Players) -> None:
    facts = await players.play("brokenChest")
    assert facts == {"oak_log": 4, "chest": 1, "wooden_axe": 1}


async def test_a_client_whose_table_is_broken_is_told_what_it_carries(players: Players) -> None:
    facts = await players.play("brokenTable")
    assert facts["carried"] == {"cobblestone": 9}
    assert facts["late"] == [False, 0]  # the window is gone: it is shown its inventory


async def test_two_planks_smelt_three_ores(players: Players) -> None:
    facts = await players.play("furnace")
    assert facts["lit"] == 200
    assert facts["inside"] == [None, None, ["iron_ingot", 3]]
    assert facts["end"] == {"oak_planks": 2, "iron_ingot": 3, "coal": 1}


async def test_one_plank_is_not_enough_for_two(players: Players) -> None:
    assert await players.play("fuelRunsOut") == [["sand", 2], None, ["glass", 1]]


async def test_lava_leaves_its_bucket_in_the_furnace(players: Players) -> None:
    assert await players.play("lavaLeavesABucket") == [None, ["bucket", 1], ["gold_ingot", 1]]


async def test_every_click_mode_moves_what_it_should(players: Players) -> None:
    facts = await players.play("clickModes")
    assert facts["refused"] == [False, [[36, "stone", 9]], 9]  # it was taken for eight
    assert facts["told"] == []  # the client works out plain clicks itself
    assert facts["dragged"] == [[9, "stone", 3], [10, "stone", 3], [11, "stone", 3]]
    assert facts["gathered"] == [[20, "stone", 9]]
    assert facts["halved"] == [[20, "stone", 8], [21, "stone", 1]]
    assert facts["swapped"] == [[20, "stone", 8], [40, "stone", 1]]
    assert facts["moved"] == [[40, "stone", 9]]
    assert facts["thrown"] == [[], [["stone", 9]]]
