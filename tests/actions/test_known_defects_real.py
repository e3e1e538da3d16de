"""Known defects of the program the seeds describe that only a server's own rules can show.

A stop, a deadline and a scan on a real server: test_jobs_stopped.py and the contract."""

import asyncio

import pytest
from actions.commanded import Commanded
from actions.stage import Scene

from bridge.world import Position

pytestmark = pytest.mark.real


def words(where: Position) -> str:
    return f"{where.x:g} {where.y:g} {where.z:g}"


@pytest.mark.parametrize(
    ("raw", "cooked"),
    [
        ("beef", "cooked_beef"),
        ("sand", "glass"),
        ("gold_ore", "gold_ingot"),
        ("oak_log", "charcoal"),
    ],
)
async def test_z17_what_the_version_can_cook_is_cooked(
    scene: Scene, alice: Commanded, raw: str, cooked: str
) -> None:
    await scene.put(scene.at(2, 0, 0), "furnace")
    await scene.give(**{raw: 1, "coal": 1})
    result = await alice.run(f"!skill smelt {raw}")
    assert (result["success"], result["product"]) == (True, cooked), result
    assert (await scene.carries())[cooked] == 1


GIVE_WAY = ("air", "cave_air", "grass", "tall_grass", "fern", "snow", "water", "vine")


@pytest.mark.parametrize("occupant", GIVE_WAY)
async def test_z18_a_block_is_placed_into_what_gives_way(
    scene: Scene, alice: Commanded, occupant: str
) -> None:
    where = await scene.put(scene.at(2, 0, 0), occupant)
    await scene.give(cobblestone=1)
    placed = await alice.run(f"!skill place cobblestone {words(where)}")
    assert placed["success"] is True, placed
    assert await scene.true_block(where) == "cobblestone"
    assert (await scene.carries()).total() == 0


async def test_z18_a_bot_stands_and_walks_in_caves(scene: Scene, alice: Commanded) -> None:
    cells = [scene.at(x, y, 0) for x in range(1, 5) for y in (0, 1)]
    await asyncio.gather(*(scene.put(cell, "cave_air") for cell in cells))
    goal = scene.at(4, 0, 0)
    arrived = await alice.run(f"!primitive moveTo {words(goal)}")
    assert arrived["success"] is True, arrived
    assert (await scene.position()).block == goal
