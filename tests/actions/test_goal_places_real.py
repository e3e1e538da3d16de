"""Goals that name a place, and taking off what is worn, on a real server."""

import pytest
from actions.commanded import Commanded
from actions.stage import Scene
from contract.arena import eventually

from bridge.actions import Equip
from bridge.world import Position

pytestmark = pytest.mark.real

GUEST = "Guest"


def axes(at: Position, between: str = ",") -> str:
    return between.join(f"{axis:g}" for axis in (at.x, at.y, at.z))


async def test_a_torch_placed_at_a_position_is_its_own(scene: Scene, alice: Commanded) -> None:
    """On a wall it is another block: it counts as a torch all the same."""
    await scene.put(scene.at(4, 0, 0), "stone")
    await scene.put(scene.at(4, 1, 0), "stone")
    await scene.give(torch=2)
    there = scene.at(3, 1, 0)
    assert (await alice.run(f"!goal placed.torch@{axes(there)}"))["success"] is True
    assert await scene.true_block(there) == "wall_torch"
    again = await alice.run("!goal placed.torch:1")
    assert (again["steps"], (await scene.carries())["torch"]) == (0, 1)


async def test_a_table_is_placed_near_a_player(scene: Scene, alice: Commanded) -> None:
    await scene.give(crafting_table=1)
    at = scene.at(5, 0, 5)
    async with alice.visitor(GUEST, Position(at.x + 0.5, at.y, at.z + 0.5)):
        result = await alice.run("!goal placed.crafting_table near:guest")
    assert result["success"] is True, result
    (placed,) = alice.bot.placements.ours(None)
    assert placed.position.distance_to(at) <= 6
    assert await scene.true_block(placed.position) == "crafting_table"


async def test_mid_air_is_refused_with_the_nearest_place(scene: Scene, alice: Commanded) -> None:
    await scene.give(torch=1)
    high, ground = scene.at(3, 12, 2), scene.at(3, 0, 2)
    refused = await alice.run(f"!goal placed.torch@{axes(high)}")
    said = f"at {axes(high, ' ')}; {axes(ground, ' ')} would do."
    assert refused["message"] == f"There is nothing to put it on {said}"
    refused = await alice.run(f"!goal position:{axes(high)}")
    assert refused["message"] == f"There is nothing to stand on {said}"
    assert (await alice.run(f"!goal {refused['nearest']}"))["success"] is True
    assert (await scene.position()).block == ground


async def test_armour_is_taken_off_and_carried(scene: Scene, alice: Commanded) -> None:
    await scene.give(iron_helmet=1)
    await scene.done(Equip("iron_helmet"))

    async def wears_it() -> bool | None:
        return (await alice.bot.snapshot()).worn == ("iron_helmet",) or None

    await eventually(wears_it)
    result = await alice.run("!goal equipment.iron_helmet:false")
    assert (result["success"], result["steps"]) == (True, 1), result
    await scene.sees_inventory(iron_helmet=1)
    assert (await alice.bot.snapshot()).worn == ()
