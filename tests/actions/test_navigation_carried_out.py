"""`!navigation …` on a real server; following, chests and the way home: e2e/test_a_day.py."""

import pytest
from actions.commanded import Commanded
from actions.stage import Scene
from contract.arena import eventually

from bridge.actions import Dig
from bridge.world import Position

pytestmark = pytest.mark.real


def feet(scene: Scene, dx: int, dz: int, dy: int = 0) -> Position:
    """The middle of a block of the platform."""
    corner = scene.at(dx, dy, dz)
    return Position(corner.x + 0.5, corner.y, corner.z + 0.5)


# --- walking --------------------------------------------------------------------------


@pytest.mark.parametrize(("yaw", "dx", "dz"), [(0, 0, -5), (90, -5, 0), (180, 0, 5), (270, 5, 0)])
async def test_a_step_in_a_direction_ends_there(
    scene: Scene, alice: Commanded, yaw: float, dx: int, dz: int
) -> None:
    result = await alice.run(f'!navigation moveInDirection {{"distance": 5, "yaw": {yaw}}}')
    target = scene.at(dx, 0, dz)
    assert result["success"], result
    assert result["targetPosition"] == {"x": target.x, "y": target.y, "z": target.z}
    assert (await scene.position()).distance_to(feet(scene, dx, dz)) < 0.5


async def test_a_step_may_lead_up_to_a_higher_floor(scene: Scene, alice: Commanded) -> None:
    for dx, height in ((2, 1), (3, 2), (4, 2)):
        for dy in range(height):
            await scene.put(scene.at(dx, dy, 0), "stone")
    result = await alice.run(
        '!navigation moveInDirection {"distance": 4, "yaw": 270, "verticalMode": "above"}'
    )
    assert (result["success"], result["targetPosition"]["y"]) == (True, scene.origin.y + 2)
    assert (await scene.position()).distance_to(feet(scene, 4, 0, 2)) < 0.5


async def test_surface_and_below_name_the_right_floors(scene: Scene, alice: Commanded) -> None:
    await scene.put(scene.at(0, 20, 4), "stone")
    up = '{"distance": 4, "yaw": 180, "verticalMode": "surface"}'
    raised = await alice.run(f"!navigation moveInDirection {up}")
    assert (raised["reason"], raised["targetPosition"]["y"]) == ("no_path", scene.origin.y + 21)
    down = '{"distance": 4, "yaw": 180, "verticalMode": "below"}'
    sunk = await alice.run(f"!navigation moveInDirection {down}")
    assert sunk["success"] is False  # the land lies deeper than 50 blocks, or nothing leads there
    assert (await scene.position()).block.y == scene.origin.y


async def enclose(scene: Scene, thick: int) -> list[Position]:
    """Stone around and above the bot."""
    reach = range(-thick, thick + 1)
    room = {(0, 0, 0), (0, 1, 0)}
    cells = [(dx, dy, dz) for dx in reach for dy in range(2 + thick) for dz in reach]
    stone = [scene.at(*cell) for cell in cells if cell not in room]
    for position in stone[:-1]:
        await scene.stage.set_block(position, "stone")
    await scene.put(stone[-1], "stone")
    return stone


@pytest.mark.parametrize("order", ["navigation gotoCoords", "skill moveTo"])
async def test_a_bot_digs_itself_out_of_the_rock(
    scene: Scene, alice: Commanded, order: str
) -> None:
    await scene.give(stone_pickaxe=1)
    await enclose(scene, 3)
    goal = scene.at(5, 0, 5)
    result = await alice.run(f"!{order} {goal.x:g} {goal.y:g} {goal.z:g}")
    assert result["success"], result
    assert (await scene.position()).distance_to(feet(scene, 5, 5)) <= 3


async def test_what_a_bot_left_between_its_own_tunnels_holds_it_in_no_more_than_rock(
    scene: Scene, alice: Commanded
) -> None:
    await scene.give(stone_pickaxe=1)
    await enclose(scene, 3)
    for dx, dz in ((2, 0), (-2, 0), (0, 2), (0, -2)):
        for dy in (1, 0):
            await scene.done(Dig(scene.at(dx, dy, dz), pick_up=False, in_vain=True))
    goal = scene.at(5, 0, 5)
    result = await alice.run(f"!navigation gotoCoords {goal.x:g} {goal.y:g} {goal.z:g}")
    assert result["success"], result


async def test_a_bot_breaks_no_stone_house_to_leave_it(scene: Scene, alice: Commanded) -> None:
    await scene.give(stone_pickaxe=1)
    house = await enclose(scene, 1)
    goal = scene.at(5, 0, 5)
    result = await alice.run(f"!navigation gotoCoords {goal.x:g} {goal.y:g} {goal.z:g}")
    assert (result["success"], result["reason"]) == (False, "no_path")
    assert {await scene.true_block(position) for position in house} == {"stone"}


# --- items ----------------------------------------------------------------------------


@pytest.mark.parametrize(("dx", "dz"), [(0, -5), (5, 5), (1, 0), (2, 2)])
async def test_a_single_item_lands_with_whoever_it_is_for(
    scene: Scene, alice: Commanded, dx: int, dz: int
) -> None:
    await scene.give(bread=1)
    async with alice.visitor(f"Guest{dx}{abs(dz)}", feet(scene, dx, dz)) as guest:
        assert (await alice.run(f"!navigation dropItem bread 1 {guest}"))["success"] is True

        async def look() -> bool | None:
            return (await scene.stage.bridge.snapshot(guest)).count("bread") == 1 or None

        await eventually(look)
    assert await scene.carries() == {}
