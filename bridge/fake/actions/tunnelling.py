"""Walking through natural ground: one step is a stair, and what is in its way is broken."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import takewhile

from bridge.fake.actions.scene import Scene, middle
from bridge.fake.paths import SIDES, Steps
from bridge.fake.terrain import AIR, Terrain
from bridge.world import Position
from bridge.zones import Zone, is_spared

SHORT = 3  # blocks; see host/acting/walking.cjs
AROUND = 3

_NATURAL = re.compile(r"stone|grass_block|dirt|sand|gravel|\w+_ore|\w+_leaves")
_GROWN = re.compile(r"\w+_(ore|leaves)")
_TOUCHING = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_AXES = (((1, 0, 0), 2), ((0, 0, 1), 2), ((0, 1, 0), 1))  # and the thickest that is a wall


def digging(start: Position, goal: Position, spared: tuple[Zone, ...] = ()) -> Steps:
    """The steps of one walk through natural ground; each cell is judged once, as it stood. A
    short way does not lead far around, and nothing is broken where it is spared."""
    distance = start.distance_to(goal)
    farthest = distance + AROUND if distance <= SHORT else math.inf
    known: dict[Position, bool] = {}

    def is_way(terrain: Terrain, cell: Position) -> bool:
        if cell not in known:
            is_left_alone = is_spared(spared, cell) and not terrain.is_passable(cell)
            is_near = cell.distance_to(start) <= farthest
            known[cell] = is_near and not is_left_alone and _is_way(terrain, cell)
        return known[cell]

    def steps(terrain: Terrain, here: Position) -> Iterator[Position]:
        """Standing places one step away once ground is broken, that below kept."""
        for dx, dz in SIDES:
            for dy in (0, 1, -1):
                there = Position(here.x + dx, here.y + dy, here.z + dz)
                below = Position(there.x, there.y - 1, there.z)
                if terrain.is_passable(below):
                    continue
                if all(is_way(terrain, cell) for cell in cells_of_step(here, there)):
                    yield there

    return steps


def cells_of_step(here: Position, there: Position) -> tuple[Position, ...]:
    """The cells a body passes through."""
    top = max(here.y, there.y) + 1
    beside = [Position(there.x, y, there.z) for y in _heights(there.y, top)]
    above = [Position(here.x, y, here.z) for y in _heights(here.y + 2, top)]
    return tuple(cell.block for cell in (*beside, *above))


async def break_through(scene: Scene, here: Position, there: Position) -> None:
    """Break what is in the way of a step, with the best tool carried."""
    for cell in cells_of_step(here, there):
        if scene.terrain.is_passable(cell):
            continue
        name = scene.terrain.block(cell)
        carried = (None, *(stack.name for stack in scene.body.inventory.stacks))
        tool = min(carried, key=lambda item: scene.rules.dig_seconds(name, item))
        await scene.sleep(scene.rules.dig_seconds(name, tool))
        scene.terrain.set_block(cell, AIR)
        for item, count in scene.rules.drops(name, tool).items():
            scene.terrain.drop(item, count, middle(cell))


def _heights(first: float, last: float) -> Iterator[float]:
    while first <= last:
        yield first
        first += 1


def _is_way(terrain: Terrain, cell: Position) -> bool:
    if terrain.is_passable(cell):
        return True
    name = terrain.block(cell)
    is_ground = _GROWN.fullmatch(name) is not None or not _is_wall(terrain, cell)
    if any(terrain.block(_moved(cell, step)) == "lava" for step in _TOUCHING):
        return False
    return _NATURAL.fullmatch(name) is not None and is_ground


def _is_wall(terrain: Terrain, cell: Position) -> bool:
    """Whether there is room on both sides of it, and so somebody may have built it."""
    return any(
        1 + _solid(terrain, cell, axis, 1) + _solid(terrain, cell, axis, -1) <= thickest
        for axis, thickest in _AXES
    )


def _solid(terrain: Terrain, cell: Position, axis: tuple[int, int, int], way: int) -> int:
    """How many blocks stand in a row beside a cell; two are as good as more."""
    dx, dy, dz = (way * part for part in axis)
    cells = (_moved(cell, (n * dx, n * dy, n * dz)) for n in (1, 2))
    return sum(1 for _ in takewhile(lambda at: not terrain.is_passable(at), cells))


def _moved(cell: Position, step: tuple[int, int, int]) -> Position:
    return Position(cell.x + step[0], cell.y + step[1], cell.z + step[2])
