"""A base that is to be left alone, in the real country: not one block of it changes."""

from collections.abc import Mapping

import pytest
from actions.crew import Crew

from bots.bot.hands import FORBIDDEN
from bridge.looking import ScanBlocks
from bridge.world import Position

pytestmark = pytest.mark.real

RADIUS = 10
EVERY = 60_000
GROWN = {"grass_block": "dirt", "grass": "air"}
"""What sheep eat."""


async def blocks_of(worker: Crew, middle: Position) -> Mapping[Position, str]:
    """What stands in the circle, some blocks deep."""
    await worker.done(f"!primitive moveTo {middle.x:g} {middle.y:g} {middle.z:g}")
    scan = ScanBlocks(radius=RADIUS + 4, lowest=-6, highest=8, include_air=True, limit=EVERY)
    found = await worker.session.bot.query(scan)
    near = [one for one in found.blocks if abs(one.position.y - middle.y) <= 4]
    areas = worker.session.bot.areas
    return {
        one.position: GROWN.get(one.name, one.name)
        for one in near
        if areas.at("overworld", one.position)
    }


@pytest.mark.timeout(300)
async def test_work_around_a_base_changes_nothing_in_it(worker: Crew) -> None:
    await worker.sees("dirt", "grass_block")
    home = (await worker.session.bot.snapshot()).position.block
    chest, tree = (Position(home.x + dx, home.y, home.z) for dx in (2, -2))
    await worker.set_block(chest, "chest")
    for height in range(3):
        await worker.set_block(Position(tree.x, tree.y + height, tree.z), "oak_log")
    await worker.sees("chest", "oak_log")
    await worker.done(f"!area forbid base {home.x:g} {home.y:g} {home.z:g} {RADIUS}")
    before = await blocks_of(worker, home)
    assert before[chest] == "chest"
    opened = await worker.run(f"!navigation chestOpen {chest.x:g} {chest.y:g} {chest.z:g}")
    assert (opened["reason"], opened["area"]) == (FORBIDDEN, "base")
    dug = await worker.run(f"!primitive digBlock {tree.x:g} {tree.y:g} {tree.z:g}")
    assert dug["reason"] == FORBIDDEN
    gathered = await worker.done("!skill gather dirt 3")
    assert gathered["gathered"] >= 3
    await worker.done('!skill gather {"itemName": "log", "count": 2}')
    carried = await worker.carries()
    assert carried["dirt"] >= 3
    assert sum(count for item, count in carried.items() if item.endswith("_log")) >= 2
    after = await blocks_of(worker, home)
    assert {at: (name, after.get(at)) for at, name in before.items() if after.get(at) != name} == {}
    assert len(before) > 1000
