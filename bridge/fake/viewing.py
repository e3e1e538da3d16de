"""What bots see of the simulated world: a grid for pictures, and a region of blocks."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bridge.fake.body import EYE_HEIGHT, Body
from bridge.fake.terrain import AIR, PASSABLE, SURFACE_Y, Cell, Terrain, cell_of, ground
from bridge.fake.world import FakeWorld
from bridge.looking import Behold, Being, BlockKind, InView, ReadRegion, Region, View
from bridge.world import MobSighting, PlayerSighting, Position

CHEST = 0.9  # blocks above the feet
MOB_HEAD = 0.7
MOST_MOBS = 32

LOWEST, HIGHEST = 0, 255
WHOLE = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
_SIZES = {"player": (0.6, 1.8), "mob": (0.9, 1.0), "item": (0.25, 0.25)}


@dataclass(slots=True)
class _Met:
    rays: int
    last: int
    distance: float
    at: Cell


def behold(world: FakeWorld, body: Body, query: Behold) -> View:
    sight = _Sight(world.terrain(body.dimension), body, query)
    blocks, sky = sight.fan()
    here = body.position
    near = sorted(world.bodies.values(), key=lambda other: here.distance_to(other.position))
    seen = (o for o in near if o is not body and world.sees(body, o) and sight.sees(o))
    mobs = (
        MobSighting(mob.name, mob.position, mob.hostile)
        for mob in (world.mobs if body.dimension == "overworld" else ())
        if sight.reaches(mob.position, MOB_HEAD)
    )
    return View(
        eyes=body.eyes,
        yaw=sight.yaw,
        pitch=sight.pitch,
        blocks=blocks,
        sky=sky,
        players=tuple(PlayerSighting(other.name, other.position) for other in seen),
        mobs=nearest_of(mobs, lambda mob: body.eyes.distance_to(mob.position)),
        rays=query.across * query.down,
        checks=sight.checks,
        took_ms=0.0,
    )


def nearest_of(
    mobs: Iterable[MobSighting], away: Callable[[MobSighting], float]
) -> tuple[MobSighting, ...]:
    """As many creatures as are told, nearest first; a herd hides no monster."""
    near = sorted(mobs, key=away)
    monsters = [mob for mob in near if mob.hostile][:MOST_MOBS]
    others = [mob for mob in near if not mob.hostile][:MOST_MOBS]
    return tuple(sorted(monsters + others, key=away))


class _Sight:
    def __init__(self, terrain: Terrain, body: Body, query: Behold) -> None:
        self._terrain, self._query = terrain, query
        self._eyes = (body.eyes.x, body.eyes.y, body.eyes.z)
        self.yaw = body.yaw if query.yaw is None else query.yaw
        self.pitch = body.pitch if query.pitch is None else query.pitch
        self.checks = 0

    def fan(self) -> tuple[tuple[InView, ...], float]:
        """What the rays met, largest share first, and the share that met nothing solid."""
        met: dict[str, _Met] = {}
        rays = [*self._directions()]
        ended = sum(self._follow(number, way, met) for number, way in enumerate(rays))
        ranked = sorted(met.items(), key=lambda entry: -entry[1].rays)
        blocks = tuple(
            InView(name, Position(*m.at), m.distance, m.rays / len(rays)) for name, m in ranked
        )
        return blocks, 1 - ended / len(rays)

    def sees(self, other: Body) -> bool:
        """Whether a player's face or chest is in the fan and nothing hides it."""
        return any(self.reaches(other.position, up) for up in (EYE_HEIGHT, CHEST))

    def reaches(self, feet: Position, up: float) -> bool:
        """Whether a point so far above the feet is in the fan and nothing hides it."""
        x, y, z = self._eyes
        way = (feet.x - x, feet.y + up - y, feet.z - z)
        distance = math.hypot(*way)
        if distance < 1e-6:
            return True
        yaw, pitch = math.degrees(math.atan2(-way[0], -way[2])), math.asin(way[1] / distance)
        aside = (yaw - self.yaw + 180) % 360 - 180
        query = self._query
        if distance > query.reach or abs(aside) > query.field_across / 2:
            return False
        if abs(math.degrees(pitch) - self.pitch) > query.field_down / 2:
            return False
        unit = (way[0] / distance, way[1] / distance, way[2] / distance)
        return all(name in PASSABLE or "glass" in name for name, *_ in self._walk(unit, distance))

    def _directions(self) -> Iterator[tuple[float, float, float]]:
        query = self._query
        for row in range(query.down):
            pitch = self.pitch - ((row + 0.5) / query.down - 0.5) * query.field_down
            p = math.radians(min(90.0, max(-90.0, pitch)))
            for column in range(query.across):
                aside = ((column + 0.5) / query.across - 0.5) * query.field_across
                y = math.radians(self.yaw - aside)
                yield -math.sin(y) * math.cos(p), math.sin(p), -math.cos(y) * math.cos(p)

    def _follow(self, ray: int, way: tuple[float, float, float], met: dict[str, _Met]) -> bool:
        """Note what a ray meets; whether something ended it."""
        for name, distance, cell in self._walk(way, self._query.reach):
            if name == AIR:
                continue
            entry = met.setdefault(name, _Met(0, -1, math.inf, cell))
            entry.rays += entry.last != ray
            entry.last = ray
            if distance < entry.distance:
                entry.distance, entry.at = distance, cell
            if name not in PASSABLE and "glass" not in name:
                return True
        return False

    def _walk(
        self, way: tuple[float, float, float], reach: float
    ) -> Iterator[tuple[str, float, Cell]]:
        """The blocks along a ray, each with its distance."""
        cell = [math.floor(at) for at in self._eyes]
        width = [math.inf if slope == 0 else abs(1 / slope) for slope in way]
        border = [_first(*axis) for axis in zip(self._eyes, way, width, strict=True)]
        distance = 0.0
        while distance <= reach:
            where = (cell[0], cell[1], cell[2])
            self.checks += 1
            yield self._terrain.name(where), distance, where
            axis = border.index(min(border))
            distance = border[axis]
            border[axis] += width[axis]
            cell[axis] += 1 if way[axis] > 0 else -1


