"""What the bots know of chests, across restarts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bots.bot.chests import MOST, Chests
from bots.store.database import FILE_NAME, Store
from bridge.world import Container, ItemStack, Position

OVERWORLD, AT = "overworld", Position(10, 64, 8)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def holding(at: Position, slots: int = 27, **items: int) -> Container:
    return Container(at, tuple(ItemStack(name, n) for name, n in items.items()), slots)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Chests]:
    store = await Store.open(folder / FILE_NAME)
    yield await Chests.load(store, lambda: NOW)
    await store.aclose()


@pytest.fixture
async def chests(tmp_path: Path) -> AsyncIterator[Chests]:
    async with opened(tmp_path) as chests:
        yield chests


async def test_what_is_known_survives_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path) as chests:
        await chests.saw(OVERWORLD, holding(AT, iron_ingot=3))
        await chests.allow(OVERWORLD, AT, True)
        await chests.placed(OVERWORLD, Position(1, 64, 1))
    async with opened(tmp_path) as chests:
        by_place = {chest.position: chest for chest in chests.usable(OVERWORLD)}
    assert set(by_place) == {AT, Position(1, 64, 1)}
    assert (by_place[AT].items, by_place[AT].free_slots) == ({"iron_ingot": 3}, 26)


async def test_a_chest_is_used_by_those_who_placed_it_or_were_allowed(chests: Chests) -> None:
    await chests.saw(OVERWORLD, holding(AT, iron_ingot=3))
    assert (chests.usable(OVERWORLD), len(chests.of_others(OVERWORLD))) == ((), 1)
    await chests.placed(OVERWORLD, AT)
    assert [chest.items for chest in chests.usable(OVERWORLD)] == [{}]
    await chests.allow(OVERWORLD, AT, False)
    assert chests.usable(OVERWORLD) == ()
    assert chests.usable("the_nether") == ()


async def test_the_halves_of_a_double_chest_do_not_count_twice(chests: Chests) -> None:
    for at in (AT, Position(11, 64, 8)):
        await chests.allow(OVERWORLD, at, True)
        await chests.saw(OVERWORLD, holding(at, 54, iron_ingot=3))
    held = [(chest.items or {}).get("iron_ingot", 0) for chest in chests.usable(OVERWORLD)]
    assert sum(held) == 3


async def test_the_chests_of_others_are_forgotten_first(chests: Chests) -> None:
    await chests.placed(OVERWORLD, AT)
    for x in range(MOST + 5):
        await chests.saw(OVERWORLD, holding(Position(x, 70, 0)))
    assert len(chests.usable(OVERWORLD)) == 1
    assert len(chests.of_others(OVERWORLD)) == MOST - 1
