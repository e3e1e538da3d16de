"""`!primitive findBlock` and `findBlocks`."""

import pytest
from support.acting import GROUND, Scene, play, put, scenes
from support.rig import Rig, run_json


async def test_the_nearest_block_is_told_with_where_it_is_and_how_far(rig: Rig) -> None:
    put(rig, "oak_log", (20, GROUND, 8), (12, GROUND, 8))
    assert await run_json(rig.bots["Alice"], "!primitive findBlock oak_log") == {
        "success": True,
        "block": {"name": "oak_log", "position": {"x": 12, "y": GROUND, "z": 8}, "distance": 4},
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


CORNER = {"oak_log": [(12, GROUND + 4, 12)]}
NO_SEARCH = ("", ' {"match": {}}', ' {"match": "stone", "maxDistance": 500}',
             's {"match": "stone", "count": 0}', 's {"match": 3}')  # fmt: skip
NO_NAME = (' {"match": []}', ' {"match": {"includes": ""}}')


def in_cube(more: str) -> str:
    return f'!primitive findBlock {{"match": "oak_log", "maxDistance": 5{more}}}'


@scenes(
    Scene("a ball has no corners", in_cube(""), {"success": False}, blocks=CORNER),
    Scene("a cube has", in_cube(', "useCube": true'), {"success": True}, blocks=CORNER),
    Scene("no cube asked for", in_cube(', "use_cube": false'), {"success": False},
          blocks=CORNER),
    Scene("nothing beyond a cube", in_cube(', "useCube": true'),
          {"reason": "not_found", "maxDistance": 5}, blocks={"oak_log": [(14, GROUND, 8)]}),
    *(Scene(f"misspelt: {text}", f"!primitive findBlock{text}",
            {"success": False, "reason": "unknown_block", "nearest": ["oak_log", "dark_oak_log"]},
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
    text = (
        f'!primitive findBlocks {{"match": "grass_block", "maxDistance": {within}, "count": 256}}'
    )
    blocks = (await run_json(rig.bots["Alice"], text))["blocks"]
    assert blocks
    assert max(block["distance"] for block in blocks) <= within


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