def _first(eye: float, slope: float, width: float) -> float:
    """The distance to the first border between cells along one axis."""
    if slope == 0:
        return math.inf
    gap = math.floor(eye) + 1 - eye if slope > 0 else eye - math.floor(eye)
    return gap * width


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
        for cell, name in world.terrain(self._terrain_of).changed.items():
            x, y, z = (at - least for at, least in zip(cell, self.corner, strict=True))
            if 0 <= x < width and 0 <= y < height and 0 <= z < depth:
                cells[(x * depth + z) * height + y] = numbers.setdefault(name, len(numbers))
        if sys.byteorder == "big":
            cells.byteswap()
        kinds = (BlockKind(name, () if name in PASSABLE else (WHOLE,)) for name in numbers)
        return tuple(kinds), cells.tobytes()

    def covered(self, world: FakeWorld) -> bytes:
        """Whether each column is covered, as if nobody had dug through the ground above."""
        width, height, depth = self.size
        top = self.corner[1] + height
        columns = bytearray([top <= SURFACE_Y] * (width * depth))
        for cell, name in world.terrain(self._terrain_of).changed.items():
            x, z = cell[0] - self.corner[0], cell[2] - self.corner[2]
            if cell[1] >= top and 0 <= x < width and 0 <= z < depth and name not in PASSABLE:
                columns[x * depth + z] = 1
        return bytes(columns)


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
    near = [b for b in (*people, *mobs, *items) if body.position.distance_to(b.position) <= reach]
    return tuple(sorted(near, key=lambda being: body.position.distance_to(being.position)))
