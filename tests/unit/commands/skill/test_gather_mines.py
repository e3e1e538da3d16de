"""`!skill gather` in mines: digs where it spoils no way, and gets out again."""

import asyncio

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.rig import Rig

from bridge.actions import MoveTo
from bridge.world import Position

pytestmark = pytest.mark.slow

HERE = Position(8.5, GROUND, 8.5)
DIRT = 3  # blocks of grass and dirt above the stone
STAIRS = 18  # blocks dug on the way to the stone and in it, at most


async def walks(rig: Rig, goal: Position, within: float = 1.5) -> str:
    """How a walk on foot alone ends."""
    walk = asyncio.create_task(rig.bots["Alice"].act(MoveTo(goal, within)))
    while not walk.done():
        await rig.world.clock.advance(0.5)
    return (await walk).outcome


def dug(rig: Rig) -> set[Position]:
    return {where for where, name in rig.world.terrain().changes if name == "air"}


async def test_a_log_among_leaves_is_cut_from_outside(rig: Rig) -> None:
    put(rig, "oak_log", (14, GROUND, 8), (14, GROUND + 1, 8))
    around = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    leaves = [(14 + dx, GROUND + dy, 8 + dz) for dx, dz in around for dy in (0, 1, 2)]
    put(rig, "oak_leaves", *(cell for cell in leaves if cell[::2] != (14, 8)))
    put(rig, "oak_leaves", (14, GROUND + 2, 8))
    result = await carry_out(rig, "!skill gather oak_log 2")
    assert (result["success"], carried(rig)["oak_log"]) == (True, 2)
    assert len(dug(rig)) <= 2 + 2  # the logs, and the leaves before one of them


@pytest.mark.parametrize("count", [3, 11, 24])
async def test_stone_is_dug_from_the_walls_of_one_shallow_pit(rig: Rig, count: int) -> None:
    rig.world.give("Alice", "wooden_pickaxe")
    result = await carry_out(rig, f"!skill gather stone {count}")
    assert (result["success"], result["gathered"] >= count) == (True, True)
    assert min(where.y for where in dug(rig)) >= GROUND - DIRT - 3
    assert len(dug(rig)) <= STAIRS + count
    assert rig.world.body("Alice").position.distance_to(HERE) <= 2


async def test_one_pit_after_the_other_leaves_the_bot_no_deeper(rig: Rig) -> None:
    rig.world.give("Alice", "wooden_pickaxe")
    for _ in range(4):
        assert (await carry_out(rig, "!skill gather stone 12"))["success"]
    assert await walks(rig, HERE) == "done"
    assert rig.world.body("Alice").position.y >= GROUND - 1


@pytest.mark.parametrize("heights", [(2,), (2, 4), (26,)])
async def test_broken_stairs_are_mended_not_dug_anew(rig: Rig, heights: tuple[int, ...]) -> None:
    rig.world.give("Alice", "iron_pickaxe")
    put(rig, "diamond_ore", (8, GROUND - 40, 8))
    assert (await carry_out(rig, "!skill gather diamond_ore"))["success"]
    mine = dug(rig)
    bottom = min(mine, key=lambda where: where.y)
    for height in heights:
        for step in [where for where in mine if where.y == bottom.y + height]:
            put(rig, "air", (int(step.x), int(step.y) - 1, int(step.z)))
    mine = dug(rig)
    rig.world.teleport("Alice", Position(bottom.x + 0.5, bottom.y, bottom.z + 0.5))
    assert await walks(rig, HERE) == "failed"
    assert (await carry_out(rig, "!skill moveTo 8 64 8 1.5"))["success"]
    assert len(dug(rig) - mine) <= 20 * len(heights)


@pytest.mark.parametrize("ore", [(8, 25, 8), (13, 30, 8), (40, 40, 20)])
async def test_a_deep_mine_is_left_on_foot(rig: Rig, ore: tuple[int, int, int]) -> None:
    rig.world.give("Alice", "iron_pickaxe")
    put(rig, "diamond_ore", ore)
    result = await carry_out(rig, "!skill gather diamond_ore")
    assert (result["success"], carried(rig)["diamond"]) == (True, 1)
    rig.world.teleport("Alice", Position(ore[0] + 0.5, ore[1], ore[2] + 0.5))
    assert await walks(rig, HERE) == "done"


async def test_what_lies_under_grass_is_dug_without_leaving_the_grass_as_a_roof(rig: Rig) -> None:
    assert (await carry_out(rig, "!skill gather dirt 8"))["success"]
    world = rig.world
    roofs = [at for at in dug(rig) if world.block(Position(at.x, at.y + 1, at.z)) == "grass_block"]
    assert roofs == []
    assert rig.world.body("Alice").position.distance_to(HERE) <= 2


async def test_a_station_is_put_where_it_blocks_no_stairs(rig: Rig) -> None:
    rig.world.give("Alice", "wooden_pickaxe")
    put(rig, "iron_ore", (8, GROUND - 7, 8))
    for step in range(6):
        put(rig, "air", *((8 + step, GROUND - 6 + step + up, 8) for up in range(3)))
    bottom = Position(8.5, GROUND - 6, 8.5)
    rig.world.teleport("Alice", bottom)
    rig.world.give("Alice", "furnace", 2)
    for _ in range(2):
        assert (await carry_out(rig, "!skill place furnace"))["success"]
    assert await walks(rig, Position(15.5, GROUND, 8.5)) == "done"


@pytest.mark.parametrize(("x", "z"), [(-4, 8), (-6, 6), (-8, 12), (-1, 20), (3, 24)])
async def test_a_station_in_a_cavern_is_come_to_straight(rig: Rig, x: int, z: int) -> None:
    deep = GROUND - 14
    level = [(x, z) for x in range(14, 19) for z in range(6, 11)]
    put(rig, "air", *((x, deep + up, z) for x, z in level for up in (0, 1)))
    put(rig, "air", (x, deep, z), (x, deep + 1, z))
    put(rig, "furnace", (16, deep, 8))
    ours = rig.bots["Alice"].placements
    await ours.add("furnace", "furnace", Position(16, deep, 8), "overworld")
    before = dug(rig)
    rig.world.teleport("Alice", Position(x + 0.5, deep, z + 0.5))
    for item in ("stone_pickaxe", "cobblestone", "coal"):
        rig.world.give("Alice", item)
    assert (await carry_out(rig, "!skill smelt cobblestone"))["success"]
    assert len(dug(rig) - before) <= 2 * (16 - x + abs(z - 8))


async def test_nobody_digs_up_hills_to_what_hangs_in_the_sky(rig: Rig) -> None:
    for x in (11, 15, 19):
        put(rig, "oak_leaves", *((x, GROUND + up, z) for up in (0, 1) for z in (7, 8, 9)))
    result = await carry_out(rig, "!skill moveTo 8 90 8")
    assert (result["reason"], dug(rig)) == ("no_path", set())
    assert rig.world.body("Alice").position.distance_to(HERE) <= 2
