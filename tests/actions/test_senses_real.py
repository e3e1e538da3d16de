"""Looking around in the real country of the embedded server, and at who speaks."""

import asyncio
import base64
import io
import math
from typing import Any

import numpy as np
import pytest
from actions.crew import NAME, Crew
from contract.arena import eventually
from PIL import Image

from bridge.actions import BlockAt, Towards
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName, Position

pytestmark = pytest.mark.real

VISITOR = BotName("Visitor")
LOOKS_WITHIN_S = 30.0  # how long it takes is measured by benchmarks.senses
FACING = 3.0  # degrees


async def data(worker: Crew, text: str) -> dict[str, Any]:
    result: dict[str, Any] = (await worker.done(text))["data"]
    return result


async def test_a_scan_of_the_country_tells_the_truth_and_reads_little(worker: Crew) -> None:
    found = await data(worker, '!info scanBlocks {"type": "log", "maxChecks": 0}')
    assert found["blocks"], "there are trees within 32 blocks of the spawn point"
    distances = [block["distance"] for block in found["blocks"]]
    assert distances == sorted(distances)
    for block in found["blocks"][:10]:
        there = await worker.server.admin("block", **block["position"])
        assert there == block["name"]
    summary = found["summary"]
    assert summary["estimatedCoveragePercent"] == 100
    assert summary["checksUsed"] < summary["estimatedPositions"] / 2

    misspelt = await worker.run("!info scanBlocks oak_lgo")
    assert (misspelt["reason"], misspelt["nearest"][0]) == ("unknown_block", "oak_log")


async def test_recipes_have_their_shape_and_every_wood(worker: Crew) -> None:
    chest = (await data(worker, "!info recipesFor chest"))["recipes"]
    (oak,) = (r for r in chest if r["inputs"] == [{"name": "oak_planks", "count": 8}])
    assert (oak["station"], oak["shaped"]) == ("crafting_table", True)
    assert oak["shape"] == [
        ["oak_planks"] * 3,
        ["oak_planks", None, "oak_planks"],
        ["oak_planks"] * 3,
    ]
    assert len(chest) == 8
    using = (await data(worker, "!info recipesUsing stick,coal"))["results"]
    assert {recipe["outputs"][0]["name"] for recipe in using} == {
        "torch", "soul_torch", "campfire"
    }  # fmt: skip
    cake = (await data(worker, "!info recipesFor cake"))["recipes"][0]
    assert cake["outputs"] == [{"name": "cake", "count": 1}, {"name": "bucket", "count": 3}]


async def test_vision_tells_a_block_before_the_eyes(worker: Crew) -> None:
    here = (await worker.session.bot.snapshot()).position.block
    gold = Position(here.x, here.y + 1, here.z - 2)
    await worker.set_block(gold, "gold_block")

    async def placed() -> bool | None:
        return (await worker.session.bot.query(BlockAt(gold)))[0].name == "gold_block" or None

    await eventually(placed)
    view = await data(worker, '!creative vis capture {"yaw": 0, "pitch": 0}')
    (seen,) = (block for block in view["blocks"] if block["name"] == "gold_block")
    assert seen["position"] == {"x": gold.x, "y": gold.y, "z": gold.z}
    assert seen["distance"] < 2
    picture = Image.open(io.BytesIO(base64.b64decode(view["image"]))).convert("RGB")
    red, green, blue = (int(part) for part in np.asarray(picture)[135 - 20, 240])
    assert red > green > 2 * blue, "the gold is in the middle"
    await worker.server.admin("time", value=6_000)
    level = await data(worker, '!info vision {"yaw": 180, "pitch": 0}')
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(level["image"]))).convert("RGB"))
    sky, ground = pixels[40, ::40].mean(axis=0), pixels[-5, ::40].mean(axis=0)
    assert sky[2] > sky[0]
    assert ground[1] > max(ground[0], ground[2]), "it is grass"


async def test_a_speaker_is_looked_at_wherever_the_bot_looked_before(worker: Crew) -> None:
    await worker.bridge.spawn(VISITOR, ServerAddress("127.0.0.1", worker.server.port))
    here = (await worker.session.bot.snapshot()).position
    await worker.server.admin("teleport", player=VISITOR, x=here.x + 3, y=here.y, z=here.z)
    await eventually(lambda: _visitor_beside(worker))
    for away in (0.0, 90.0, 180.0):
        assert await worker.session.bot.head.turn(Towards(away, 45)) == "turned"
        async with asyncio.timeout(LOOKS_WITHIN_S):
            await worker.bridge.whisper(VISITOR, PlayerName(NAME), "hello")
            while not await _faces_visitor(worker):  # noqa: ASYNC110 - nothing tells of a look
                await asyncio.sleep(0.005)
    await worker.bridge.despawn(VISITOR)


async def _visitor_beside(worker: Crew) -> bool | None:
    world = await worker.session.bot.snapshot()
    player = world.player(VISITOR)
    distance = None if player is None else world.distance_to(player)
    return (distance is not None and 2 < distance < 4) or None


async def _faces_visitor(worker: Crew) -> bool:
    world = await worker.session.bot.snapshot()
    player = world.player(VISITOR)
    assert player is not None
    assert player.position is not None
    dx, dz = player.position.x - world.position.x, player.position.z - world.position.z
    bearing = math.degrees(math.atan2(-dx, -dz))
    return abs((world.yaw - bearing + 180) % 360 - 180) < FACING and world.pitch < 30


async def test_animals_in_view_are_sensed_nearest_first(worker: Crew) -> None:
    async with asyncio.timeout(30):
        while not (world := await worker.bridge.snapshot(NAME)).mobs:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert {mob.name for mob in world.mobs} <= {"cow", "pig", "sheep", "chicken"}
    assert not any(mob.hostile for mob in world.mobs)
    away = [world.position.distance_to(mob.position) for mob in world.mobs]
    assert away == sorted(away)
    assert world.effects == ()
