"""`!info all`: its exact shape, from one snapshot, and honest about what is unseen."""

import asyncio
import json
from dataclasses import replace

import pytest
from support.rig import Rig, in_words, run_json

from bots.commands.catalogue import handle_chat_command
from bots.commands.info.sections import InfoResult, category_of
from bots.errors import CommandError
from bridge.fake import FakeBridge
from bridge.world import BotName, Position, WorldSnapshot

HERE = Position(100.5, 64, 200.5)


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    rig.world.set_time_of_day(1_000)
    return rig


async def test_all_sections_have_the_shape_of_the_seeds(rig: Rig) -> None:
    rig.world.give("Alice", "oak_log", 70)
    rig.world.give("Alice", "iron_pickaxe")
    rig.world.give("Alice", "apple", 3)
    rig.world.person("Steve", Position(105.5, 64, 206.9))
    rig.world.person("Zoe", Position(900, 64, 200))
    result = await run_json(rig.bots["Alice"], "!info all")
    nearby = result["data"].pop("nearby")
    assert result == {
        "success": True,
        "type": "all",
        "data": {
            "inventory": {
                "items": [
                    {"name": "iron_pickaxe", "count": 1, "category": "tool"},
                    {"name": "oak_log", "count": 70, "category": "material"},
                    {"name": "apple", "count": 3, "category": "other"},
                ],
                "held": "oak_log",
                "worn": [],
                "summary": {
                    "totalItems": 3,
                    "totalCount": 74,
                    "tools": 1,
                    "materials": 1,
                    "isEmpty": False,
                },
            },
            "position": {
                "position": {"x": 100, "y": 64, "z": 200},
                "rotation": {"yaw": 0, "pitch": 0},
                "time": {"isDay": True, "timeOfDay": 1_000},
                "health": 20,
                "food": 20,
            },
            "locations": {
                "locations": [
                    {"name": "spawn", "position": {"x": 8, "y": 64, "z": 8}, "distance": 212}
                ],
                "count": 1,
            },
            "nearbyPlayers": {
                "players": [STEVE_SEEN],
                "summary": {"totalPlayers": 1, "nearestPlayer": "Steve", "nearestDistance": 8},
            },
            "players": {
                "players": [STEVE_SEEN, ZOE_UNSEEN],
                "summary": {"totalPlayers": 2, "nearestPlayer": "Steve", "nearestDistance": 8},
            },
        },
    }
    assert list(nearby) == ["blocks", "categories", "summary"]
    assert sum(block["count"] for block in nearby["blocks"]) == nearby["summary"]["totalBlocks"]
    assert nearby["summary"]["topBlock"] == nearby["blocks"][0]["name"]


STEVE_SEEN = {
    "username": "Steve",
    "position": {"x": 105, "y": 64, "z": 206},
    "distance": 8,
    "health": 20,
}
ZOE_UNSEEN = {"username": "Zoe", "position": None, "distance": None, "health": None}


