"""Where a body can walk: up one block, down three, never through a wall. Nobody swims, climbs
ladders or opens doors here."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import TypeAlias

from bridge.fake.terrain import Terrain
from bridge.world import Position

DEEPEST_FALL = 3
SEARCHED = 6_000  # standing places looked at before giving up
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))

Steps: TypeAlias = Callable[[Terrain, Position], Iterator[Position]]
"""The standing places one step from another."""


def walking(terrain: Terrain, here: Position) -> Iterator[Position]:
    """One up, level, or down as far as it does no harm."""
    for dx, dz in SIDES:
        level = Position(here.x + dx, here.y, here.z + dz)
        for dy in range(1, -DEEPEST_FALL - 1, -1):
            there = Position(level.x, here.y + dy, level.z)
            if is_standable(terrain, there) and _is_open(terrain, here, there):
                yield there
                break


def find_path(
    terrain: Terrain,
    start: Position,
    goal: Position,
    within: float,
    step: Steps = walking,
) -> tuple[Position, ...] | None:
    """Standing places from the start to the first within reach of the goal (A*); the start
    left out, so () when it is near enough; None when there is no way."""
    if start.distance_to(goal) <= within:
        return ()
    first = _standing(start.block)
    came_from: dict[Position, Position | None] = {first: None}
    steps, order = {first: 0}, itertools.count()
    waiting = [(first.distance_to(goal), next(order), first)]
    while waiting and len(steps) < SEARCHED:
        _, _, here = heapq.heappop(waiting)
        if _is_there(here, goal, within):
            return _trace(came_from, here)
        for there in step(terrain, here):
            if steps[here] + 1 < steps.get(there, SEARCHED):
                steps[there], came_from[there] = steps[here] + 1, here
                cost = steps[there] + there.distance_to(goal)
                heapq.heappush(waiting, (cost, next(order), there))
    return None


def _is_there(here: Position, goal: Position, within: float) -> bool:
    # A whole number names a block's corner, the body stands in its middle.
    return here.distance_to(goal) <= within or here.block == goal.block


def _standing(block: Position) -> Position:
    return Position(block.x + 0.5, block.y, block.z + 0.5)


def is_standable(terrain: Terrain, there: Position) -> bool:
    """Room for a body with its feet there, and ground under it."""
    below = Position(there.x, there.y - 1, there.z)
    return _fits(terrain, there) and not terrain.is_passable(below)


def _is_open(terrain: Terrain, here: Position, there: Position) -> bool:
    """Room overhead for a step up, and beside for a step down."""
    top = max(here.y, there.y)
    return _fits(terrain, Position(here.x, top, here.z)) and _fits(
        terrain, Position(there.x, top, there.z)
    )


def _fits(terrain: Terrain, feet: Position) -> bool:
    head = Position(feet.x, feet.y + 1, feet.z)
    return terrain.is_passable(feet) and terrain.is_passable(head)


def _trace(came_from: dict[Position, Position | None], end: Position) -> tuple[Position, ...]:
    path: list[Position] = []
    here: Position | None = end
    while here is not None:
        path.append(here)
        here = came_from[here]
    return tuple(reversed(path))[1:]
