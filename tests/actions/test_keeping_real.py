"""A place kept in order on the real server, by what the server knows."""

import asyncio

import pytest
from actions.crew import Crew

from bridge.world import Position

pytestmark = pytest.mark.real

LOOK_AGAIN_S = 0.5
HARVEST_S = 200  # for a whole field that is sown again, and reaped again
STONES, WOOD = Position(4, 64, 4), Position(12, 64, 4)


async def chest(worker: Crew, at: Position, **items: int) -> None:
    """A chest that the bots may use, with something in it that the bot itself put there."""
    await worker.set_block(at, "chest")
    await worker.sees("chest")
    await worker.done(f"!chest allow {at.x:g} {at.y:g} {at.z:g}")
    await worker.give(**items)
    await worker.done(f'!navigation chestOpen {{"coords": [{at.x:g}, {at.y:g}, {at.z:g}]}}')
    for item in items:
        await worker.done(f"!navigation chestDeposit {item} -1")
    await worker.done("!navigation chestClose")


@pytest.mark.timeout(240)
async def test_things_are_put_away_by_kind(worker: Crew) -> None:
    await chest(worker, STONES, cobblestone=5)
    await chest(worker, WOOD, oak_log=2)
    await worker.give(birch_planks=9, gravel=12, stone_axe=1, iron_axe=1, bread=3, torch=12)
    result = await worker.done("!skill store")
    assert {chest["position"]["x"]: chest["items"] for chest in result["chests"]} == {
        4: {"gravel": 12},
        12: {"birch_planks": 9, "stone_axe": 1, "torch": 4},
    }
    assert await worker.carries() == {"iron_axe": 1, "bread": 3, "torch": 8}
    taken = await worker.done(f'!navigation chestOpen {{"coords": [{WOOD.x:g}, 64, {WOOD.z:g}]}}')
    held = {row["name"]: row["count"] for row in taken["chest"]["items"]}
    assert held == {"birch_planks": 9, "oak_log": 2, "stone_axe": 1, "torch": 4}


@pytest.mark.timeout(120)
async def test_without_a_chest_it_puts_its_own_down(worker: Crew) -> None:
    await worker.give(dirt=70, chest=1)
    result = await worker.done("!skill store")
    assert [stored["items"] for stored in result["chests"]] == [{"dirt": 70}]
    assert not await worker.carries()


@pytest.mark.timeout(240)
async def test_a_room_is_lit_with_few_torches_that_it_makes(worker: Crew) -> None:
    await worker.give(coal=3, oak_planks=4)
    result = await worker.done("!skill light 8 8 64 8")
    put = {(torch["x"], torch["y"], torch["z"]) for torch in result["torches"]}
    for x, y, z in put:
        assert await worker.server.admin("block", x=x, y=y, z=z) == "torch"
    assert len(put) <= 5
    assert result["dark"] == 0
    assert (await worker.run("!skill light 8 8 64 8"))["torches"] == []


BEDS = [Position(x, 63, z) for x in (3, 4, 5, 7, 8) for z in (12, 13)]  # with water between


async def wheat(worker: Crew) -> None:
    """A field that somebody made, with wheat that is not ripe yet."""
    for z in (12, 13):
        await worker.set_block(Position(6, 63, z), "water")
    for bed in BEDS:
        await worker.set_block(bed, "farmland")
        await worker.set_block(Position(bed.x, 64, bed.z), "wheat")
    await worker.sees("wheat")


@pytest.mark.timeout(300)
async def test_a_field_is_tended_until_the_stop(worker: Crew) -> None:
    await wheat(worker)
    refused = await worker.run("!skill tend")
    assert refused["reason"] == "not_found"  # somebody's, and nobody points at it
    tending = asyncio.create_task(worker.run("!skill tend 6 64 12"))

    async def sown() -> int:
        crops = [await worker.server.admin("block", x=b.x, y=64, z=b.z) for b in BEDS]
        return crops.count("wheat")

    async with asyncio.timeout(HARVEST_S):
        while (await worker.carries())["wheat"] <= len(BEDS) or await sown() < len(BEDS):
            assert not tending.done(), tending.result()
            await asyncio.sleep(LOOK_AGAIN_S)
    await worker.session.bot.stop()
    assert (await tending)["reason"] == "stopped"
    for bed in BEDS:
        assert await worker.server.admin("block", x=bed.x, y=bed.y, z=bed.z) == "farmland"
