"""Named places: they survive a restart, names are unique, each bot has its own."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bots.bot.locations import MOST, AllLocations, Location
from bots.errors import CommandError
from bots.store.database import Store
from bridge.world import Position


def place(name: str, x: float = 1, dimension: str = "overworld") -> Location:
    return Location(name, Position(x, 64, -3), dimension)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(tmp_path / "places.sqlite")
    yield store
    await store.aclose()


async def test_places_are_there_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    first = await Store.open(path)
    places = (await AllLocations.load(first)).of("Alice")
    await places.put(place("home", 2.0))
    await places.put(place("家", 3.0, "the_nether"))
    await places.put(place("mine"))
    await places.remove("mine")
    await first.aclose()
    second = await Store.open(path)
    again = await AllLocations.load(second)
    assert again.of("Alice").all() == (place("home", 2.0), place("家", 3.0, "the_nether"))
    assert again.of("Bob").all() == ()
    await second.aclose()


async def test_a_name_is_one_name_of_one_bot_however_it_is_written(store: Store) -> None:
    everybodys = await AllLocations.load(store)
    places, bobs = everybodys.of("Alice"), everybodys.of("Bob")
    await bobs.put(place("home", 2))
    assert await places.remove("home") is None
    await places.put(place("Home"))
    assert await places.put(place("ＨＯＭＥ", 5)) == place("Home")
    assert places.find(" home ") == place("ＨＯＭＥ", 5)
    assert (len(places.all()), bobs.find("home")) == (1, place("home", 2))


async def test_there_is_room_for_so_many_places_and_no_more(store: Store) -> None:
    places = (await AllLocations.load(store)).of("Alice")
    await asyncio.gather(*(places.put(place(f"place {n}")) for n in range(MOST)))
    with pytest.raises(CommandError) as refused:
        await places.put(place("one more"))
    assert refused.value.reason == "too_many"
    assert await places.put(place("place 7", 9)) == place("place 7")


async def test_a_place_stored_for_a_caller_who_gave_up_is_known(store: Store) -> None:
    places = (await AllLocations.load(store)).of("Alice")
    asked = asyncio.create_task(places.put(place("home")))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    async with asyncio.timeout(30):
        await store.write(lambda _: None)
    assert places.find("home") == place("home")
