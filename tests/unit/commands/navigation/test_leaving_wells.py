"""Out of wells: a bot in deep water between walls makes a step first, of earth here."""

import itertools

from support.acting import carry_out, put
from support.rig import Rig

from bridge.world import Position

SURFACE = 64
WATER = 60  # the topmost
ORDER = '!navigation gotoCoords {"coords": [9, 64, 0]}'
GOAL = Position(9, SURFACE, 0)


def cuboid(rig: Rig, reach: int, ys: range, block: str) -> None:
    side = range(-reach, reach + 1)
    put(rig, block, *itertools.product(side, ys, side))


def dig_well(rig: Rig) -> None:
    cuboid(rig, 3, range(WATER - 5, SURFACE), "bricks")
    cuboid(rig, 1, range(WATER - 4, WATER + 1), "water")
    cuboid(rig, 1, range(WATER + 1, SURFACE), "air")
    rig.world.teleport("Alice", Position(1.5, WATER, 0.5))


async def test_between_built_walls_earth_is_put_into_the_water(rig: Rig) -> None:
    dig_well(rig)
    rig.world.give("Alice", "dirt", 8)
    result = await carry_out(rig, ORDER)
    assert result["success"] is True, result
    assert rig.world.body("Alice").position.distance_to(GOAL) <= 2


async def test_who_can_do_neither_says_so(rig: Rig) -> None:
    dig_well(rig)
    result = await carry_out(rig, ORDER)
    assert (result["success"], result["reason"]) == (False, "no_path")
    assert "walls that I do not break" in result["message"]
