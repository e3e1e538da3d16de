"""Chests on the real server: what goals take, put away and leave where it says."""

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
async def test_from_a_full_bag_only_what_is_needed_is_left_where_it_says(worker: Crew) -> None:
    await worker.give(oak_log=2, bricks=64 * 17, granite=64, dirt=64 * 17)
    planks = await worker.done("!goal inventory.oak_planks:4")
    ((item, count, (x, y, z)),) = await worker.server.admin("drops")
    assert (item, count) == ("granite", 64)
    assert planks["message"].endswith(f" I left 64 granite at {x // 1:g} {y // 1:g} {z // 1:g}.")
