"""The search through the blocks around in the simulated world, at the cost of the real one.

Counts of a whole ball go by layers: what nobody changed is the same all over. The nearest few of
each name are found likewise: a layer nobody changed has them in its middle."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from bridge.fake.body import Body
from bridge.fake.terrain import (
    AIR,
    PASSABLE,
    SIDE,
    Cell,
    Cells,
    Terrain,
    cell_of,
    ground,
    section_of,
)
from bridge.fake.world import VIEW_DISTANCE, FakeWorld
from bridge.looking import Scan, ScanBlocks
from bridge.world import BlockCount, BlockSighting, Position

DRY = PASSABLE - {"water"}
REACH, EYES = 4.5, 1.62  # blocks: from the eyes to the middle of a block, and above the feet
STANDS = tuple(
    (dx, dy, dz)
    for dx, dz in product(range(-4, 5), repeat=2)
    for dy in range(-1, 4)
    if math.hypot(dx, dy + EYES - 0.5, dz) <= REACH
)
"""Where the feet may be of who digs a block, counted from it; as in host/sensing/shore.cjs."""

LOWEST_Y, HIGHEST_Y = 0, 255
BALLS_KEPT = 4


def is_tally(query: ScanBlocks) -> bool:
    """Whether only numbers are asked for, of the whole ball, or besides the nearest few."""
    cells = (2 * query.radius + 1) ** 3
    is_few = query.limit == 0 or (query.each is not None and query.limit >= cells)
    return is_few and query.cone >= 360 and query.max_checks >= cells and not query.include_air


def tally(
    terrain: Terrain, centre: Position, yaw: float, query: ScanBlocks, heights: range, sight: int
) -> Scan:
    """The answer of a scan; `heights` are those of the world."""
    radius = min(query.radius, sight)
    counts: Counter[str] = Counter()
    for dy in range(max(-radius, query.lowest), min(radius, query.highest) + 1):
        if int(centre.y) + dy in heights:
            counts[ground(centre.y + dy)] += _disc(radius * radius - dy * dy)
    read = counts.total()
    changed: dict[Position, str] = {}
    for where, name in terrain.changes:
        in_layers = query.lowest <= where.y - centre.y <= query.highest
        if in_layers and where.y in heights and where.distance_to(centre) <= radius:
            counts[ground(where.y)] -= 1
            counts[name] += 1
            changed[where] = name
    near = [] if query.limit == 0 else _nearest(centre, radius, query, changed, heights)
    covered = under_water(near, terrain.block)
    return replace(
        _answer(centre, yaw, query, counts, read, near),
        under_water=covered,
        shores=shores(covered, centre, terrain.block),
    )


def under_water(
    blocks: Iterable[BlockSighting], block: Callable[[Position], str]
) -> frozenset[Position]:
    """Where blocks are that have water on top; `block` tells the name at a position."""
    places = (one.position for one in blocks)
    return frozenset(at for at in places if block(_above(at)) == "water")


def shores(
    covered: Iterable[Position], here: Position, block: Callable[[Position], str]
) -> dict[Position, Position]:
    """The nearest dry ground from where blocks under water can be dug."""
    found = {at: _shore(at, here, block) for at in covered}
    return {at: shore for at, shore in found.items() if shore is not None}


def _shore(at: Position, here: Position, block: Callable[[Position], str]) -> Position | None:
    places = [Position(at.x + dx, at.y + dy, at.z + dz) for dx, dy, dz in STANDS]
    dry = (feet for feet in places if _is_dry_ground(feet, block))
    return min(dry, key=here.distance_to, default=None)


def _is_dry_ground(feet: Position, block: Callable[[Position], str]) -> bool:
    below = block(Position(feet.x, feet.y - 1, feet.z))
    return below not in PASSABLE and block(feet) in DRY and block(_above(feet)) in DRY


def _above(at: Position) -> Position:
    return Position(at.x, at.y + 1, at.z)


def _nearest(
    centre: Position,
    radius: int,
    query: ScanBlocks,
    changed: Mapping[Position, str],
    heights: range,
) -> list[BlockSighting]:
    """The nearest blocks of each name, as many as asked for."""
    each = query.each or 0
    found = [BlockSighting(name, where) for where, name in changed.items()]
    for dy in range(max(-radius, query.lowest), min(radius, query.highest) + 1):
        if int(centre.y) + dy in heights and ground(centre.y + dy) != AIR:
            found += _middle(centre, dy, radius, each, changed)
    found = [one for one in found if _is_wanted(one.name, query)]
    found.sort(key=lambda one: one.position.distance_to(centre))
    listed: Counter[str] = Counter()
    kept: list[BlockSighting] = []
    for one in found:
        if listed[one.name] < each:
            listed[one.name] += 1
            kept.append(one)
    return kept


def _middle(
    centre: Position, dy: int, radius: int, each: int, changed: Mapping[Position, str]
) -> Iterator[BlockSighting]:
    """The nearest few unchanged cells of a layer."""
    square, left = radius * radius - dy * dy, each
    for dx, dz in _spiral(radius):
        where = Position(centre.x + dx, centre.y + dy, centre.z + dz)
        if not left or dx * dx + dz * dz > square:
            return
        if where not in changed:
            left -= 1
            yield BlockSighting(ground(where.y), where)


@lru_cache(4)
def _spiral(radius: int) -> tuple[tuple[int, int], ...]:
    """The offsets of all cells of a layer within a radius, nearest first."""
    steps = range(-radius, radius + 1)
    cells = ((dx, dz) for dx in steps for dz in steps)
    return tuple(sorted(cells, key=lambda cell: cell[0] ** 2 + cell[1] ** 2))


def _answer(
    centre: Position,
    yaw: float,
    query: ScanBlocks,
    counts: Counter[str],
    read: int,
    near: Iterable[BlockSighting],
) -> Scan:
    wanted = {name: n for name, n in counts.items() if n and _is_wanted(name, query)}
    ranked = sorted(wanted.items(), key=lambda entry: (-entry[1], entry[0]))
    return Scan(
        centre=centre,
        yaw=yaw,
        blocks=tuple(near),
        under_water=frozenset(),
        shores={},
        counts=tuple(BlockCount(name, count) for name, count in ranked),
        checks=read,
        visited=read,
        positions=read,
        reached=float(query.radius),
        is_cut=False,
        sections=0,
        sections_read=0,
        took_ms=0.0,
    )


def _is_wanted(name: str, query: ScanBlocks) -> bool:
    return name in query.names if query.names else query.include_air or name != AIR


@lru_cache(256)
def _disc(square: int) -> int:
    """Cells of a layer whose distance from its middle, squared, is at most this."""
    radius = math.isqrt(square)
    return sum(2 * math.isqrt(square - dx * dx) + 1 for dx in range(-radius, radius + 1))


def scan_blocks(world: FakeWorld, body: Body, query: ScanBlocks) -> Scan:
    """Look at cells from near to far, reading those whose section may hold what is wanted."""
    if is_tally(query):
        yaw = body.yaw if query.yaw is None else query.yaw
        heights, sight = range(LOWEST_Y, HIGHEST_Y + 1), int(VIEW_DISTANCE)
        ground = world.terrain(body.dimension)
        return tally(ground, body.position.block, yaw, query, heights, sight)
    scan = _Scan(Cells(world.terrain(body.dimension)), body, query)
    scan.run()
    return scan.answer()


class _Scan:
    def __init__(self, cells: Cells, body: Body, query: ScanBlocks) -> None:
        self._cells, self._query = cells, query
        self._centre = body.position.block
        self._yaw = body.yaw if query.yaw is None else query.yaw
        ball = _ball(query.radius)
        self._shape: Sequence[Cell] = ball
        if not _is_whole(query):
            self._shape = [cell for cell in ball if _is_asked_for(cell, query, self._yaw)]
        self._may_hold: dict[Cell, bool] = {}
        self._found: list[BlockSighting] = []
        self._counts: Counter[str] = Counter()
        self._checks = self._visited = 0
        self._cut_at: float | None = None

    def run(self) -> None:
        if self._is_in_sight and not any(map(self._holds_wanted, self._sections())):
            self._may_hold = dict.fromkeys(self._sections(), False)
            self._visited = len(self._shape)  # as if cell by cell
            return
        x, y, z = int(self._centre.x), int(self._centre.y), int(self._centre.z)
        for dx, dy, dz in self._shape:
            cell = (x + dx, y + dy, z + dz)
            distance = math.hypot(dx, dy, dz)
            if distance > VIEW_DISTANCE or not LOWEST_Y <= cell[1] <= HIGHEST_Y:
                continue
            section = section_of(cell)
            if section not in self._may_hold:
                self._may_hold[section] = self._holds_wanted(section)
            if self._may_hold[section]:
                if self._checks >= self._query.max_checks:
                    self._cut_at = math.floor(distance)
                    return
                self._read(cell)
            self._visited += 1

    @property
    def _is_in_sight(self) -> bool:
        """Whether all of the ball is asked for and can be seen."""
        radius, y = self._query.radius, int(self._centre.y)
        is_loaded = y - radius >= LOWEST_Y and y + radius <= HIGHEST_Y
        return is_loaded and radius <= VIEW_DISTANCE and _is_whole(self._query)

    def _sections(self) -> Iterator[Cell]:
        """The sections that the ball touches."""
        at, radius = (self._centre.x, self._centre.y, self._centre.z), self._query.radius
        spans = [range(int(c - radius) // SIDE, int(c + radius) // SIDE + 1) for c in at]
        for section in product(*spans):
            starts = [number * SIDE for number in section]
            gaps = [max(low - c, 0, c - low - SIDE + 1) for low, c in zip(starts, at, strict=True)]
            if math.hypot(*gaps) <= radius:
                yield section[0], section[1], section[2]

    def answer(self) -> Scan:
        ranked = sorted(self._counts.items(), key=lambda entry: (-entry[1], entry[0]))
        covered = under_water(self._found if self._query.each is not None else (), self._block)
        return Scan(
            centre=self._centre,
            yaw=self._yaw,
            blocks=tuple(self._found),
            counts=tuple(BlockCount(name, count) for name, count in ranked),
            under_water=covered,
            shores=shores(covered, self._centre, self._block),
            checks=self._checks,
            visited=self._visited,
            positions=len(self._shape),
            reached=float(self._query.radius if self._cut_at is None else self._cut_at),
            is_cut=self._cut_at is not None,
            sections=len(self._may_hold),
            sections_read=sum(self._may_hold.values()),
            took_ms=0.0,
        )

    def _block(self, where: Position) -> str:
        return self._cells.block(cell_of(where))

    def _holds_wanted(self, section: Cell) -> bool:
        return any(map(self._is_wanted, self._cells.palette(section)))

    def _is_wanted(self, name: str) -> bool:
        if self._query.names:
            return name in self._query.names
        return self._query.include_air or name != AIR

    def _read(self, cell: Cell) -> None:
        self._checks += 1
        name = self._cells.block(cell)
        if self._is_wanted(name):
            self._counts[name] += 1
            each, limit = self._query.each, self._query.limit
            if len(self._found) < limit and (each is None or self._counts[name] <= each):
                self._found.append(BlockSighting(name, Position(*cell)))


def _is_whole(query: ScanBlocks) -> bool:
    level = query.lowest <= -query.radius and query.highest >= query.radius
    return level and query.cone >= 360


def _is_asked_for(offset: Cell, query: ScanBlocks, yaw: float) -> bool:
    dx, dy, dz = offset
    if not query.lowest <= dy <= query.highest:
        return False
    if query.cone >= 360 or (dx == 0 and dz == 0):
        return True
    aside = math.degrees(math.atan2(-dx, -dz)) - yaw
    return abs((aside + 180) % 360 - 180) <= query.cone / 2


@lru_cache(BALLS_KEPT)
def _ball(radius: int) -> tuple[Cell, ...]:
    """The offsets of all cells within a radius, nearest first."""
    steps = range(-radius, radius + 1)
    square = radius * radius
    cells = (
        (x, y, z)
        for x in steps
        for z in steps
        if x * x + z * z <= square
        for y in steps
        if x * x + y * y + z * z <= square
    )
    return tuple(sorted(cells, key=lambda c: c[0] * c[0] + c[1] * c[1] + c[2] * c[2]))
