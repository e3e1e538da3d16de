"""Ponds, holes, ladders, doors and cliffs on a real server: a bot gets in and out of them, or says
that it does not."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from actions.commanded import Commanded
from actions.stage import REACH, Scene
from contract.arena import eventually

from bridge.world import Position

pytestmark = pytest.mark.real

ALL = range(-REACH, REACH + 1)
POND = (range(2, 5), range(-1, 2))  # columns east of the bot
HEAD = 1.62  # blocks above the feet
SURFACE = 0.89  # of a block of water
FAR_SIDE = (-4, 0, 0)


async def lay_ground(scene: Scene, block: str, depth: int = 6) -> None:
    await scene.fill(ALL, range(-depth, 0), ALL, block)


async def dig_pond(scene: Scene, depth: int, rim: int = 0) -> None:
    """Water with steep shores, which are so many blocks higher than it."""
    xs, zs = POND
    await scene.fill(xs, range(-depth - rim, -rim), zs, "water")
    if rim:
        await scene.fill(xs, range(-rim, 0), zs, "air")


async def go(alice: Commanded, order: str, cell: tuple[int, int, int]) -> dict[str, Any]:
    goal = alice.scene.at(*cell)
    point = f"[{goal.x:g}, {goal.y:g}, {goal.z:g}]"
    key = "coords" if order.startswith("!navigation") else "position"
    return await alice.run(f'{order} {{"{key}": {point}, "range": 0.5}}')


async def gets_to(
    alice: Commanded, cell: tuple[int, int, int], order: str = "!navigation gotoCoords"
) -> None:
    gone = await go(alice, order, cell)
    here = (await alice.scene.position()).block
    assert (gone["success"], here) == (True, alice.scene.at(*cell)), gone


async def floats(scene: Scene) -> None:
    """Wait until the bot has its head out of the water."""

    async def is_up() -> bool | None:
        here = await scene.position()
        eyes = Position(here.x, here.y + HEAD, here.z)
        name = await scene.true_block(eyes.block)
        return name == "air" or eyes.y % 1 > SURFACE or None

    await eventually(is_up)


# --- water ----------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [2, 3])
async def test_a_bot_swims_in_a_pond_and_climbs_out(
    scene: Scene, alice: Commanded, depth: int
) -> None:
    await lay_ground(scene, "dirt")
    await dig_pond(scene, depth)
    assert (await go(alice, "!primitive moveTo", (3, -1, 0)))["success"] is True
    await scene.stand(3, -depth, 0)
    await floats(scene)
    await gets_to(alice, FAR_SIDE)


async def sink_well(scene: Scene, walls: str) -> None:
    """Water four blocks deep, three below the ground."""
    await lay_ground(scene, walls, depth=8)
    await dig_pond(scene, depth=4, rim=3)
    await scene.stand(3, -5, 0)
    await floats(scene)


async def test_a_step_of_earth_leads_out_of_a_built_well(scene: Scene, alice: Commanded) -> None:
    await sink_well(scene, "bricks")
    held = await go(alice, "!navigation gotoCoords", FAR_SIDE)
    assert held["reason"] == "no_path"
    assert "walls that I do not break" in held["message"]
    await scene.give(dirt=6)
    await gets_to(alice, FAR_SIDE)
    assert await scene.true_block(scene.at(1, -2, 0)) == "bricks"


async def test_a_bot_walks_into_no_water_it_cannot_leave(scene: Scene, alice: Commanded) -> None:
    await lay_ground(scene, "bricks")
    await dig_pond(scene, depth=2, rim=1)
    start = await scene.position()
    refused = await go(alice, "!navigation gotoCoords", (3, -2, 0))
    assert refused["reason"] == "no_path"
    assert "out of the water" in refused["message"]
    assert (await scene.position()).distance_to(start) < 1.0


async def test_a_swimmer_goes_down_to_dig(scene: Scene, alice: Commanded) -> None:
    await lay_ground(scene, "dirt")
    await dig_pond(scene, depth=3)
    await scene.stand(3, -3, 0)
    await floats(scene)
    earth, deep = scene.at(3, -4, 0), scene.at(3, -2, 0).y
    order = f'!primitive digBlock {{"position": [{earth.x:g}, {earth.y:g}, {earth.z:g}]}}'
    digging = asyncio.create_task(alice.run(order))

    async def is_down() -> bool | None:
        return (await scene.position()).y < deep or None

    await eventually(is_down)
    assert (await digging)["success"] is True


async def test_clay_is_fetched_from_the_bottom_of_a_pond(scene: Scene, alice: Commanded) -> None:
    await lay_ground(scene, "dirt")
    await dig_pond(scene, depth=3)
    xs, zs = POND
    bottom = [scene.at(x, -4, z) for x in xs for z in zs]
    await scene.fill(xs, range(-4, -3), zs, "clay")
    done = await alice.run("!goal inventory.clay_ball:8")
    found = [await scene.true_block(cell) for cell in bottom]
    assert done["success"] is True, done
    assert (found.count("clay"), found.count("water")) == (7, 2)


async def test_clay_in_a_shallow_pond_is_dug_from_the_shore(scene: Scene, alice: Commanded) -> None:
    await lay_ground(scene, "dirt")
    await dig_pond(scene, depth=2)
    xs, zs = POND
    await scene.fill(xs, range(-3, -2), zs, "clay")
    await scene.stand(-6, 0, 0)
    fetching = asyncio.create_task(alice.run("!goal inventory.clay_ball:8"))

    async def is_first_gone() -> bool | None:
        bottom = [await scene.true_block(scene.at(x, -3, z)) for x in xs for z in zs]
        return bottom.count("clay") < len(bottom) or None

    await eventually(is_first_gone)
    assert (await scene.position()).y == scene.at(0, 0, 0).y
    done = await fetching
    assert done["success"] is True, done
    assert done["estimateS"] < 10  # a dive takes 18 s


# --- holes ----------------------------------------------------------------------------


async def low_shore(scene: Scene) -> None:
    await lay_ground(scene, "bricks")
    await dig_pond(scene, depth=3, rim=1)
    await scene.put(scene.at(1, -1, 0), "air")  # one block of it: a step down to the water
    await scene.stand(4, -4, 1)


async def high_shore(scene: Scene) -> None:
    await lay_ground(scene, "dirt")
    await dig_pond(scene, depth=2, rim=1)
    await scene.stand(3, -3, 0)


async def well(scene: Scene) -> None:
    await sink_well(scene, "dirt")


async def shaft(scene: Scene) -> None:
    await lay_ground(scene, "dirt")
    await scene.fill(range(3, 4), range(-4, 0), range(1), "air")
    await scene.stand(3, -4, 0)


async def tunnel(scene: Scene) -> None:
    await lay_ground(scene, "stone")
    await scene.fill(range(-2, 4), range(-4, -2), range(1), "air")
    await scene.give(iron_pickaxe=1)
    await scene.stand(3, -4, 0)


@pytest.mark.parametrize("hole", [low_shore, high_shore, well, shaft, tunnel])
async def test_a_bot_gets_out_of_water_and_holes(
    scene: Scene, alice: Commanded, hole: Callable[[Scene], Awaitable[None]]
) -> None:
    await hole(scene)
    order = "!skill moveTo" if hole in (shaft, tunnel) else "!navigation gotoCoords"
    await gets_to(alice, FAR_SIDE, order)


async def test_a_bot_with_earth_builds_itself_up_a_shaft(scene: Scene, alice: Commanded) -> None:
    await lay_ground(scene, "bricks")
    await scene.fill(range(3, 4), range(-5, 0), range(1), "air")
    await scene.stand(3, -5, 0)
    trapped = await go(alice, "!navigation gotoCoords", FAR_SIDE)
    assert trapped["reason"] == "no_path"
    await scene.give(cobblestone=3, dirt=4)
    await gets_to(alice, FAR_SIDE)
    assert (await scene.carries()).total() == 2
    walls = [await scene.true_block(scene.at(2, y, 0)) for y in range(-5, 0)]
    assert set(walls) == {"bricks"}


# --- heights --------------------------------------------------------------------------


async def test_a_bot_climbs_a_ladder_and_comes_down_again(scene: Scene, alice: Commanded) -> None:
    await scene.fill(range(2, 5), range(6), range(-1, 2), "bricks")
    for y in range(6):
        await scene.put(scene.at(1, y, 0), "ladder", facing="west")
    await gets_to(alice, (3, 6, 0))
    await gets_to(alice, FAR_SIDE)


LOW = {
    "oak_slab": {"type": "bottom"},
    "stone_brick_stairs": {},
    "grass_path": {},
    "farmland": {},
    "soul_sand": {},
    "honey_block": {},
    "red_bed": {},
    "snow": {"layers": "1"},
    "white_carpet": {},
    "chest": {},
    "enchanting_table": {},
    "end_portal_frame": {},
    "daylight_detector": {},
    "cake": {},
    "oak_trapdoor": {},
}
"""What one stands on with the feet in its own cell, or nearly so."""


async def test_a_bot_gets_onto_anything_below_a_block(scene: Scene, alice: Commanded) -> None:
    missed = {}
    for name, properties in {**LOW, "snow ": {"layers": "5"}}.items():
        spot = await scene.put(scene.at(2, 0, 0), name.strip(), **properties)
        there = await go(alice, "!primitive moveTo", (2, 0, 0))
        here = await scene.position()
        if not there["success"] or (here.block.x, here.block.z) != (spot.x, spot.z):
            missed[name] = there.get("message"), here
        back = await go(alice, "!primitive moveTo", (0, 0, 0))
        assert back["success"], (name, back)
    assert missed == {}


async def test_a_floor_of_slabs_can_be_walked_over(scene: Scene, alice: Commanded) -> None:
    for x, z in [(x, z) for x in (1, 2, 3) for z in (-1, 0, 1)]:
        await scene.put(scene.at(x, 0, z), "oak_slab", type="bottom")
    for cell in ((1, 0, -1), (3, 0, 1), (1, 0, 1)):
        await gets_to(alice, cell, "!primitive moveTo")


@pytest.mark.parametrize("climbed", ["vine", "twisting_vines_plant", "scaffolding"])
async def test_a_bot_climbs_whatever_is_climbed_and_comes_down_unhurt(
    scene: Scene, alice: Commanded, climbed: str
) -> None:
    await scene.fill(range(2, 5), range(6), range(-1, 2), "dirt")
    properties = {"east": "true"} if climbed == "vine" else {}
    for y in range(6):
        await scene.put(scene.at(1, y, 0), climbed, **properties)
    for cell in ((3, 6, 0), FAR_SIDE):
        await gets_to(alice, cell)
    assert (await alice.bot.snapshot()).health == 20
    wall = [await scene.true_block(scene.at(2, y, 0)) for y in range(6)]
    assert set(wall) == {"dirt"}


async def test_a_bot_takes_the_fall_that_it_survives(scene: Scene, alice: Commanded) -> None:
    await scene.fill(range(-6, -2), range(6), ALL, "bricks")
    await scene.stand(-4, 6, 0)
    await scene.stage.server.admin("health", player=scene.bot, level=11)

    async def is_hurt() -> bool | None:
        return (await alice.bot.snapshot()).health == 11 or None

    await eventually(is_hurt)
    refused = await go(alice, "!navigation gotoCoords", (4, 0, 0))
    assert (refused["reason"], (await scene.position()).y) == ("no_path", scene.at(0, 6, 0).y)
    await scene.stage.server.admin("health", player=scene.bot, level=20)
    await gets_to(alice, (4, 0, 0))


# --- doors ----------------------------------------------------------------------------


async def build_house(scene: Scene, door: str) -> Position:
    """Four walls and a roof, with a door to the west; the door's lower half."""
    await scene.fill(range(5), range(3), range(-2, 3), "oak_planks")
    await scene.fill(range(1, 4), range(2), range(-1, 2), "air")
    await scene.put(scene.at(0, 0, 0), door, facing="east", half="lower")
    await scene.put(scene.at(0, 1, 0), door, facing="east", half="upper")
    return scene.at(0, 0, 0)


