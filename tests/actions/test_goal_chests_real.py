"""Chests and dear things on the real server: what goals take, put away and leave alone."""

import pytest
from actions.crew import Crew

from bridge.world import Position

pytestmark = pytest.mark.real

CHEST = Position(11, 64, 8)
AT = "11 64 8"


async def fill_chest(worker: Crew, item: str, count: int) -> None:
    """By the bot's own hands: it has looked into the chest then."""
    await worker.set_block(CHEST, "chest")
    await worker.give(**{item: count})
    await worker.sees("chest")
    await worker.done(f"!navigation chestOpen {AT}")
    await worker.done(f'!navigation chestDeposit {{"item": "{item}", "count": -1}}')
    await worker.done("!navigation chestClose")


@pytest.mark.timeout(240)
async def test_an_allowed_chest_gives_iron_and_takes_what_fills_the_bag(worker: Crew) -> None:
    await fill_chest(worker, "iron_ingot", 5)
    await worker.done("!chest allow")
    taken = await worker.done("!goal inventory.iron_ingot:3")
    assert taken["message"].endswith(f"I took 3 iron_ingot out of the chest at {AT}.")
    await worker.give(oak_planks=3, cobblestone=64 * 34)
    put = await worker.done("!goal inventory.stick:4")
    assert f"cobblestone into the chest at {AT}." in put["message"]
    carried = await worker.carries()
    assert (carried["stick"], carried["iron_ingot"]) == (4, 3)
    assert 0 < carried["cobblestone"] < 64 * 34


@pytest.mark.timeout(240)
async def test_bookshelf_jukebox_and_bow_are_burnt_only_when_the_goal_says_so(worker: Crew) -> None:
    await worker.set_block(CHEST, "furnace")
    await worker.give(jukebox=1, bookshelf=1, bow=1, oak_planks=1, iron_ore=2)
    await worker.sees("furnace")
    await worker.done("!goal inventory.iron_ingot:1")
    assert {"jukebox", "bookshelf", "bow"} <= (await worker.carries()).keys()
    await worker.done("!goal inventory.iron_ingot:2 with:bookshelf")
    carried = await worker.carries()
    assert (carried["iron_ingot"], carried["jukebox"], carried["bow"]) == (2, 1, 1)
    assert "bookshelf" not in carried


@pytest.mark.timeout(240)
async def test_from_a_full_bag_only_what_is_needed_is_left_where_it_says(worker: Crew) -> None:
    await worker.give(oak_log=2, bricks=64 * 17, granite=64, dirt=64 * 17)
    planks = await worker.done("!goal inventory.oak_planks:4")
    ((item, count, (x, y, z)),) = await worker.server.admin("drops")
    assert (item, count) == ("granite", 64)
    assert planks["message"].endswith(f" I left 64 granite at {x // 1:g} {y // 1:g} {z // 1:g}.")


@pytest.mark.timeout(240)
async def test_a_chest_in_a_full_bag_is_put_down_and_used(worker: Crew) -> None:
    await worker.give(chest=1, oak_log=3, bricks=64 * 34)
    put = await worker.done("!goal inventory.oak_planks:4 inventory.stick:4")
    assert "bricks into the chest at " in put["message"]
    assert await worker.server.admin("drops") == []
    assert (await worker.carries())["stick"] == 4
