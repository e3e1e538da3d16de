"""What players do, and what becomes of it: scenes of play.cjs on one embedded server."""

import asyncio
import json
import math
from pathlib import Path
from typing import Any

import pytest
from server.players import Players
from server.scripts import printed_by

from bridge.server.launcher import EmbeddedServer

pytestmark = pytest.mark.real

OF_CHEST = [["oak_log", 7], ["bread", 2]]
SHUT, OPENED = [["lower", False], ["upper", False]], [["lower", True], ["upper", True]]
SCENES: dict[str, tuple[str, Any]] = {
    # crafting: what the grid shows is what client and server then hold
    "a table makes what needs three by three": (
        "atTable", {"pickaxe": {"wooden_pickaxe": 1, "cobblestone": 8, "iron_ingot": 3},
        "end": {"wooden_pickaxe": 1, "furnace": 1, "bucket": 1}},
    ),
    "planks of two woods make one chest": (
        "mixedChest", {"made": {"name": "chest", "count": 1}, "end": {"chest": 1}},
    ),
    "planks of two woods make sticks": (
        "mixedSticks", {"made": {"name": "stick", "count": 4}, "end": {"stick": 4}},
    ),
    "what makes nothing comes back when the grid closes": (
        "nothingFits", {"result": None, "end": {"dirt": 1}},
    ),
    "a shift click crafts all there is": ("shiftClick", {"oak_planks": 20}),
    # eating, being hurt, dying and coming back
    "bread fills five and is gone": ("eat", {"food": 15, "end": {"bread": 1}}),
    "a stew leaves its bowl": ("eatStew", {"bowl": 1}),
    "damage lowers health": ("hurt", 14),
    "the dead drop everything and come back at spawn": (
        "die", {"dropped": [["diamond", 3], ["oak_log", 5]], "end": {}, "food": 20,
        "at": [8.5, 8.5], "seen": [8.5, 8.5]},
    ),
    "the dead lose their experience, and leave a part": (
        "experienceLost", {"name": "experience_orb", "count": 70, "found": 70},
    ),
    "what the dead dropped can be fetched": ("fetchOwnDrops", {"emerald": 2}),
    # fishing, by Mineflayer's own rules
    "who reels in a bite gets it and the rod wears": ("angle", {"worn": 1}),
    "the line is gone when the rod is put away": ("putAway", [["fishing_rod", 0], ["stick", 0]]),
    # tools, loot, picking up and placing
    "the bare hand takes wood and dirt but no stone": (
        "digByHand", {"netherrack": {}, "oak_log": {"oak_log": 1}, "dirt": {"dirt": 1},
        "grass_block": {"dirt": 1}},
    ),
    "a wooden pickaxe takes stone and coal but no iron": (
        "woodenPickaxe", {"stone": {"cobblestone": 1}, "coal_ore": {"coal": 1}, "iron_ore": {}},
    ),
    "a tool wears with every block": ("toolWears", 1),
    "a block dug too fast stays": ("tooFast", "stone"),
    "a block out of reach cannot be dug": (
        "fromAfar", {"successful": False, "block": "oak_leaves"},
    ),
    "a stack thrown is picked up whole": (
        "countedPickup", {"collector": "bob", "alice": {}, "bob": {"cobblestone": 40}},
    ),
    "what does not fit stays on the ground": (
        "partPickup", {"dirt": 36 * 64, "lying": [["dirt", 20]]},
    ),
    "a door is placed whole and opens and closes by hand": ("door", [SHUT, OPENED, SHUT]),
    "a torch falls with the block it stands on": (
        "torchFalls", {"end": {"dirt": 1, "torch": 1}, "above": "air"},
    ),
    "a thing is placed only where vanilla lets it stay": (
        "thingsStay", [["torch", "torch", 0], ["torch", "water", 1], ["torch", "wall_torch", 0],
        ["redstone_torch", "redstone_wall_torch", 0], ["rail", "air", 1], ["lever", "lever", 0],
        ["lever", "lever", 0], ["ladder", "air", 1], ["poppy", "air", 1], ["cactus", "cactus", 0]],
    ),
    "what a block held on any side falls with it": (
        "thingsFall", {"left": ["air"] * 5, "fallen": ["dirt", "ladder", "lantern", "lever",
        "rail", "torch"]},
    ),
    "others see what is held": ("heldShown", ["apple", "iron_sword"]),
    "water fills what is dug below it and lifts what falls": (
        "digUnderWater", {"there": "water", "lying": 1},
    ),
    # chests keep and share, furnaces smelt
    "a chest keeps what was put in": (
        "chest", {"stored": OF_CHEST, "inside": OF_CHEST, "kept": {"oak_log": 3},
        "end": {"oak_log": 6}},
    ),
    "chests placed side by side are one until one is gone": (
        "doubleChest", {"types": True, "slots": 54, "inside": 28, "halves": [1, 27], "left": 27},
    ),
    "a barrel opens too": ("barrel", [27, [["bread", 3]]]),
    "a shulker box opens too": ("shulkerBox", [27, [["bread", 3]]]),
    "a red shulker box opens too": ("redShulkerBox", [27, [["bread", 3]]]),
    "two who look into a chest see the same": (
        "twoViewers", {"saw": [["gold_ingot", 5]], "alice": {}, "bob": {"gold_ingot": 5}},
    ),
    "a broken chest closes and lets its contents fall": (
        "brokenChest", {"oak_log": 4, "chest": 1, "wooden_axe": 1},
    ),
    "one plank is not enough for two": ("fuelRunsOut", [["sand", 2], None, ["glass", 1]]),
    "lava leaves its bucket in the furnace": (
        "lavaLeavesABucket", [None, ["bucket", 1], ["gold_ingot", 1]],
    ),
    # joining: all see, and are seen by, everybody else
    "ten who join at once all see each other": ("ten", [9] * 10),
    "whoever comes back has their things and place": (
        "comeBack", {"owns": {"oak_log": 3, "wooden_pickaxe": 1}, "x": 4.5, "z": 12.5},
    ),
    "what was built stays when nobody is near": ("editsStay", "gold_block"),
    "whoever has walked has as many chunks as before": ("chunksOfAWalk", [64] * 4),
    "whoever comes into a chunk with a long step is told of it": ("chunksTold", [1, 2, 1, 0]),
    "a player put far away gets the land there": ("farAway", True),
    "visitors who turn back at the door leave no trace": (
        "comingAndGoing", {"players": ["alice", "bob"], "tab": ["alice", "bob"]},
    ),
    # talk
    "ten lines of a burst are allowed": ("spamBelow", {"kicked": None, "delivered": 10}),
    "a player who is not checked may say sixty lines": (
        "spamExempt", {"kicked": None, "delivered": 60},
    ),
    "only the checked are no operators": ("operators", {"Checked": False, "alice": True}),
    # animals
    "a hit from afar misses": ("hitFromAfar", True),
}  # fmt: skip
ENDS: dict[str, tuple[str, dict[str, int]]] = {
    "cobblestone and blackstone make one axe": ("mixedStones", {"stone_axe": 1}),
    "a mirrored recipe counts": ("mirroredAxe", {"wooden_axe": 1}),
    "milk buckets come back empty": ("cakeLeavesBuckets", {"cake": 1, "bucket": 3}),
}  # fmt: skip
"""What is held in the end."""


