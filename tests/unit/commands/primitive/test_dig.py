"""`!primitive`: digBlock, tools, findBlock, placeBlock, craftItem."""

from collections.abc import Mapping
from typing import Any

import pytest
from support.acting import GROUND, Scene, carried, carry_out, give, in_hand, play, put, scenes
from support.rig import Rig, run_json

BESIDE = (9, GROUND, 8)
IN_VAIN = "drops nothing without a {} or better, and none is carried."


@scenes(
    *(Scene(f"lava at {lava}", "!primitive digBlock 9 64 8", {"success": False, "reason": "unsafe"},
            blocks={"stone": [BESIDE], "lava": [lava]}, says="lava", standing={"stone": [BESIDE]})
      for lava in ((9, 65, 8), (10, 64, 8), (9, 63, 8))),
)  # fmt: skip
async def test_no_block_that_holds_lava_back_is_dug(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


@scenes(
    Scene("with the best tool it carries", "!primitive digBlock 9 64 8",
          {"success": True, "block": "stone", "position": {"x": 9, "y": 64, "z": 8},
           "tool": "stone_pickaxe", "gained": {"cobblestone": 1}, "warning": None},
          whole=True, given={"dirt": 1, "stone_pickaxe": 1}, blocks={"stone": [BESIDE]},
          standing={"air": [BESIDE]}),
    Scene("with a warning where it drops nothing", '!primitive digBlock {"x": 9, "y": 64, "z": 8}',
          {"success": True, "tool": None, "gained": {},
           "warning": "stone " + IN_VAIN.format("wooden_pickaxe")},
          blocks={"stone": [BESIDE]}, standing={"air": [BESIDE]}),
    Scene("with a tool too weak, quicker than the hand", "!primitive digBlock 9 64 8",
          {"tool": "wooden_pickaxe", "gained": {},
           "warning": "iron_ore " + IN_VAIN.format("stone_pickaxe")},
          given={"dirt": 1, "wooden_pickaxe": 1}, blocks={"iron_ore": [BESIDE]}),
    Scene("what every hand breaks needs no tool", "!primitive findBestTool dirt", {"tool": None}),
    *(Scene(f"{reason}: {at}", f"!primitive digBlock{at}", {"success": False, "reason": reason},
            blocks={"stone": [BESIDE], "bedrock": [(7, GROUND, 8)]})
      for at, reason in ((" 9 70 8", "not_found"), (" 30 63 8", "too_far"), ("", "invalid_format"),
                         (" 3000 63 8", "not_loaded"), (" 7 64 8", "unbreakable"))),
)  # fmt: skip
async def test_a_block_is_dug_or_left_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_the_best_tool_is_told_without_being_taken(rig: Rig) -> None:
    give(rig, dirt=1, wooden_pickaxe=1, iron_pickaxe=1)
    result = await run_json(rig.bots["Alice"], "!primitive findBestTool stone")
    assert (result["tool"], result["drops"]) == ("iron_pickaxe", ["cobblestone"])
    assert in_hand(rig) == "dirt"
    assert (await carry_out(rig, "!primitive equipBestToolForBlock stone"))["success"]
    assert in_hand(rig) == "iron_pickaxe"


# --- find -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("match", "found"),
    [
        ('"log"', ["oak_log", "birch_log"]),
        ('["birch_log", "gold_ore"]', ["birch_log", "gold_ore"]),
        ('{"equals": "gold_ore"}', ["gold_ore"]),
        ('{"includes": "ore"}', ["gold_ore"]),
        ('{"includes": ["oak_l", "gold"]}', ["oak_log", "gold_ore"]),
        ('{"equals": "birch_log", "includes": "gold"}', ["birch_log", "gold_ore"]),
        ('"minecraft:birch log"', ["birch_log"]),
    ],
)
async def test_blocks_match_by_name_category_list_or_part(
    rig: Rig, match: str, found: list[str]
) -> None:
    for dx, name in enumerate(("oak_log", "birch_log", "gold_ore", "oak_planks")):
        put(rig, name, (12 + dx, GROUND, 8))
    text = f'!primitive findBlocks {{"match": {match}, "count": 10}}'
    result = await run_json(rig.bots["Alice"], text)
    assert [block["name"] for block in result["blocks"]] == found
    assert result["count"] == len(found)


CORNER = {"oak_log": [(12, GROUND + 4, 12)]}
NO_SEARCH = ("", ' {"match": {}}', ' {"match": "stone", "maxDistance": 500}',
             's {"match": "stone", "count": 0}', 's {"match": 3}')  # fmt: skip
NO_NAME = (' {"match": []}', ' {"match": {"includes": ""}}')


