"""Where a way through tunnels and stairs is broken off, and where it goes on."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from bots.skills.approach import SIDES
from bridge.world import Position

WIDEST = 4  # blocks from one end to the other
DEEPEST_DROP = 3  # blocks without harm
_ACROSS = sorted(
    (
        (dx, dy, dz)
        for dx, dy, dz in itertools.product(range(-WIDEST, WIDEST + 1), repeat=3)
        if dy >= 0 and 1 < math.hypot(dx, dy, dz) <= WIDEST
    ),
    key=lambda across: math.hypot(*across),
)
"""To the other end of a gap, narrowest first; not down again."""


def on_foot(room: AbstractSet[Position], here: Position) -> set[Position]:
    """Where one comes on foot from here."""
    reached, waiting = {here}, [here]
    while waiting:
        for there in _steps(room, waiting.pop()):
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    return reached


def gaps(
    room: AbstractSet[Position], reached: AbstractSet[Position]
) -> list[tuple[Position, Position]]:
    """The last place on foot before each gap and the first behind it, in blocks; the narrowest
    gap first. `room` are the empty cells around."""
    beyond = {cell for cell in room if _is_standing(room, cell)} - reached
    found: dict[Position, tuple[int, Position]] = {}
    for near in reached if beyond else ():
        for rank, (dx, dy, dz) in enumerate(_ACROSS):
            there = Position(near.x + dx, near.y + dy, near.z + dz)
            if there in beyond and (there not in found or rank < found[there][0]):
                found[there] = (rank, near)
                break
    ranked = sorted(found, key=lambda there: found[there][0])
    return [(found[there][1], there) for there in ranked]


def _steps(room: AbstractSet[Position], here: Position) -> Iterator[Position]:
    for dx, dz in SIDES:
        for dy in range(1, -DEEPEST_DROP - 1, -1):
            there = Position(here.x + dx, here.y + dy, here.z + dz)
            if _is_standing(room, there) and _is_open(room, here, there):
                yield there


def _is_standing(room: AbstractSet[Position], feet: Position) -> bool:
    below, head = (Position(feet.x, feet.y + up, feet.z) for up in (-1, 1))
    return feet in room and head in room and below not in room


def _is_open(room: AbstractSet[Position], here: Position, there: Position) -> bool:
    """Whether a body gets from one to the other, jumping or falling."""
    top = int(max(here.y, there.y))
    over = (Position(here.x, y, here.z) for y in range(int(here.y) + 2, top + 2))
    along = (Position(there.x, y, there.z) for y in range(int(there.y), top + 2))
    return all(cell in room for cell in (*over, *along))
