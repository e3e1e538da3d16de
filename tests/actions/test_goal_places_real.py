"""A goal that names a place, on a real server."""

import pytest
from actions.commanded import Commanded
from actions.stage import Scene

pytestmark = pytest.mark.real


async def test_a_torch_placed_at_a_position_is_its_own(scene: Scene, alice: Commanded) -> None:
    """On a wall it is another block: it counts as a torch all the same."""
    await scene.put(scene.at(4, 0, 0), "stone")
    await scene.put(scene.at(4, 1, 0), "stone")
    await scene.give(torch=2)
    there = scene.at(3, 1, 0)
    placed = await alice.run(f"!goal placed.torch@{there.x:g},{there.y:g},{there.z:g}")
    assert placed["success"] is True
    assert await scene.true_block(there) == "wall_torch"
    again = await alice.run("!goal placed.torch:1")
    assert (again["steps"], (await scene.carries())["torch"]) == (0, 1)
