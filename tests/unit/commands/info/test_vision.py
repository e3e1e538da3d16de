"""`!info vision`: what is in view, in words and as a picture."""

import asyncio
import base64
import io
from typing import Any

import pytest
from PIL import Image
from support.rig import Rig, in_words, run_json

from bots.access.origin import Person
from bots.commands.catalogue import handle_chat_command
from bots.responder.command_tools import outcome_of
from bots.vision.studio import MOST_WAITING
from bridge.world import MobSighting, PlayerName, Position


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
    lines = await in_words(rig.bots["Alice"], "!info vision 0 0")
    assert lines[0].startswith("Looking north: grass_block ")
    assert "sky" in lines[0]
    assert lines[1] == "Players in view: Steve (5 away, north)."
    up = await in_words(rig.bots["Alice"], "!info vision 90 80")
    assert up == ["Looking west and up: sky 100 %.", "Players in view: nobody."]


async def test_animals_and_monsters_are_told_with_distance_and_direction(rig: Rig) -> None:
    rig.world.mobs.append(MobSighting("pig", Position(100.5, 64, 195.5), hostile=False))
    rig.world.mobs.append(MobSighting("creeper", Position(93.5, 64, 193.5), hostile=True))
    rig.world.mobs.append(MobSighting("cow", Position(100.5, 64, 210.5), hostile=False))
    data = await see(rig, "0 0")
    told = [(mob["name"], mob["distance"], mob["direction"]) for mob in data["mobs"]]
    assert told == [("pig", 5, "north"), ("creeper", 10, "north-west")]
    assert [mob["hostile"] for mob in data["mobs"]] == [False, True]
    assert data["text"].splitlines()[2] == (
        "Animals and monsters in view: pig (5 away, north), creeper (10 away, north-west)."
    )


def picture_in(data: dict[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data["image"])))


async def test_an_operator_gets_a_picture_too(rig: Rig) -> None:
    data = await see(rig, "0 0")
    picture = picture_in(data)
    size = (data["metadata"]["width"], data["metadata"]["height"])
    assert (picture.format, picture.size) == ("PNG", size)
    assert size == (480, 270)


async def test_a_panorama_shows_and_tells_what_is_all_around(rig: Rig) -> None:
    rig.world.person("Behind", Position(100.5, 64, 210.5))
    data = await see(rig, '{"yaw": 0, "panorama": true}')
    assert [player["username"] for player in data["players"]] == ["Behind"]
    assert data["text"].startswith("Looking all around: ")
    picture = picture_in(data)
    assert picture.width > 3 * picture.height


async def test_a_map_is_a_square_picture(rig: Rig) -> None:
    picture = picture_in(await see(rig, '{"map": true}'))
    assert picture.width == picture.height > 400


async def test_a_whisper_takes_no_time_for_a_picture_unless_told(rig: Rig) -> None:
    steve = Person(PlayerName("Steve"))
    rig.world.person("Steve", Position(100.5, 64, 195.5))
    alice = rig.bots["Alice"]
    assert (await run_json(alice, "!info vision", steve))["data"]["image"] is None
    told = await run_json(alice, '!info vision {"picture": true}', steve)
    assert picture_in(told["data"]).format == "PNG"


async def test_a_model_is_shown_the_picture_and_the_words(rig: Rig) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "tester", "!info vision 0 0")
    outcome = outcome_of(result)
    (image,) = outcome.images
    assert (image.width, image.height, image.media_type) == (480, 270, "image/png")
    assert outcome.text.startswith('{"seen"')
    assert image.base64 not in outcome.text


async def test_a_trace_does_not_keep_the_picture(rig: Rig) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "tester", "!info vision 0 0")
    traced = result.as_traced()
    assert traced["data"]["image"] is None
    assert traced["data"]["text"] == result.as_json()["data"]["text"]


@pytest.mark.slow
async def test_too_many_pictures_at_once_are_refused(rig: Rig) -> None:
    wanted = (run_json(rig.bots["Alice"], "!info vision 0 0") for _ in range(MOST_WAITING + 3))
    results = await asyncio.gather(*wanted)
    refused = [result["reason"] for result in results if not result["success"]]
    assert refused == ["busy", "busy"]