@pytest.mark.parametrize("sentence", SCENES)
async def test_a_scene_ends_as_vanilla_would_have_it(players: Players, sentence: str) -> None:
    scene, facts = SCENES[sentence]
    assert await players.play(scene) == facts


@pytest.mark.parametrize("sentence", ENDS)
async def test_a_craft_ends_with_what_vanilla_would_leave(players: Players, sentence: str) -> None:
    scene, held = ENDS[sentence]
    assert (await players.play(scene))["end"] == held


async def test_planks_table_and_sticks_are_made_by_hand(players: Players) -> None:
    facts = await players.play("byHand")
    assert facts["planks"] == {"oak_planks": 8}
    assert facts["end"] == {"oak_planks": 2, "crafting_table": 1, "stick": 4}


async def test_others_see_how_a_player_is(players: Players) -> None:
    assert await players.play("hurtInSight") == {"alice": 14, "bob": 20}


async def test_lava_runs_out_where_the_block_before_it_is_dug(players: Players) -> None:
    assert await players.play("lavaRunsOut") == {"level": 2, "behind": "lava"}


async def test_a_player_who_stands_still_is_gone_before_the_next_login(players: Players) -> None:
    assert await players.play("standingStill") == ["alice"]


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


def test_a_stack_thrown_flies_as_far_when_ticks_are_late(node_binary: Path, node_dir: Path) -> None:
    rests = printed_by("falling.cjs", node_binary, node_dir)
    assert rests["late"] == pytest.approx(rests["inTime"], abs=1e-9)
    assert 2.5 < rests["inTime"]["x"] - 8.5 < 4


async def test_a_block_is_placed_where_there_is_room(players: Players) -> None:
    facts = await players.play("place")
    assert (facts["block"], facts["underFeet"]) == ("oak_planks", "refused")
    assert facts["end"] == {"oak_planks": 2}


async def test_a_client_whose_table_is_broken_is_told_what_it_carries(players: Players) -> None:
    facts = await players.play("brokenTable")
    assert facts["carried"] == {"cobblestone": 9}
    assert facts["late"] == [False, 0]  # the window is gone: it is shown its inventory


async def test_two_planks_smelt_three_ores(players: Players) -> None:
    facts = await players.play("furnace")
    assert facts["lit"] == 200
    assert facts["inside"] == [None, None, ["iron_ingot", 3]]
    assert facts["end"] == {"iron_ingot": 3, "coal": 1}


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


async def test_two_who_join_see_each_other_and_both_names(players: Players) -> None:
    facts = await players.play("two")
    assert facts["tabs"] == [["anna", "ben"], ["anna", "ben"]]
    assert sorted(facts["spots"]) == [[8.5, 64, 8.5], [10.5, 64, 8.5]]