async def test_what_is_held_and_worn_is_told(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    rig.world.give("Alice", "iron_pickaxe")
    rig.world.body("Alice").worn["head"] = "iron_helmet"
    inventory = (await run_json(alice, "!info all"))["data"]["inventory"]
    assert (inventory["held"], inventory["worn"]) == ("iron_pickaxe", ["iron_helmet"])
    spoken = await in_words(alice, "!info all")
    assert "Carrying 1 iron_pickaxe; iron_pickaxe in hand; wearing iron_helmet." in spoken


async def test_a_program_gets_the_type_it_names_or_an_error(rig: Rig) -> None:
    """A type checker knows it too: this file passes mypy."""
    alice = rig.bots["Alice"]
    seen = await handle_chat_command(alice, "Steve", "!info all", gives=InfoResult)
    assert (seen.data.position.position.x, seen.data.inventory.held) == (100, None)
    with pytest.raises(CommandError) as refused:
        await handle_chat_command(alice, "Steve", "!info nothing", gives=InfoResult)
    assert refused.value.reason == "invalid_format"
    assert refused.value.data["known"][0] == "all"
    with pytest.raises(TypeError, match="gives EchoResult, not InfoResult"):
        await handle_chat_command(alice, "Steve", "!echo hello", gives=InfoResult)


async def test_the_health_of_a_fellow_is_known_where_the_server_does_not_tell_it(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def untold(bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        world = await FakeBridge.snapshot(rig.bridge, bot, blocks_within=blocks_within)
        return replace(world, players=tuple(replace(one, health=None) for one in world.players))

    await rig.bot("Bob", Position(101, 64, 200))
    rig.world.person("Steve", Position(102, 64, 200))
    monkeypatch.setattr(rig.bridge, "snapshot", untold)

    async def known() -> dict[str, int | None]:
        rows = (await run_json(rig.bots["Alice"], "!info all"))["data"]["players"]["players"]
        return {row["username"]: row["health"] for row in rows}

    rig.world.set_health("Bob", 13)
    async with asyncio.timeout(30):
        while await known() != {"Bob": 13, "Steve": None}:
            pass
    rig.bridge.drop_connection("Bob")
    async with asyncio.timeout(30):
        while "Bob" in (seen := await known()) and seen["Bob"] is not None:
            pass


async def test_blocks_around_are_counted_by_their_kind_too(rig: Rig) -> None:
    for dy, name in enumerate(("oak_log", "birch_log", "iron_ore", "stripped_oak_log")):
        rig.world.set_block(Position(HERE.x + 2, HERE.y + dy, HERE.z), name)
    nearby = (await run_json(rig.bots["Alice"], "!info all"))["data"]["nearby"]
    assert nearby["categories"] == {"log": 2, "ore": 1}


async def test_alone_there_is_nobody_nearest(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!info all")
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    data = result["data"]
    nobody = {"totalPlayers": 0, "nearestPlayer": None, "nearestDistance": None}
    assert data["nearbyPlayers"] == {"players": [], "summary": nobody}
    assert data["inventory"]["summary"]["isEmpty"] is True


async def test_two_hundred_players_cost_one_crossing(rig: Rig) -> None:
    for number in range(200):
        rig.world.person(f"Player{number}", Position(100 + number / 10, 64, 200))
    before = rig.bridge.snapshots
    data = (await run_json(rig.bots["Alice"], "!info all"))["data"]
    assert rig.bridge.snapshots - before == 1
    assert data["players"]["summary"]["totalPlayers"] == 200
    distances = [player["distance"] for player in data["nearbyPlayers"]["players"]]
    assert distances == sorted(distances)


@pytest.mark.parametrize("text", ["!info", "!info all", "!INFO ALL", '!info {"type": "all"}'])
async def test_all_is_what_is_meant_in_every_spelling(rig: Rig, text: str) -> None:
    assert (await run_json(rig.bots["Alice"], text))["type"] == "all"


async def test_an_unknown_section_names_those_that_exist(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!info vison")
    assert result["known"] == [
        *("all", "block", "intent", "item", "mob", "recipesFor", "recipesUsing", "related"),
        *("scanBlocks", "search", "vision"),
    ]
    assert "all" in result["message"]


async def test_the_whisper_says_the_most_in_four_lines(rig: Rig) -> None:
    for number in range(30):
        rig.world.person(f"LongNamedPlayer{number}", Position(100 + number / 10, 64, 200))
    rig.world.give("Alice", "oak_log", 5)
    lines = await in_words(rig.bots["Alice"], "!info all")
    assert len(lines) == 4
    assert all(len(line) <= 256 for line in lines)
    assert lines[0].startswith("At 100 64 200, day; health 20/20")
    assert lines[1] == "Carrying 5 oak_log; oak_log in hand."
    assert "30 on the server" in lines[2]


@pytest.mark.parametrize(
    ("category", "items"),
    [
        ("tool", ("stone_axe", "netherite_hoe", "shears")),
        ("material", ("birch_planks", "cobblestone", "deepslate_iron_ore", "stick", "coal")),
        ("material", ("raw_iron",)),
        ("other", ("bread", "oak_boat")),
    ],
)
def test_an_item_is_sorted_by_what_its_name_ends_with(
    category: str, items: tuple[str, ...]
) -> None:
    assert {category_of(item) for item in items} == {category}
