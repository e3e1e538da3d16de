"""`!navigation register | list | remove`, also under their older names."""

from pathlib import Path

import pytest
from support.rig import Rig, alice_at, run_json

from bots.access.origin import Fellow, Person
from bots.access.permissions import Permissions
from bots.access.sources import COMMANDERS
from bots.bot.bot import Bot
from bots.bot.locations import AllLocations
from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bots.store.database import FILE_NAME, Store
from bridge.world import BotName, PlayerName, Position

HERE = Position(10.5, 64, 20.5)
alice = alice_at(HERE)


@pytest.mark.parametrize(
    ("arguments", "location"),
    [
        ('{"name": "home"}', {"x": 10, "y": 64, "z": 20}),
        ('{"name": "home", "coords": [1.7, 70, -3.2]}', {"x": 1, "y": 70, "z": -4}),
        ('{"name": "home", "coords": {"x": 1, "y": 70, "z": -4}}', {"x": 1, "y": 70, "z": -4}),
        ('{"name": "home", "x": 1, "y": 70, "z": -4}', {"x": 1, "y": 70, "z": -4}),
        ("home", {"x": 10, "y": 64, "z": 20}),
    ],
)
async def test_a_place_is_registered_by_point_or_here(
    alice: Bot, arguments: str, location: dict[str, int]
) -> None:
    result = await run_json(alice, f"!navigation register {arguments}")
    point = " ".join(map(str, location.values()))
    assert result == {
        "success": True,
        "message": f"home is at {point} from now on.",
        "name": "home",
        "location": location,
        "dimension": "overworld",
        "replaced": False,
    }


async def test_the_nearest_block_of_a_kind_is_registered(rig: Rig, alice: Bot) -> None:
    for x in (60, 15, 90):
        rig.world.set_block(Position(x, 64, 20), "crafting_table")
    command = '!navigation register {"name": "bench", "blockType": "crafting_table"}'
    assert (await run_json(alice, command))["location"] == {"x": 15, "y": 64, "z": 20}


async def test_coordinates_count_more_than_a_kind_of_block(rig: Rig, alice: Bot) -> None:
    rig.world.set_block(Position(15, 64, 20), "chest")
    command = '!navigation register {"name": "a", "blockType": "chest", "coords": [1, 2, 3]}'
    assert (await run_json(alice, command))["location"] == {"x": 1, "y": 2, "z": 3}


async def test_a_block_that_is_nowhere_near_registers_nothing(alice: Bot) -> None:
    command = '!navigation register {"name": "bench", "blockType": "crafting_tabel"}'
    result = await run_json(alice, command)
    assert (result["success"], result["reason"]) == (False, "not_found")
    assert alice.locations.all() == ()


@pytest.mark.parametrize(
    "arguments",
    [
        *("", '{"name": ""}', '{"name": "   "}', '{"name": "a\\u0007"}', '{"name": "spawn"}'),
        '{"name": "Ｓpawn"}',
        f'{{"name": "{"a" * 33}"}}',
        *('{"name": "a", "coords": [1, 2]}', '{"name": "a", "x": 1, "y": 2}'),
        *('{"name": "a", "coords": [1, 2, "NaN"]}', '{"name": "a", "coords": [1e12, 2, 3]}'),
        '{"name": "a", "colour": "red"}',
    ],
)
async def test_what_is_no_place_is_refused_with_its_usage(alice: Bot, arguments: str) -> None:
    result = await run_json(alice, f"!navigation register {arguments}")
    assert (result["success"], result["reason"]) == (False, "invalid_format")
    assert result["usage"].startswith("!navigation register <name>")
    assert alice.locations.all() == ()


async def test_a_place_of_the_same_name_is_replaced(alice: Bot) -> None:
    await run_json(alice, "!navigation register Home")
    result = await run_json(alice, '!navigation register {"name": "home", "coords": [1, 2, 3]}')
    assert result["replaced"] is True
    assert [place.position for place in alice.locations.all()] == [Position(1, 2, 3)]


async def test_places_are_listed_with_their_distance_after_spawn(rig: Rig, alice: Bot) -> None:
    await run_json(alice, '!navigation register {"name": "mine", "coords": [10, 64, 50]}')
    await run_json(alice, '!navigation register {"name": "home"}')
    result = await run_json(alice, "!navigation list")
    assert result == {
        "success": True,
        "locations": [
            {"name": "spawn", "position": {"x": 8, "y": 64, "z": 8}, "distance": 12},
            {"name": "home", "position": {"x": 10, "y": 64, "z": 20}, "distance": 0},
            {"name": "mine", "position": {"x": 10, "y": 64, "z": 50}, "distance": 29},
        ],
        "count": 3,
    }
    assert render(await handle_chat_command(alice, "t", "!navigation list")) == [
        "I know 3: spawn (12 blocks), home (0 blocks), mine (29 blocks)."
    ]


