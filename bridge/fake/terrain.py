"""Blocks, what lies on them and what is kept in them: one dimension, flat and endless.

A body walks up one block, down three, never through a wall. Nobody swims, climbs ladders or opens
doors here."""

from __future__ import annotations

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bridge.fake.body import CHEST_SLOTS, Inventory
from bridge.fake.rules import Rules
from bridge.port import SHUNNED_AT
from bridge.world import BlockCount, Position

Cell: TypeAlias = tuple[int, int, int]

SURFACE_Y = 63  # the grass; a body on it stands at y 64
AIR = "air"
PASSABLE = frozenset({AIR, "water", "torch", "ladder"})

SIDE = 16  # blocks along each edge of a section

DEEPEST_FALL = 3
SHUNNED = 3  # steps that one costs more near a place to shun
SEARCHED = 6_000  # standing places looked at before giving up
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(slots=True)
class Drop:
    """Items lying on the ground."""

    item: str
    count: int
    position: Position
    thrown_by: str = ""
    """The player who threw it."""
    meant_for: str = ""
    """The player to whom it was thrown, for a while."""
    theirs_until_s: float = 0.0

    def is_for(self, name: str, now_s: float) -> bool:
        return self.meant_for in ("", name) or now_s >= self.theirs_until_s


class Terrain:
    """Grass over dirt over stone over bedrock, with whatever was built or dug since."""

    def __init__(self, rules: Rules) -> None:
        self.drops: list[Drop] = []
        self._rules = rules
        self.changed: dict[Cell, str] = {}
        """What is there now, where somebody has built or dug."""
        self._chests: dict[Position, Inventory] = {}

    @property
    def changes(self) -> list[tuple[Position, str]]:
        """Where somebody has built or dug, and what is there now."""
        return [(Position(*cell), name) for cell, name in self.changed.items()]

    def block(self, position: Position) -> str:
        return self.name(cell_of(position))

    def name(self, cell: Cell) -> str:
        """The block of a cell."""
        return self.changed.get(cell) or ground(cell[1])

    def is_free(self, cell: Cell) -> bool:
        return self.name(cell) in PASSABLE

    def set_block(self, position: Position, name: str) -> None:
        """Replace a block; a chest's contents are gone with it."""
        where = position.block
        self.changed[cell_of(position)] = name
        self._chests.pop(where, None)
        for drop in self.drops:
            if (drop.position.block.x, drop.position.block.z) == (where.x, where.z):
                drop.position = self._landing(drop.position)

    def chest(self, position: Position) -> Inventory:
        """What the chest at a position holds; it stays while the block stays."""
        where = position.block
        if where not in self._chests:
            self._chests[where] = Inventory(CHEST_SLOTS, self._rules.stack_size)
        return self._chests[where]

    def contents(self, position: Position) -> Mapping[str, int]:
        kept = self._chests.get(position.block)
        return kept.counts() if kept else {}

    def drop(
        self,
        item: str,
        count: int,
        position: Position,
        thrown_by: str = "",
        meant_for: str = "",
        theirs_until_s: float = 0.0,
    ) -> None:
        """Let items fall from a position to the ground below it."""
        if count > 0:
            here = self._landing(position)
            self.drops.append(Drop(item, count, here, thrown_by, meant_for, theirs_until_s))

    def drops_within(self, centre: Position, radius: float) -> tuple[Drop, ...]:
        """Nearest first."""
        near = [drop for drop in self.drops if drop.position.distance_to(centre) <= radius]
        return tuple(sorted(near, key=lambda drop: drop.position.distance_to(centre)))

    def is_passable(self, position: Position) -> bool:
        return self.is_free(cell_of(position))

    def count_within(self, centre: Position, reach: int) -> tuple[BlockCount, ...]:
        """Blocks in a cube around, most common first, air left out."""
        middle, side = cell_of(centre), 2 * reach + 1
        names = Counter[str]()
        for y in range(middle[1] - reach, middle[1] + reach + 1):
            names[ground(y)] += side * side
        for cell, name in self.changed.items():
            if all(abs(at - mid) <= reach for at, mid in zip(cell, middle, strict=True)):
                names[ground(cell[1])] -= 1
                names[name] += 1
        del names[AIR]
        ranked = sorted((+names).items(), key=lambda entry: (-entry[1], entry[0]))
        return tuple(BlockCount(name, count) for name, count in ranked)

    def _landing(self, position: Position) -> Position:
        y = position.block.y
        while self.is_passable(Position(position.x, y - 1, position.z)):
            y -= 1
        return Position(position.x, y, position.z)


