"""`!info scanBlocks`: nearest first, reports its cost, keeps to its limits."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.rig import Rig, in_words, run_json

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bridge.world import PlayerName, Position

HERE = Position(100.5, 64, 200.5)


async def scan(rig: Rig, **args: Any) -> dict[str, Any]:
    result = await run_json(rig.bots["Alice"], f"!info scanBlocks {json.dumps(args)}")
    assert result["success"], result
    data: dict[str, Any] = result["data"]
    return data


async def test_a_scan_has_the_shape_of_the_seeds(rig: Rig) -> None:
    rig.world.set_block(Position(103, 64, 200), "oak_log")
    rig.world.set_block(Position(100, 66, 200), "oak_log")
    result = await run_json(rig.bots["Alice"], '!info scanBlocks {"type": "oak_log", "range": 4}')
    checks = result["data"]["summary"].pop("checksUsed")
    sections = result["data"]["summary"].pop("sections")
    assert result == {
        "success": True,
        "type": "scanBlocks",
        "data": {
            "blocks": [
                {
                    "name": "oak_log",
                    "position": {"x": 100, "y": 66, "z": 200},
                    "relativePosition": {"x": 0, "y": 2, "z": 0},
                    "distance": 2,
                },
                {
                    "name": "oak_log",
                    "position": {"x": 103, "y": 64, "z": 200},
                    "relativePosition": {"x": 3, "y": 0, "z": 0},
                    "distance": 3,
                },
            ],
            "summary": {
                "totalBlocks": 2,
                "uniqueTypes": 1,
                "typeCounts": {"oak_log": 2},
                "maxChecks": 25_000,
                "eligiblePositions": 257,
                "estimatedPositions": 257,
                "estimatedCoveragePercent": 100,
                "farthestDistance": 4,
                "scanRange": 4,
                "scanCenter": {"x": 100, "y": 64, "z": 200},
                "minYOffset": -4,
                "maxYOffset": 4,
                "yaw": 0,
                "coneAngle": None,
                "limitReached": False,
                "stoppedByCallback": False,
                "listedBlocks": 2,
                "sectionsRead": 1,
                "durationMs": 0,
            },
        },
    }
    assert 0 < checks < 257
    assert sections > 1


async def test_blocks_come_nearest_first_over_the_whole_ball(rig: Rig) -> None:
    for dx, dz in ((30, 0), (-30, 0), (0, 29), (0, -2), (12, -12)):
        rig.world.set_block(Position(100 + dx, 64, 200 + dz), "oak_log")
    data = await scan(rig, type="oak_log")
    distances = [block["distance"] for block in data["blocks"]]
    assert distances == sorted(distances)
    assert len(distances) == 5
    assert data["summary"]["estimatedCoveragePercent"] == 100
    assert data["summary"]["checksUsed"] <= 25_000


async def test_it_is_one_query(rig: Rig) -> None:
    await scan(rig, range=2)
    before = rig.bridge.snapshots
    await scan(rig, range=2)
    assert rig.bridge.snapshots == before


@pytest.mark.parametrize("wrong", ["oak_lgo", "oaklog", "oak_logg"])
async def test_a_misspelt_type_is_refused_with_the_nearest_name(rig: Rig, wrong: str) -> None:
    for args in ({"type": wrong}, {"types": ["stone", wrong]}):
        result = await run_json(rig.bots["Alice"], f"!info scanBlocks {json.dumps(args)}")
        assert (result["success"], result["reason"]) == (False, "unknown_block")
        assert "oak_log" in result["nearest"]
        assert "oak_log" in result["message"]


async def test_types_may_be_a_list_words_or_a_kind(rig: Rig) -> None:
    for dx, name in enumerate(("oak_log", "birch_log", "chest"), start=1):
        rig.world.set_block(Position(100 + dx, 64, 200), name)
    as_list = await scan(rig, types=["oak_log", "chest"], range=8)
    as_words = await run_json(rig.bots["Alice"], "!info scanBlocks oak_log,chest 8")
    by_kind = await scan(rig, type="log", range=8)
    assert as_list["summary"]["typeCounts"] == {"chest": 1, "oak_log": 1}
    assert as_words["data"]["blocks"] == as_list["blocks"]
    assert by_kind["summary"]["typeCounts"] == {"birch_log": 1, "oak_log": 1}


async def test_checks_that_run_out_leave_the_nearest_found(rig: Rig) -> None:
    data = await scan(rig, range=16, maxChecks=500)
    summary = data["summary"]
    assert (summary["checksUsed"], summary["limitReached"]) == (500, True)
    assert summary["estimatedCoveragePercent"] < 100
    reached = summary["farthestDistance"]
    assert 1 <= reached < 16
    assert all(block["distance"] <= reached + 1 for block in data["blocks"])


async def test_no_limit_of_checks_covers_everything(rig: Rig) -> None:
    summary = (await scan(rig, range=24, maxChecks=0))["summary"]
    assert (summary["limitReached"], summary["estimatedCoveragePercent"]) == (False, 100)
    assert summary["maxChecks"] == 0


async def test_a_list_is_bounded_and_the_counts_are_not(rig: Rig) -> None:
    data = await scan(rig, range=8, maxResults=10)
    assert len(data["blocks"]) == data["summary"]["listedBlocks"] == 10
    assert data["summary"]["totalBlocks"] > 500


async def test_heights_and_a_cone_narrow_it(rig: Rig) -> None:
    for dz in (-3, 3):
        rig.world.set_block(Position(100, 64, 200 + dz), "chest")
    ahead = await scan(rig, type="chest", range=5, yaw=0, coneAngle=60)
    above = await scan(rig, type="chest", range=5, minYOffset=1)
    assert [b["relativePosition"]["z"] for b in ahead["blocks"]] == [-3]
    assert ahead["summary"]["estimatedPositions"] < 515
    assert above["blocks"] == []


async def test_air_is_listed_only_when_asked_for(rig: Rig) -> None:
    plain = (await scan(rig, range=2))["summary"]["typeCounts"]
    with_air = (await scan(rig, range=2, includeAir=True))["summary"]["typeCounts"]
    assert "air" not in plain
    assert with_air["air"] > 0


async def test_the_whisper_tells_what_is_nearest_and_what_it_cost(rig: Rig) -> None:
    rig.world.set_block(Position(103, 64, 200), "oak_log")
    nearest, cost = await in_words(rig.bots["Alice"], "!info scanBlocks oak_log 4")
    assert nearest == "Within 4 blocks: 1 oak_log (nearest 103 64 200, 3)."
    assert cost.startswith("Read ")
    nothing = await in_words(rig.bots["Alice"], "!info scanBlocks chest 4")
    assert nothing[0] == "Within 4 blocks: nothing of that."


@pytest.mark.parametrize(
    "order",
    [
        '!info scanBlocks {"type": "diamond_ore", "range": 33}',
        '!info scanBlocks {"type": "diamond_ore", "minYOffset": -33}',
        '!primitive findBlock {"match": "diamond_ore", "maxDistance": 33}',
    ],
)
async def test_players_look_no_farther_than_the_setting(tmp_path: Path, order: str) -> None:
    rig = await Rig.found(tmp_path, Permissions(owners=frozenset({"Olga"})))
    alice = await rig.bot("Alice", HERE)
    refused = await run_json(alice, order, Person(PlayerName("Mallory")))
    allowed = await run_json(alice, order.replace("33", "32"), Person(PlayerName("Mallory")))
    by_owner = await run_json(alice, order, Person(PlayerName("Olga")))
    await rig.aclose()
    assert (refused["reason"], refused["maxDistance"]) == ("not_permitted", 32)
    assert "not_permitted" not in (allowed.get("reason"), by_owner.get("reason"))
