"""What is neither dug for sure nor made, on the real server: of animals, liquids and by chance."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from actions.crew import Crew, crew

from bridge.world import Position

pytestmark = pytest.mark.real

LAY_MS = 4_000  # vanilla takes 5 min at the soonest
YOUNG_FOR_S = 0.2  # it takes seven growths to be ripe, each much longer
HERD = 10  # leaves no leather once in 59,000


@pytest.fixture
async def worker(node_binary: Path, node_dir: Path, tmp_path: Path) -> AsyncIterator[Crew]:
    async with crew(node_binary, node_dir, tmp_path, lay_ms=LAY_MS) as crew_:
        yield crew_


async def herd(worker: Crew, kind: str, count: int) -> None:
    """Some animals on the flat ground around spawn."""
    for number in range(count):
        await worker.server.admin("animal", kind=kind, x=3.5 + 2 * number, y=64, z=13.5)


async def animals(worker: Crew) -> list[str]:
    listed: list[Any] = await worker.server.admin("animals")
    return [kind for kind, _, _ in listed]


@pytest.mark.timeout(240)
async def test_leather_feathers_and_wool_are_had_of_animals(worker: Crew) -> None:
    await herd(worker, "cow", HERD)
    cows = (await animals(worker)).count("cow")
    result = await worker.done("!goal inventory.leather:1")
    assert (await worker.carries())["leather"] >= 1, result
    assert (await animals(worker)).count("cow") < cows

    await herd(worker, "sheep", 2)
    await worker.give(shears=1)
    sheep = (await animals(worker)).count("sheep")
    await worker.done("!goal inventory.white_wool:1")
    assert (await worker.carries())["white_wool"] >= 1
    assert (await animals(worker)).count("sheep") == sheep


@pytest.mark.timeout(240)
async def test_buckets_are_filled_and_rare_things_dug_for(worker: Crew) -> None:
    await herd(worker, "cow", 1)
    for liquid, west in (("water", 11), ("lava", 4)):
        await worker.set_block(Position(west, 63, 8), liquid)
    for number in range(128):  # no flint among so many: once in 700,000 times
        await worker.set_block(
            Position(2 + number % 8, 64 + number // 32, 2 + number // 8 % 4), "gravel"
        )
    await worker.give(bucket=3, iron_shovel=1)
    await worker.sees("water", "lava", "gravel")
    await worker.done(
        "!goal inventory.water_bucket:1 inventory.milk_bucket:1 inventory.lava_bucket:1"
    )
    carried = await worker.carries()
    assert carried == {"water_bucket": 1, "milk_bucket": 1, "lava_bucket": 1, "iron_shovel": 1}
    await worker.done("!goal inventory.flint:1")
    assert (await worker.carries())["flint"] >= 1


@pytest.mark.timeout(240)
async def test_cod_is_fished_in_a_pond_with_a_rod_made_of_string(worker: Crew) -> None:
    for number in range(25):
        await worker.set_block(Position(11 + number % 5, 63, 6 + number // 5), "water")
    await worker.give(stick=3, string=2, crafting_table=1)
    await worker.sees("water")
    result = await worker.done("!goal inventory.cod:1")
    assert (await worker.carries())["cod"] >= 1, result


@pytest.mark.timeout(240)
async def test_eggs_are_had_of_hens_that_live(worker: Crew) -> None:
    await herd(worker, "chicken", 2)
    hens = (await animals(worker)).count("chicken")
    result = await worker.done("!goal inventory.egg:2")
    assert (await worker.carries())["egg"] >= 2, result
    assert (await animals(worker)).count("chicken") == hens


async def stays_green(worker: Crew, wheat: Sequence[Position]) -> None:
    """Make what stands of this wheat young again and again: in time it would be ripe, by chance."""
    while True:
        for at in wheat:
            if await worker.server.admin("block", x=at.x, y=at.y, z=at.z) == "wheat":
                await worker.set_block(at, "wheat")
        await asyncio.sleep(YOUNG_FOR_S)


@pytest.mark.timeout(240)
async def test_bread_is_grown_from_seeds_beside_a_pond(worker: Crew) -> None:
    for west in (5, 6):
        await worker.set_block(Position(west, 63, 10), "water")
    green = [Position(x, 64, 4) for x in (2, 3, 4)]
    for at in green:
        await worker.set_block(at, "wheat")
    await worker.give(wooden_hoe=1, wheat_seeds=3, crafting_table=1)
    await worker.sees("water")
    staying = asyncio.create_task(stays_green(worker, green))
    result = await worker.done("!goal inventory.bread:1")
    staying.cancel()
    left = [await worker.server.admin("block", x=at.x, y=at.y, z=at.z) for at in green]
    assert left == ["wheat"] * 3  # it was not ripe
    assert (await worker.carries())["bread"] == 1, result