async def test_a_place_in_another_dimension_has_no_distance(rig: Rig, alice: Bot) -> None:
    await run_json(alice, "!navigation register home")
    rig.world.teleport("Alice", HERE, "the_nether")
    places = (await run_json(alice, "!navigation list"))["locations"]
    assert [place["distance"] for place in places if place["name"] == "home"] == [None]


async def test_info_all_shows_the_places_beside_spawn(alice: Bot) -> None:
    await run_json(alice, "!navigation register home")
    shown = (await run_json(alice, "!info all"))["data"]["locations"]
    assert shown == {
        "locations": [
            {"name": "spawn", "position": {"x": 8, "y": 64, "z": 8}, "distance": 12},
            {"name": "home", "position": {"x": 10, "y": 64, "z": 20}, "distance": 0},
        ],
        "count": 2,
    }


async def test_a_place_is_forgotten(alice: Bot) -> None:
    await run_json(alice, "!navigation register Home")
    result = await run_json(alice, '!navigation remove {"name": "home"}')
    assert (result["success"], result["name"]) == (True, "Home")
    assert (await run_json(alice, "!navigation list"))["count"] == 1


async def test_an_unknown_place_is_answered_with_the_nearest(alice: Bot) -> None:
    await run_json(alice, "!navigation register home")
    result = await run_json(alice, "!navigation remove hme")
    assert result == {
        "success": False,
        "reason": "unknown_location",
        "message": "I know no place hme. Did you mean home?",
        "registeredLocations": ["home"],
        "nearest": "home",
    }


@pytest.mark.parametrize("family", ["navigation", "creative nav", "creative navigation"])
async def test_the_older_names_mean_the_same(alice: Bot, family: str) -> None:
    registered = await run_json(alice, f'!{family} register {{"name": "home"}}')
    assert registered["success"] is True
    assert (await run_json(alice, f"!{family} list"))["count"] == 2
    assert (await run_json(alice, f"!{family} remove home"))["success"] is True


async def test_places_are_still_known_after_a_restart(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path)
    await run_json(await rig.bot("Alice", HERE), "!navigation register home")
    await rig.aclose()
    store = await Store.open(tmp_path / FILE_NAME)
    (home,) = (await AllLocations.load(store)).of("Alice").all()
    assert (home.name, home.position, home.dimension) == ("home", Position(10, 64, 20), "overworld")
    await store.aclose()


async def test_trusted_ones_register_places_that_strangers_do_not_learn(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, Permissions(trusted=frozenset({"Tim"})))
    alice = await rig.bot("Alice", HERE)
    steve, tim = Person(PlayerName("Steve")), Person(PlayerName("Tim"))
    refused = await run_json(alice, "!navigation register home", steve)
    assert (refused["success"], refused["reason"]) == (False, "not_permitted")
    assert (await run_json(alice, "!navigation register home", tim))["success"] is True
    assert (await run_json(alice, "!navigation list", tim))["count"] == 2
    assert (await run_json(alice, "!status", tim))["world"]["locations"] == ["home"]
    for other in (steve, Fellow(BotName("Bob"))):
        assert (await run_json(alice, "!navigation list", other))["count"] == 1  # the spawn point
        assert (await run_json(alice, "!status", other))["world"]["locations"] == []
        known = (await run_json(alice, "!info all", other))["data"]["locations"]
        assert [place["name"] for place in known["locations"]] == ["spawn"]
    await rig.aclose()


async def test_who_may_know_of_a_place_is_known_after_a_restart(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, Permissions(trusted=frozenset({"Tim"})))
    await run_json(await rig.bot("Alice"), "!navigation register home", Person(PlayerName("Tim")))
    (stored,) = rig.bots["Alice"].locations.all()
    await rig.aclose()
    store = await Store.open(tmp_path / FILE_NAME)
    (home,) = (await AllLocations.load(store)).of("Alice").all()
    assert home.sources == stored.sources
    assert home.sources.audience == frozenset({"Tim", COMMANDERS})
    await store.aclose()
