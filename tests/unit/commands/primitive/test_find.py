"""`!primitive findBlock` and `findBlocks`."""

import pytest
from support.acting import GROUND, put
from support.rig import Rig, run_json


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
    ("more", "found"), [("", False), (', "useCube": true', True), (', "use_cube": false', False)]
)
async def test_a_search_goes_into_the_corners_of_a_cube_only_if_told_to(
    rig: Rig, more: str, found: bool
) -> None:
    put(rig, "oak_log", (12, GROUND + 4, 12))
    text = f'!primitive findBlock {{"match": "oak_log", "maxDistance": 5{more}}}'
    assert (await run_json(rig.bots["Alice"], text))["success"] is found


@pytest.mark.parametrize("within", [5, 8, 13])
async def test_nothing_is_told_of_that_is_farther_than_asked_for(rig: Rig, within: int) -> None:
    text = (
        f'!primitive findBlocks {{"match": "grass_block", "maxDistance": {within}, "count": 256}}'
    )
    blocks = (await run_json(rig.bots["Alice"], text))["blocks"]
    assert blocks
    assert max(block["distance"] for block in blocks) <= within


async def test_a_search_of_a_cube_tells_no_block_beyond_it(rig: Rig) -> None:
    put(rig, "oak_log", (14, GROUND, 8))
    text = '!primitive findBlock {"match": "oak_log", "maxDistance": 5, "useCube": true}'
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
