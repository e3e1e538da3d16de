"""Tools, loot, picking up and placing on the embedded server."""

from pathlib import Path

import pytest
from server.players import Players
from server.scripts import printed_by

pytestmark = pytest.mark.real


async def test_the_bare_hand_takes_wood_and_dirt_but_no_stone(players: Players) -> None:
    assert await players.play("digByHand") == {
        "netherrack": {},
        "oak_log": {"oak_log": 1},
        "dirt": {"dirt": 1},
        "grass_block": {"dirt": 1},
    }


async def test_a_wooden_pickaxe_takes_stone_and_coal_but_no_iron(players: Players) -> None:
    assert await players.play("woodenPickaxe") == {
        "stone": {"cobblestone": 1},
        "coal_ore": {"coal": 1},
        "iron_ore": {},
    }


async def test_an_iron_pickaxe_takes_every_ore_in_vanilla_numbers(players: Players) -> None:
    facts = await players.play("ironPickaxe")
    assert facts.pop("redstone_ore")["redstone"] in range(4, 6)
    assert facts.pop("lapis_ore")["lapis_lazuli"] in range(4, 10)
    assert facts == {
        "diamond_ore": {"diamond": 1},
        "gold_ore": {"gold_ore": 1},
        "iron_ore": {"iron_ore": 1},
        "emerald_ore": {"emerald": 1},
    }


async def test_clay_glass_and_wooden_slabs_drop_as_in_vanilla(players: Players) -> None:
    facts = await players.play("shovel")
    assert facts["clay"] == {"clay_ball": 4}
    assert facts["glass"] == {}
    assert facts["oak_slab"] == {"oak_slab": 1}


async def test_lava_runs_out_where_the_block_before_it_is_dug(players: Players) -> None:
    assert await players.play("lavaRunsOut") == {"level": 2, "behind": "lava"}


async def test_a_tool_wears_with_every_block(players: Players) -> None:
    assert await players.play("toolWears") == 1


async def test_a_block_dug_too_fast_stays(players: Players) -> None:
    assert await players.play("tooFast") == "stone"


async def test_a_block_out_of_reach_cannot_be_dug(players: Players) -> None:
    assert await players.play("fromAfar") == {"successful": False, "block": "oak_leaves"}


async def test_a_stack_thrown_is_picked_up_whole(players: Players) -> None:
    facts = await players.play("countedPickup")
    assert facts == {"collector": "bob", "alice": {}, "bob": {"cobblestone": 40}}


def test_a_stack_thrown_flies_as_far_when_ticks_are_late(node_binary: Path, node_dir: Path) -> None:
    rests = printed_by("falling.cjs", node_binary, node_dir)
    assert rests["late"] == pytest.approx(rests["inTime"], abs=1e-9)
    assert 2.5 < rests["inTime"]["x"] - 8.5 < 4


async def test_what_does_not_fit_stays_on_the_ground(players: Players) -> None:
    assert await players.play("partPickup") == {"dirt": 36 * 64, "lying": [["dirt", 20]]}


async def test_a_block_is_placed_where_there_is_room(players: Players) -> None:
    facts = await players.play("place")
    assert (facts["block"], facts["underFeet"]) == ("oak_planks", "refused")
    assert facts["end"] == {"oak_planks": 2}


async def test_a_door_is_placed_whole_and_opens_and_closes_by_hand(players: Players) -> None:
    shut, opened = [["lower", False], ["upper", False]], [["lower", True], ["upper", True]]
    assert await players.play("door") == [shut, opened, shut]


async def test_a_torch_falls_with_the_block_it_stands_on(players: Players) -> None:
    facts = await players.play("torchFalls")
    assert facts == {"end": {"dirt": 1, "torch": 1}, "above": "air"}


async def test_a_thing_is_placed_only_where_vanilla_lets_it_stay(players: Players) -> None:
    assert await players.play("thingsStay") == [
        ["torch", "torch", 0],
        ["torch", "water", 1],
        ["torch", "wall_torch", 0],
        ["redstone_torch", "redstone_wall_torch", 0],
        ["rail", "air", 1],
        ["lever", "lever", 0],
        ["lever", "lever", 0],
        ["ladder", "air", 1],
        ["poppy", "air", 1],
        ["cactus", "cactus", 0],
    ]


async def test_what_a_block_held_on_any_side_falls_with_it(players: Players) -> None:
    facts = await players.play("thingsFall")
    fallen = ["dirt", "ladder", "lantern", "lever", "rail", "torch"]
    assert facts == {"left": ["air"] * 5, "fallen": fallen}


async def test_others_see_what_is_held(players: Players) -> None:
    assert await players.play("heldShown") == ["apple", "iron_sword"]


async def test_water_fills_what_is_dug_below_it_and_lifts_what_falls(players: Players) -> None:
    assert await players.play("digUnderWater") == {"there": "water", "lying": 1}
