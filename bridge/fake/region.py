"""A box of the simulated world, as a picture is drawn from it."""

from __future__ import annotations

import sys
from array import array

from bridge.fake.body import Body
from bridge.fake.terrain import AIR, PASSABLE, SURFACE_Y, Cell, cell_of, ground
from bridge.fake.world import FakeWorld
from bridge.region import Being, BlockKind, ReadRegion, Region

LOWEST, HIGHEST = 0, 255
WHOLE = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
_SIZES = {"player": (0.6, 1.8), "mob": (0.9, 1.0), "item": (0.25, 0.25)}


def read_region(world: FakeWorld, body: Body, query: ReadRegion) -> Region:
    box = _Box(body, query)
    kinds, cells = box.filled(world)
    return Region(
        version=world.version,
        corner=box.corner,
        size=box.size,
        kinds=kinds,
        cells=cells,
        covered=box.covered(world),
        eyes=body.eyes,
        yaw=body.yaw,
        pitch=body.pitch,
        beings=_beings(world, body, query.reach),
        held=body.held.name if body.held else None,
        time_of_day=world.time_of_day,
        is_raining=world.weather != "clear",
        dimension=body.dimension,
    )


class _Box:
    def __init__(self, body: Body, query: ReadRegion) -> None:
        self._terrain_of = body.dimension
        x, y, z = cell_of(body.position)
        lowest = min(max(LOWEST, y - query.down), HIGHEST)
        highest = max(min(HIGHEST, y + query.up), lowest)
        side = 2 * query.reach + 1
        self.corner: Cell = (x - query.reach, lowest, z - query.reach)
        self.size: Cell = (side, highest - lowest + 1, side)

    def filled(self, world: FakeWorld) -> tuple[tuple[BlockKind, ...], bytes]:
        width, height, depth = self.size
        numbers = {AIR: 0}
        heights = range(self.corner[1], self.corner[1] + height)
        column = [numbers.setdefault(ground(y), len(numbers)) for y in heights]
        cells = array("H", column * (width * depth))
        for where, name in world.terrain(self._terrain_of).changes:
            x, y, z = (at - least for at, least in zip(cell_of(where), self.corner, strict=True))
            if 0 <= x < width and 0 <= y < height and 0 <= z < depth:
                cells[(x * depth + z) * height + y] = numbers.setdefault(name, len(numbers))
        if sys.byteorder == "big":
            cells.byteswap()
        return tuple(map(_kind, numbers)), cells.tobytes()

    def covered(self, world: FakeWorld) -> bytes:
        """As if nobody had dug through the ground above."""
        width, height, depth = self.size
        top = self.corner[1] + height
        columns = bytearray([top <= SURFACE_Y] * (width * depth))
        for where, name in world.terrain(self._terrain_of).changes:
            x, z = int(where.x) - self.corner[0], int(where.z) - self.corner[2]
            if where.y >= top and 0 <= x < width and 0 <= z < depth and name not in PASSABLE:
                columns[x * depth + z] = 1
        return bytes(columns)


def _kind(name: str) -> BlockKind:
    return BlockKind(name, () if name in PASSABLE else (WHOLE,))


def _beings(world: FakeWorld, body: Body, reach: float) -> tuple[Being, ...]:
    people = [
        Being(
            "player",
            other.name,
            other.position,
            other.yaw,
            *_SIZES["player"],
            held=other.held.name if other.held else None,
        )
        for other in world.bodies.values()
        if other is not body and world.sees(body, other)
    ]
    mobs = [
        Being("mob", m.name, m.position, 0.0, *_SIZES["mob"], young=m.young, coat=m.coat)
        for m in world.mobs
        if body.dimension == "overworld"
    ]
    drops = world.terrain(body.dimension).drops_within(body.position, reach)
    items = [Being("item", drop.item, drop.position, 0.0, *_SIZES["item"]) for drop in drops]
    near = [b for b in (*people, *mobs, *items) if _away(body, b) <= reach]
    return tuple(sorted(near, key=lambda being: _away(body, being)))


def _away(body: Body, being: Being) -> float:
    return body.position.distance_to(being.position)