def cell_of(position: Position) -> Cell:
    """The block a point lies in; plain numbers, as walks look at very many."""
    return math.floor(position.x), math.floor(position.y), math.floor(position.z)


def ground(y: float) -> str:
    """The block at a height where nobody has built or dug."""
    if y > SURFACE_Y:
        return AIR
    if y == SURFACE_Y:
        return "grass_block"
    return "dirt" if y >= SURFACE_Y - 3 else "stone" if y > 0 else "bedrock"


def section_of(cell: Cell) -> Cell:
    x, y, z = cell
    return x // SIDE, y // SIDE, z // SIDE


Steps: TypeAlias = Callable[[Terrain, Cell], Iterator[Cell]]
"""The standing places one step from another; the cell of the feet stands for each."""


def walking(terrain: Terrain, here: Cell) -> Iterator[Cell]:
    """One up, level, or down as far as it does no harm."""
    x, y, z = here
    for dx, dz in SIDES:
        for dy in range(1, -DEEPEST_FALL - 1, -1):
            there = (x + dx, y + dy, z + dz)
            if is_standable(terrain, there) and _is_open(terrain, here, there):
                yield there
                break


def find_path(
    terrain: Terrain,
    start: Position,
    goal: Position,
    within: float,
    step: Steps = walking,
    shunned: tuple[Position, ...] = (),
) -> tuple[Position, ...] | None:
    """Standing places from the start to the first within reach of the goal (A*), rather around
    places to shun; the start left out, so () when it is near enough; None when there is no way."""
    if start.distance_to(goal) <= within:
        return ()
    around = [
        place
        for place in shunned
        if min(start.distance_to(place), goal.distance_to(place)) > SHUNNED_AT
    ]
    first, last = cell_of(start), cell_of(goal)
    came_from: dict[Cell, Cell | None] = {first: None}
    steps, order = {first: 0}, itertools.count()
    waiting = [(0.0, next(order), first)]
    while waiting and len(steps) < SEARCHED:
        _, _, here = heapq.heappop(waiting)
        # A whole number names a block's corner, the body stands in its middle.
        if here == last or feet_in(here).distance_to(goal) <= within:
            path = [here]
            while (before := came_from[path[-1]]) is not None:
                path.append(before)
            return tuple(map(feet_in, reversed(path)))[1:]
        for there in step(terrain, here):
            is_shunned = any(feet_in(there).distance_to(place) <= SHUNNED_AT for place in around)
            needed = steps[here] + 1 + SHUNNED * is_shunned
            if needed < steps.get(there, SEARCHED):
                steps[there], came_from[there] = needed, here
                cost = steps[there] + feet_in(there).distance_to(goal)
                heapq.heappush(waiting, (cost, next(order), there))
    return find_path(terrain, start, goal, within, step) if around else None


def feet_in(cell: Cell) -> Position:
    """Where a body stands in a cell."""
    return Position(cell[0] + 0.5, cell[1], cell[2] + 0.5)


def is_standable(terrain: Terrain, there: Cell) -> bool:
    """Room for a body with its feet there, and ground under it."""
    return _fits(terrain, there) and not terrain.is_free((there[0], there[1] - 1, there[2]))


def _is_open(terrain: Terrain, here: Cell, there: Cell) -> bool:
    """Room overhead for a step up, and beside for a step down."""
    top = max(here[1], there[1])
    is_open_here = top == here[1] or _fits(terrain, (here[0], top, here[2]))  # or in a fire
    return is_open_here and _fits(terrain, (there[0], top, there[2]))


def _fits(terrain: Terrain, feet: Cell) -> bool:
    return terrain.is_free(feet) and terrain.is_free((feet[0], feet[1] + 1, feet[2]))
