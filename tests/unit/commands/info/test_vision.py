"""`!info vision`: what is in view, in words."""

from __future__ import annotations

from typing import Any

import pytest
from support.rig import Rig, run_json

from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bridge.world import Position

pytestmark = pytest.mark.anyio

HERE = Position(100.5, 64, 200.5)


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice", HERE)
    return rig


async def see(rig: Rig, args: str = "") -> dict[str, Any]:
    result = await run_json(rig.bots["Alice"], f"!info vision {args}".strip())
    assert (result["success"], result["type"]) == (True, "vision")
    data: dict[str, Any] = result["data"]
    return data


async def test_blocks_are_told_by_share_with_the_nearest_of_each(rig: Rig) -> None:
    for x in range(95, 106):
        for y in range(64, 68):
            rig.world.set_block(Position(x, y, 190), "stone")
    rig.world.set_block(Position(100, 65, 196), "gold_block")
    data = await see(rig, '{"yaw": 0, "pitch": 0}')
    assert [block["name"] for block in data["blocks"]] == ["grass_block", "stone", "gold_block"]
    gold = data["blocks"][2]
    assert gold["position"] == {"x": 100, "y": 65, "z": 196}
    assert gold["distance"] == pytest.approx(3.5, abs=0.1)
    shares = [block["share"] for block in data["blocks"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) + data["sky"] == pytest.approx(100, abs=0.5)


async def test_the_metadata_says_where_it_was_looked_from(rig: Rig) -> None:
    data = await see(rig, '{"yaw": -90, "pitch": 10, "renderWait": 500}')
    metadata = data["metadata"]
    assert (metadata["botId"], metadata["yaw"], metadata["pitch"]) == ("Alice", -90, 10)
    assert metadata["position"] == {"x": 100, "y": 65, "z": 200}
    assert metadata["timestamp"] == rig.world.clock.now().timestamp() * 1000


async def test_players_in_view_are_told_nearest_first(rig: Rig) -> None:
    rig.world.person("Far", Position(100.5, 64, 180.5))
    rig.world.person("Near", Position(101.5, 64, 195.5))
    rig.world.person("Behind", Position(100.5, 64, 210.5))
    data = await see(rig, "0 0")
    assert [player["username"] for player in data["players"]] == ["Near", "Far"]
    assert data["players"][0]["distance"] == 5


async def test_it_looks_where_the_head_points_and_does_not_turn_it(rig: Rig) -> None:
    rig.world.body("Alice").yaw = 180
    rig.world.person("South", Position(100.5, 64, 206.5))
    assert [player["username"] for player in (await see(rig))["players"]] == ["South"]
    await see(rig, "0 0")
    assert rig.world.body("Alice").yaw == 180


@pytest.mark.parametrize("name", ["creative vis capture", "creative vision capture"])
async def test_the_older_names_mean_the_same(rig: Rig, name: str) -> None:
    assert (await run_json(rig.bots["Alice"], f"!{name}"))["type"] == "vision"


async def test_the_whisper_reads_as_a_sentence(rig: Rig) -> None:
    rig.world.person("Steve", Position(100.5, 64, 195.5))
    lines = render(await handle_chat_command(rig.bots["Alice"], "Steve", "!info vision 0 0"))
    assert lines[0].startswith("Looking north: grass_block ")
    assert "sky" in lines[0]
    assert lines[1] == "Players in view: Steve (5 away)."
    up = render(await handle_chat_command(rig.bots["Alice"], "Steve", "!info vision 90 80"))
    assert up == ["Looking west and up: sky 100 %.", "Players in view: nobody."]


@pytest.mark.parametrize("args", ["north", '{"pitch": 91}', '{"renderWait": -1}', '{"zoom": 2}'])
async def test_nonsense_is_refused(rig: Rig, args: str) -> None:
    result = await run_json(rig.bots["Alice"], f"!info vision {args}")
    assert (result["success"], result["reason"]) == (False, "invalid_format")
