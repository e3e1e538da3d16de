"""Work asked for in the square of a village: it is done or refused, and no block of it changes."""

from collections.abc import Iterator
from itertools import product

import pytest
from actions.crew import Crew

from bridge.world import Position

pytestmark = pytest.mark.real

GROUND = 64
SQUARE = range(-4, 21)
ASKED = {
    "!skill gather oak_log 2": "",
    "!skill gather dirt 3": "",
    "!skill gather wheat 1": "built",
    "!skill gather oak_planks 1": "built",
    "!skill gather oak_leaves 1": "no_tool",
    "!goal inventory.crafting_table:1": "",
    "!goal inventory.bread:1": "gave_up",
}
"""What is asked for, and why it is refused; '' where it is done."""

Cells = Iterator[tuple[int, int, int, str]]


def house(x: int, z: int, wall: str) -> Cells:
    for dx, dz in product(range(5), repeat=2):
        is_wall = dx in (0, 4) or dz in (0, 4)
        for up in range(3):
            yield x + dx, GROUND + up, z + dz, wall if is_wall else "air"
        yield x + dx, GROUND + 3, z + dz, "oak_planks"
    yield x + 2, GROUND, z, "oak_door"
    yield x + 2, GROUND + 1, z, "air"
    yield x + 1, GROUND, z + 3, "chest"


def village() -> Cells:
    for x, z in product(SQUARE, repeat=2):
        yield x, GROUND - 1, z, "grass_block"
        for up in range(5):
            yield x, GROUND + up, z, "air"
    yield from house(-3, -3, "oak_log")
    yield from house(12, -3, "cobblestone")
    yield from house(12, 13, "dirt")
    for x in SQUARE:
        yield x, GROUND - 1, 6, "grass_path"
    for x, z in product(range(-3, 2), range(12, 16)):
        yield x, GROUND - 1, z, "farmland"
        yield x, GROUND, z, "wheat"
    for dx, dz in product((-1, 0, 1), repeat=2):
        yield 3 + dx, GROUND, 12 + dz, "cobblestone" if dx or dz else "water"
    for up in range(3):
        yield 8, GROUND + up, 3, "oak_log"
    yield 8, GROUND + 3, 3, "torch"


@pytest.mark.timeout(300)
async def test_no_block_of_a_village_changes_whatever_is_asked_for(worker: Crew) -> None:
    built = {(x, y, z): name for x, y, z, name in village()}
    for (x, y, z), name in built.items():
        await worker.set_block(Position(x, y, z), name)
    await worker.sees("cobblestone", "wheat", "torch")
    reasons = {}
    for text in ASKED:
        result = await worker.run(text)
        reasons[text] = "" if result["success"] else result["reason"]
        await worker.done("!primitive moveTo 8.5 64 8.5")
    assert reasons == ASKED
    ours = {at: name for at, name in built.items() if name not in ("air", "grass_block", "wheat")}
    left = {at: await worker.server.admin("block", x=at[0], y=at[1], z=at[2]) for at in ours}
    assert left == ours