def test_whoever_joins_is_told_nothing_before_login(node_binary: Path, node_dir: Path) -> None:
    told = printed_by("before_login.cjs", node_binary, node_dir)
    assert told == ["login", "collect"]


def test_joining_compiles_no_checker_of_protocols(node_binary: Path, node_dir: Path) -> None:
    assert printed_by("checkers_of_channels.cjs", node_binary, node_dir) == 0


async def test_the_second_login_under_a_name_ends_the_first(players: Players) -> None:
    facts = await players.play("twice")
    assert json.loads(facts["first"]) == {"translate": "multiplayer.disconnect.duplicate_login"}
    assert (facts["second"], facts["players"]) == (None, ["alice"])


async def test_a_name_no_player_can_have_is_refused(players: Players) -> None:
    assert json.loads(await players.play("invalidName")) == {"text": "Invalid name"}


async def test_whoever_leaves_goes_from_the_list_and_is_announced(players: Players) -> None:
    facts = await players.play("leaving")
    assert facts["tab"] == ["alice"]
    assert facts["told"]["translate"] == "multiplayer.player.left"


TEXT = "psst 秘密 🦆 R&D 100%"


def name_component(name: str, uuid: str) -> dict[str, Any]:
    shown = {"type": "minecraft:player", "id": uuid, "name": {"text": name}}
    return {
        "insertion": name,
        "clickEvent": {"action": "suggest_command", "value": f"/tell {name} "},
        "hoverEvent": {"action": "show_entity", "contents": shown},
        "text": name,
    }


async def test_a_whisper_has_the_shape_of_the_vanilla_server(players: Players) -> None:
    facts = await players.play("whisper")
    alice, bob = facts["ids"]
    common = {"color": "gray", "italic": True, "position": 1, "sender": alice}
    for key, way, name, uuid in (
        ("got", "incoming", "alice", alice),
        ("sent", "outgoing", "bob", bob),
    ):
        shown = [name_component(name, uuid), {"text": TEXT}]
        translated = {"translate": f"commands.message.display.{way}", "with": shown}
        assert facts[key] == [{**common, **translated}]
    assert (facts["from"], facts["text"]) == ("alice", TEXT)


async def test_selectors_choose_by_distance_name_limit_and_nearness(players: Players) -> None:
    facts = await players.play("selectors")
    someone = [name for name, lines in facts.items() if "someone" in lines]
    assert len(someone) == 1
    facts[someone[0]].remove("someone")
    assert facts == {
        "alice": ["near", "self", "nearest"],
        "bob": ["near", "limited"],
        "carol": ["named"],
    }


async def test_public_chat_has_the_vanilla_shape_and_single_spaces(players: Players) -> None:
    line = await players.play("publicChat")
    assert line["position"] == 0
    assert line["with"] == [name_component("alice", line["sender"]), "hello みんな & R&D"]


async def test_a_line_with_a_section_sign_is_a_kick(players: Players) -> None:
    reason = json.loads(await players.play("illegal"))
    assert reason == {"translate": "multiplayer.disconnect.illegal_characters"}


async def test_a_line_longer_than_256_is_a_kick(players: Players) -> None:
    assert "256" in await players.play("tooLong")


async def test_the_eleventh_line_of_a_burst_is_delivered_and_a_kick(players: Players) -> None:
    facts = await players.play("spamChecked")
    assert json.loads(facts["kicked"]) == {"translate": "disconnect.spam"}
    assert facts["delivered"] == 11


SPAWN = 8.5
CLEAR_OF_ANIMALS = 32.0
KINDS = {"cow": 3, "pig": 3, "sheep": 3, "chicken": 3}


async def herd(node: Path, node_dir: Path, seed: int) -> list[Any]:
    server = await EmbeddedServer.start(node, node_dir, seed=seed)
    try:
        animals: list[Any] = await server.admin("animals")
        return animals
    finally:
        await server.aclose()


async def test_a_seed_gives_the_same_animals(node_binary: Path, node_dir: Path) -> None:
    one, again, other = await asyncio.gather(
        *(herd(node_binary, node_dir, seed) for seed in (5, 5, 6))
    )
    assert one == again
    assert one != other
    for animals in (one, other):
        names = [name for name, _, _ in animals]
        assert {name: names.count(name) for name in names} == KINDS
        away = [math.hypot(x - SPAWN, z - SPAWN) for _, (x, _, z), _ in animals]
        assert min(away) >= CLEAR_OF_ANIMALS


async def test_clients_see_every_animal_by_name_and_place(players: Players) -> None:
    facts = await players.play("seeAnimals")
    assert set(facts["kinds"]) == KINDS.keys()  # hunted or not
    assert facts["seen"] == facts["stand"]


async def test_the_killed_leave_meat(players: Players) -> None:
    prey = await players.play("hunt")
    assert {name: found["hits"] for name, found in prey.items()} == {
        "cow": 2,
        "pig": 2,
        "sheep": 2,
        "chicken": 4,
    }
    assert [found["left"] for found in prey.values()] == [2, 2, 2, 2]
    assert all(1 <= found["meat"] <= 3 for found in prey.values())