def in_cube(more: str) -> str:
    return f'!primitive findBlock {{"match": "oak_log", "maxDistance": 5{more}}}'


@scenes(
    Scene("the nearest, with where it is and how far", "!primitive findBlock oak_log",
          {"success": True, "block": {"name": "oak_log", "distance": 4,
                                      "position": {"x": 12, "y": GROUND, "z": 8}}},
          whole=True, blocks={"oak_log": [(20, GROUND, 8), (12, GROUND, 8)]}),
    Scene("none of many is an answer", "!primitive findBlocks oak_log",
          {"success": True, "blocks": [], "count": 0}),
    Scene("none is a failure for one", "!primitive findBlock oak_log",
          {"success": False, "reason": "not_found"}),
    Scene("a ball has no corners", in_cube(""), {"success": False}, blocks=CORNER),
    Scene("a cube has", in_cube(', "useCube": true'), {"success": True}, blocks=CORNER),
    Scene("no cube asked for", in_cube(', "use_cube": false'), {"success": False},
          blocks=CORNER),
    Scene("nothing beyond a cube", in_cube(', "useCube": true'),
          {"success": False, "reason": "not_found", "maxDistance": 5},
          blocks={"oak_log": [(14, GROUND, 8)]}),
    *(Scene(f"misspelt: {text}", f"!primitive findBlock{text}",
            {"success": False, "reason": "unknown_block",
             "nearest": ["oak_log", "oak_door", "dark_oak_log"]},
            says="oak_log")
      for text in (" oak_lgo", 's {"match": ["stone", "oak_lgo"]}',
                   's {"match": {"equals": "oak_lgo"}}')),
    *(Scene(f"no search: {text}", f"!primitive findBlock{text}",
            {"success": False, "reason": reason})
      for texts, reason in ((NO_SEARCH, "invalid_format"), (NO_NAME, "unknown_block"))
      for text in texts),
)  # fmt: skip
async def test_a_search_finds_what_it_names_or_is_refused(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


@pytest.mark.parametrize("within", [5, 8, 13])
async def test_nothing_is_told_of_that_is_farther_than_asked_for(rig: Rig, within: int) -> None:
    asked = f'{{"match": "grass_block", "maxDistance": {within}, "count": 256}}'
    blocks = (await run_json(rig.bots["Alice"], f"!primitive findBlocks {asked}"))["blocks"]
    assert 0 < max(block["distance"] for block in blocks) <= within


async def test_no_more_are_told_than_asked_for(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!primitive findBlocks grass_block 5")
    assert result["count"] == 5
    distances = [block["distance"] for block in result["blocks"]]
    assert distances == sorted(distances)


# --- make -----------------------------------------------------------------------------


def place(name: str, words: str, shown: Mapping[str, object], **more: Any) -> Scene:
    return Scene(name, f"!primitive placeBlock{words}", shown, **more)


@scenes(
    *(place(f"placed: {words}", words, {"block": "dirt", "left": 1}, given={"dirt": 2},
            standing={"dirt": [(10, 64, 8)]})
      for words in (" 10 64 8", ' {"position": [10, 64, 8], "itemName": "dirt"}',
                    ' {"reference": [10, 63, 8]}', ' {"reference": [10, 63, 8], "face": "up"}',
                    ' {"reference": {"x": 10, "y": 63, "z": 8}, "face": [0, 1, 0]}')),
    *(place(f"{reason}: {words}", words, {"success": False, "reason": reason}, given=bag)
      for bag, words, reason in (
          ({"dirt": 1}, " 30 64 8", "too_far"),
          ({"dirt": 1}, " 10 63 8", "blocked"),
          ({}, " 10 64 8", "missing_item"),
          ({"dirt": 1}, "", "invalid_format"),
          ({"dirt": 1}, ' {"reference": [1, 2, 3], "face": "x"}', "invalid_format"))),
)  # fmt: skip
async def test_what_is_held_is_placed_in_reach_or_it_is_told_why_not(
    rig: Rig, scene: Scene
) -> None:
    await play(rig, scene)


async def test_a_primitive_craft_walks_to_no_table(rig: Rig) -> None:
    give(rig, oak_planks=3, stick=2)
    put(rig, "crafting_table", (30, GROUND, 8))
    result = await carry_out(rig, "!primitive craftItem wooden_pickaxe")
    assert result["reason"] == "no_station"
    put(rig, "crafting_table", (10, GROUND, 8))
    result = await carry_out(rig, "!primitive craftItem wooden_pickaxe")
    assert (result["made"], carried(rig)) == (1, {"wooden_pickaxe": 1})
