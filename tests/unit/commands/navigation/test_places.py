"""`!navigation register | list | remove`, also under their older names."""

from pathlib import Path

import pytest
from support.acting import put
from support.rig import Rig, in_words, rig_with_alice, run_json

from bots.access.origin import Fellow, Person
from bots.access.permissions import Permissions
from bots.access.sources import COMMANDERS
from bots.bot.bot import Bot
from bots.bot.locations import AllLocations
from bots.store.database import FILE_NAME, Store
from bridge.world import BotName, PlayerName, Position

HERE = Position(10.5, 64, 20.5)
rig = rig_with_alice(HERE)
STEVE, TIM = Person(PlayerName("Steve")), Person(PlayerName("Tim"))
TRUSTING_TIM = Permissions(trusted=frozenset({"Tim"}))


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


@pytest.mark.parametrize(
    ("more", "x", "y", "z"),
    [('"blockType": "crafting_table"', 15, 64, 20),
     ('"blockType": "crafting_table", "coords": [1, 2, 3]', 1, 2, 3)],
    ids=["the nearest of a kind", "coordinates count more"],
)  # fmt: skip
async def test_a_block_of_a_kind_is_registered_where_no_point_is_given(
    rig: Rig, alice: Bot, more: str, x: int, y: int, z: int
) -> None:
    put(rig, "crafting_table", (60, 64, 20), (15, 64, 20), (90, 64, 20))
    result = await run_json(alice, f'!navigation register {{"name": "bench", {more}}}')
    assert result["location"] == {"x": x, "y": y, "z": z}


async def test_a_block_that_is_nowhere_near_registers_nothing(alice: Bot) -> None:
    command = '!navigation register {"name": "bench", "blockType": "crafting_tabel"}'
    result = await run_json(alice, command)
    assert (result["success"], result["reason"]) == (False, "not_found")
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
    told = "I know 3: spawn (12 blocks), home (0 blocks), mine (29 blocks)."
    assert await in_words(alice, "!navigation list") == [told]


async def test_a_place_in_another_dimension_has_no_distance(rig: Rig, alice: Bot) -> None:
    await run_json(alice, "!navigation register home")
    rig.world.teleport("Alice", HERE, "the_nether")
    places = (await run_json(alice, "!navigation list"))["locations"]
    assert [place["distance"] for place in places if place["name"] == "home"] == [None]


async def test_info_all_shows_the_places_that_the_list_tells(alice: Bot) -> None:
    await run_json(alice, "!navigation register home")
    listed = await run_json(alice, "!navigation list")
    shown = (await run_json(alice, "!info all"))["data"]["locations"]
    assert ({"success": True, **shown}, shown["count"]) == (listed, 2)


@pytest.mark.parametrize("family", ["navigation", "creative nav", "creative navigation"])
async def test_a_place_is_forgotten_under_the_older_names_too(alice: Bot, family: str) -> None:
    assert (await run_json(alice, f'!{family} register {{"name": "Home"}}'))["success"] is True
    assert (await run_json(alice, f"!{family} list"))["count"] == 2
    result = await run_json(alice, f'!{family} remove {{"name": "home"}}')
    assert (result["success"], result["name"]) == (True, "Home")
    assert (await run_json(alice, f"!{family} list"))["count"] == 1


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


async def test_places_and_who_may_know_of_them_are_known_after_a_restart(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, TRUSTING_TIM)
    alice = await rig.bot("Alice", HERE)
    await run_json(alice, "!navigation register home", TIM)
    (stored,) = alice.locations.all()
    await rig.aclose()
    store = await Store.open(tmp_path / FILE_NAME)
    (home,) = (await AllLocations.load(store)).of("Alice").all()
    assert (home.name, home.position, home.dimension) == ("home", Position(10, 64, 20), "overworld")
    assert home.sources == stored.sources
    assert home.sources.audience == frozenset({"Tim", COMMANDERS})
    await store.aclose()


async def test_trusted_ones_register_places_that_strangers_do_not_learn(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, TRUSTING_TIM)
    alice = await rig.bot("Alice", HERE)
    refused = await run_json(alice, "!navigation register home", STEVE)
    assert (refused["success"], refused["reason"]) == (False, "not_permitted")
    assert (await run_json(alice, "!navigation register home", TIM))["success"] is True
    assert (await run_json(alice, "!navigation list", TIM))["count"] == 2
    assert (await run_json(alice, "!status", TIM))["world"]["locations"] == ["home"]
    for other in (STEVE, Fellow(BotName("Bob"))):
        assert (await run_json(alice, "!navigation list", other))["count"] == 1  # the spawn point
        assert (await run_json(alice, "!status", other))["world"]["locations"] == []
        known = (await run_json(alice, "!info all", other))["data"]["locations"]
        assert [place["name"] for place in known["locations"]] == ["spawn"]
    await rig.aclose()
