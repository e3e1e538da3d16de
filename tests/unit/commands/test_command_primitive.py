"""`!primitive findBlock(s)|digBlock|placeBlock|craftItem|findBestTool`: with results."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.rig import Rig, run_json

from bridge.world import Position

pytestmark = pytest.mark.anyio

HERE = Position(8.5, GROUND, 8.5)


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await Rig.found(tmp_path)
    await rig.bot("Alice", HERE)
    yield rig
    await rig.aclose()


# --- finding -------------------------------------------------------------------


async def test_the_nearest_block_is_told_with_where_it_is_and_how_far(rig: Rig) -> None:
    put(rig, "oak_log", (20, GROUND, 8), (12, GROUND, 8))
    assert await run_json(rig.bots["Alice"], "!primitive findBlock oak_log") == {
        "success": True,
        "block": {
            "name": "oak_log",
            "position": {"x": 12, "y": GROUND, "z": 8},
            "distance": 4,
        },
    }


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


@pytest.mark.parametrize(
    ("more", "found"), [("", True), (', "useCube": true', True), (', "use_cube": false', False)]
)
async def test_a_search_goes_into_the_corners_of_its_cube_unless_told_not_to(
    rig: Rig, more: str, found: bool
) -> None:
    put(rig, "oak_log", (12, GROUND + 4, 12))
    text = f'!primitive findBlock {{"match": "oak_log", "maxDistance": 5{more}}}'
    assert (await run_json(rig.bots["Alice"], text))["success"] is found


async def test_a_search_of_a_cube_tells_no_block_beyond_it(rig: Rig) -> None:
    put(rig, "oak_log", (14, GROUND, 8))
    text = '!primitive findBlock {"match": "oak_log", "maxDistance": 5}'
    result = await run_json(rig.bots["Alice"], text)
    assert (result["reason"], result["maxDistance"]) == ("not_found", 5)


async def test_no_more_are_told_than_asked_for(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!primitive findBlocks grass_block 5")
    assert result["count"] == 5
    distances = [block["distance"] for block in result["blocks"]]
    assert distances == sorted(distances)


async def test_found_none_is_an_answer_for_many_and_a_failure_for_one(rig: Rig) -> None:
    many = await run_json(rig.bots["Alice"], "!primitive findBlocks oak_log")
    assert (many["success"], many["blocks"], many["count"]) == (True, [], 0)
    one = await run_json(rig.bots["Alice"], "!primitive findBlock oak_log")
    assert (one["success"], one["reason"]) == (False, "not_found")


@pytest.mark.parametrize(
    "text",
    [
        "!primitive findBlock oak_lgo",
        '!primitive findBlocks {"match": ["stone", "oak_lgo"]}',
        '!primitive findBlocks {"match": {"equals": "oak_lgo"}}',
    ],
)
async def test_a_misspelt_block_gets_the_nearest_name_instead_of_all_blocks(
    rig: Rig, text: str
) -> None:
    result = await run_json(rig.bots["Alice"], text)
    assert (result["success"], result["reason"]) == (False, "unknown_block")
    assert "oak_log" in result["nearest"]
    assert "oak_log" in result["message"]


@pytest.mark.parametrize(
    "text",
    [
        "!primitive findBlock",
        '!primitive findBlock {"match": []}',
        '!primitive findBlock {"match": {}}',
        '!primitive findBlock {"match": {"includes": ""}}',
        '!primitive findBlock {"match": "stone", "maxDistance": 500}',
        '!primitive findBlocks {"match": "stone", "count": 0}',
        '!primitive findBlocks {"match": 3}',
    ],
)
async def test_a_search_for_nothing_or_for_too_much_is_refused(rig: Rig, text: str) -> None:
    result = await run_json(rig.bots["Alice"], text)
    assert result["success"] is False
    assert result["reason"] in ("invalid_format", "unknown_block")


# --- digging -------------------------------------------------------------------


async def test_a_block_is_dug_with_the_best_tool_and_what_came_of_it_is_told(rig: Rig) -> None:
    rig.world.give("Alice", "dirt")
    rig.world.give("Alice", "stone_pickaxe")
    put(rig, "stone", (9, GROUND, 8))
    assert await carry_out(rig, "!primitive digBlock 9 64 8") == {
        "success": True,
        "block": "stone",
        "position": {"x": 9, "y": 64, "z": 8},
        "tool": "stone_pickaxe",
        "gained": {"cobblestone": 1},
    }
    assert rig.world.block(Position(9, 64, 8)) == "air"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!primitive digBlock 9 70 8", "not_found"),
        ("!primitive digBlock 30 63 8", "too_far"),
        ("!primitive digBlock 3000 63 8", "not_loaded"),
        ('!primitive digBlock {"position": [9, 64, 8]}', "no_tool"),
        ("!primitive digBlock 7 64 8", "unbreakable"),
        ("!primitive digBlock", "invalid_format"),
    ],
)
async def test_a_dig_fails_with_its_reason(rig: Rig, text: str, reason: str) -> None:
    put(rig, "stone", (9, GROUND, 8))
    put(rig, "bedrock", (7, GROUND, 8))
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)


async def test_the_best_tool_is_told_without_being_taken(rig: Rig) -> None:
    for item in ("dirt", "wooden_pickaxe", "iron_pickaxe"):
        rig.world.give("Alice", item)
    result = await run_json(rig.bots["Alice"], "!primitive findBestTool stone")
    assert (result["tool"], result["drops"]) == ("iron_pickaxe", ["cobblestone"])
    held = rig.world.body("Alice").held
    assert held is not None
    assert held.name == "dirt"
    assert (await carry_out(rig, "!primitive equipBestToolForBlock stone"))["success"]
    held = rig.world.body("Alice").held
    assert held is not None
    assert held.name == "iron_pickaxe"


async def test_what_every_hand_breaks_needs_no_tool(rig: Rig) -> None:
    assert (await run_json(rig.bots["Alice"], "!primitive findBestTool dirt"))["tool"] is None


# --- placing and crafting ------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "!primitive placeBlock 10 64 8",
        '!primitive placeBlock {"position": [10, 64, 8], "itemName": "dirt"}',
        '!primitive placeBlock {"reference": [10, 63, 8]}',
        '!primitive placeBlock {"reference": {"x": 10, "y": 63, "z": 8}, "face": [0, 1, 0]}',
        '!primitive placeBlock {"reference": [10, 63, 8], "face": "up"}',
    ],
)
async def test_what_is_held_is_placed_in_reach(rig: Rig, text: str) -> None:
    rig.world.give("Alice", "dirt", 2)
    result = await carry_out(rig, text)
    assert (result["block"], result["left"]) == ("dirt", 1)
    assert rig.world.block(Position(10, 64, 8)) == "dirt"


@pytest.mark.parametrize(
    ("given", "text", "reason"),
    [
        ("dirt", "!primitive placeBlock 30 64 8", "too_far"),
        ("dirt", "!primitive placeBlock 10 63 8", "blocked"),
        (None, "!primitive placeBlock 10 64 8", "missing_item"),
        ("dirt", "!primitive placeBlock", "invalid_format"),
        ("dirt", '!primitive placeBlock {"reference": [1, 2, 3], "face": "x"}', "invalid_format"),
    ],
)
async def test_placing_fails_with_its_reason(
    rig: Rig, given: str | None, text: str, reason: str
) -> None:
    if given is not None:
        rig.world.give("Alice", given)
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"]) == (False, reason)


async def test_a_primitive_craft_walks_to_no_table(rig: Rig) -> None:
    rig.world.give("Alice", "oak_planks", 3)
    rig.world.give("Alice", "stick", 2)
    put(rig, "crafting_table", (30, GROUND, 8))
    result = await carry_out(rig, "!primitive craftItem wooden_pickaxe")
    assert result["reason"] == "no_station"
    put(rig, "crafting_table", (10, GROUND, 8))
    result = await carry_out(rig, "!primitive craftItem wooden_pickaxe")
    assert (result["made"], carried(rig)) == (1, {"wooden_pickaxe": 1})