async def is_shut(scene: Scene, door: Position) -> None:
    """Wait until the server has closed a door."""

    async def look() -> bool | None:
        return (await scene.true_properties(door))["open"] is False or None

    await eventually(look)


async def test_a_bot_closes_the_doors_it_opens(scene: Scene, alice: Commanded) -> None:
    await scene.stand(*FAR_SIDE)
    door = await build_house(scene, "oak_door")
    for goal in ((2, 0, 0), FAR_SIDE):
        await gets_to(alice, goal)
        await is_shut(scene, door)


async def test_a_bot_closes_the_gate_behind_it(scene: Scene, alice: Commanded) -> None:
    for z in ALL:
        await scene.put(scene.at(2, 0, z), "oak_fence")
    gate = await scene.put(scene.at(2, 0, 1), "oak_fence_gate", facing="west")
    await gets_to(alice, (5, 0, 0))
    await is_shut(scene, gate)


async def build_corridor(scene: Scene) -> None:
    """A way one wide to the east, two high, with walls, a roof and no other end."""
    await scene.fill(range(1, 7), range(3), range(-1, 2), "bricks")
    await scene.fill(range(1, 6), range(2), range(1), "air")


@pytest.mark.parametrize("way", ["oak_door", "oak_fence_gate"])
async def test_what_stands_across_the_way_is_closed_behind(
    scene: Scene, alice: Commanded, way: str
) -> None:
    await build_corridor(scene)
    halves = ({"half": "lower", "open": "true"}, {"half": "upper", "open": "true"})
    for y, half in enumerate(halves if way == "oak_door" else ({},)):
        await scene.put(scene.at(3, y, 0), way, facing="north", **half)
    await gets_to(alice, (5, 0, 0))
    await is_shut(scene, scene.at(3, 0, 0))


async def test_a_house_behind_an_iron_door_is_left_whole(scene: Scene, alice: Commanded) -> None:
    await scene.stand(*FAR_SIDE)
    await build_house(scene, "iron_door")
    assert (await go(alice, "!navigation gotoCoords", (2, 0, 0)))["reason"] == "no_path"
    walls = [await scene.true_block(scene.at(0, y, z)) for y in (0, 1) for z in (-1, 1)]
    assert set(walls) == {"oak_planks"}
