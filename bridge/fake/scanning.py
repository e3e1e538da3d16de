"""The search through the blocks around in the simulated world, at the cost of the real one.

Counts of a whole ball go by layers: what nobody changed is the same all over. The nearest few of
each name are found likewise: a layer nobody changed has them in its middle."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from bridge.actions import FindBlocks
from bridge.fake.body import Body
from bridge.fake.terrain import (
    AIR,
    PASSABLE,
    SIDE,
    Cell,
    Terrain,
    cell_of,
    ground,
    section_of,
)
from bridge.fake.world import VIEW_DISTANCE, FakeWorld
from bridge.looking import Scan, ScanBlocks
from bridge.world import BlockCount, BlockSighting, Position, is_spared

DRY = PASSABLE - {"water"}
REACH, EYES = 4.5, 1.62  # blocks: from the eyes to the middle of a block, and above the feet
STANDS = tuple(
    (dx, dy, dz)
    for dx, dz in product(range(-4, 5), repeat=2)
    for dy in range(-1, 4)
    if math.hypot(dx, dy + EYES - 0.5, dz) <= REACH
)
"""Where the feet may be of who digs a block, counted from it; as in host/sensing/shore.cjs."""

HEIGHTS = range(256)
EVERY = 1_000_000  # blocks
ROUNDING = 1e-6
BALLS_KEPT = 4


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
    dry = (
        feet
        for feet in places
        if block(Position(feet.x, feet.y - 1, feet.z)) not in PASSABLE
        and block(feet) in DRY
        and block(_above(feet)) in DRY
    )
    return min(dry, key=here.distance_to, default=None)


def _above(at: Position) -> Position:
    return Position(at.x, at.y + 1, at.z)


def scan_blocks(world: FakeWorld, body: Body, query: ScanBlocks) -> Scan:
    """Look at cells from near to far, reading those whose section may hold what is wanted."""
    scan = _Scan(world.terrain(body.dimension), body, query)
    scan.run()
    return scan.answer()


class _Scan:
    def __init__(self, terrain: Terrain, body: Body, query: ScanBlocks) -> None:
        self._terrain, self._query = terrain, query
        self._centre = cell_of(body.position)
        self._yaw = body.yaw if query.yaw is None else query.yaw
        built = terrain.changed.items()
        self._built = {section_of(cell) for cell, name in built if self._is_wanted(name)}
        self._may_hold: dict[Cell, bool] = {}
        self._found: list[BlockSighting] = []
        self._counts: Counter[str] = Counter()
        self._checks = self._visited = self._positions = 0
        self._cut_at: float | None = None

    def run(self) -> None:
        query = self._query
        # Whether only numbers are asked for, of the whole ball, or besides the nearest few.
        cells = (2 * query.radius + 1) ** 3
        is_few = query.limit == 0 or (query.each is not None and query.limit >= cells)
        if is_few and query.cone >= 360 and query.max_checks >= cells and not query.include_air:
            self._go_by_layers(min(query.radius, int(VIEW_DISTANCE)))
            return
        ball: Sequence[Cell] = _ball(query.radius)
        if not _is_whole(query):
            ball = [cell for cell in ball if _is_asked_for(cell, query, self._yaw)]
        self._positions = len(ball)
        if self._is_in_sight and not any(map(self._holds_wanted, self._sections())):
            self._may_hold = dict.fromkeys(self._sections(), False)
            self._visited = len(ball)  # as if cell by cell
        else:
            self._go_by_cells(ball)

    def _go_by_cells(self, ball: Iterable[Cell]) -> None:
        x, y, z = self._centre
        for dx, dy, dz in ball:
            cell = (x + dx, y + dy, z + dz)
            distance = math.hypot(dx, dy, dz)
            if distance > VIEW_DISTANCE or cell[1] not in HEIGHTS:
                continue
            section = section_of(cell)
            if section not in self._may_hold:
                self._may_hold[section] = self._holds_wanted(section)
            if self._may_hold[section]:
                if self._checks >= self._query.max_checks:
                    self._cut_at = math.floor(distance)
                    return
                self._checks += 1
                self._meet(self._terrain.name(cell), cell)
            self._visited += 1

    def _go_by_layers(self, radius: int) -> None:
        """Count what nobody changed by whole layers, of which only the middle is listed."""
        y = self._centre[1]
        lowest, highest = self._query.lowest, self._query.highest
        counts: Counter[str] = Counter()
        near: list[tuple[str, Cell]] = []
        for cell, name in self._terrain.changed.items():
            is_in_layers = lowest <= cell[1] - y <= highest and cell[1] in HEIGHTS
            if is_in_layers and math.dist(cell, self._centre) <= radius:
                counts[ground(cell[1])] -= 1
                near.append((name, cell))
        changed = {cell: name for name, cell in near}
        each = self._query.each if self._query.limit else 0
        for dy in range(max(-radius, lowest), min(radius, highest) + 1):
            if y + dy in HEIGHTS:
                counts[ground(y + dy)] += _disc(radius * radius - dy * dy)
                if ground(y + dy) != AIR:
                    near += _middle(self._centre, dy, radius, each or 0, changed)
        for name, cell in sorted(near, key=lambda one: math.dist(one[1], self._centre)):
            self._meet(name, cell)
        self._counts = Counter({n: c for n, c in counts.items() if c and self._is_wanted(n)})
        self._counts.update(filter(self._is_wanted, changed.values()))
        self._checks = self._visited = self._positions = counts.total() + len(changed)

    @property
    def _is_in_sight(self) -> bool:
        """Whether all of the ball is asked for and can be seen."""
        radius, y = self._query.radius, self._centre[1]
        is_loaded = y - radius in HEIGHTS and y + radius in HEIGHTS
        return is_loaded and radius <= VIEW_DISTANCE and _is_whole(self._query)

    def _sections(self) -> Iterator[Cell]:
        """The sections that the ball touches."""
        at, radius = self._centre, self._query.radius
        spans = [range((c - radius) // SIDE, (c + radius) // SIDE + 1) for c in at]
        for section in product(*spans):
            starts = [number * SIDE for number in section]
            gaps = [max(low - c, 0, c - low - SIDE + 1) for low, c in zip(starts, at, strict=True)]
            if math.hypot(*gaps) <= radius:
                yield section[0], section[1], section[2]

    def answer(self) -> Scan:
        ranked = sorted(self._counts.items(), key=lambda entry: (-entry[1], entry[0]))
        block, centre = self._terrain.block, Position(*self._centre)
        covered = under_water(self._found if self._query.each is not None else (), block)
        return Scan(
            centre=centre,
            yaw=self._yaw,
            blocks=tuple(self._found),
            counts=tuple(BlockCount(name, count) for name, count in ranked),
            under_water=covered,
            shores=shores(covered, centre, block),
            checks=self._checks,
            visited=self._visited,
            positions=self._positions,
            reached=float(self._query.radius if self._cut_at is None else self._cut_at),
            is_cut=self._cut_at is not None,
            sections=len(self._may_hold),
            sections_read=sum(self._may_hold.values()),
            took_ms=0.0,
        )

    def _holds_wanted(self, section: Cell) -> bool:
        layers = range(section[1] * SIDE, section[1] * SIDE + SIDE)
        return section in self._built or any(self._is_wanted(ground(y)) for y in layers)

    def _is_wanted(self, name: str) -> bool:
        if self._query.names:
            return name in self._query.names
        return self._query.include_air or name != AIR

    def _meet(self, name: str, cell: Cell) -> None:
        """Count a block, and list it if there is room."""
        if self._is_wanted(name):
            self._counts[name] += 1
            each, limit = self._query.each, self._query.limit
            if len(self._found) < limit and (each is None or self._counts[name] <= each):
                self._found.append(BlockSighting(name, Position(*cell)))


def find_blocks(world: FakeWorld, body: Body, query: FindBlocks) -> tuple[BlockSighting, ...]:
    """The nearest blocks of these names, measured from the block of the feet."""
    terrain, here, aside = world.terrain(body.dimension), cell_of(body.position), int(query.radius)
    reach = query.radius * math.sqrt(3) if query.in_cube else query.radius
    each = EVERY if query.spared else query.limit
    near = [(name, cell) for cell, name in terrain.changed.items() if name in query.names]
    for dy in range(-aside, aside + 1):
        if ground(here[1] + dy) in query.names:
            near += _middle(here, dy, math.ceil(reach), each, terrain.changed, aside)
    found = [
        BlockSighting(name, Position(*cell))
        for name, cell in near
        if math.dist(cell, here) <= reach + ROUNDING
        and max(abs(a - b) for a, b in zip(cell, here, strict=True)) <= query.radius
        and not is_spared(query.spared, Position(*cell))
    ]
    found.sort(key=lambda one: one.position.distance_to(body.position.block))
    return tuple(found[: query.limit])


def _middle(
    centre: Cell,
    dy: int,
    radius: int,
    each: int,
    changed: Mapping[Cell, str],
    aside: float = math.inf,
) -> Iterator[tuple[str, Cell]]:
    """The nearest few unchanged cells of a layer, so far along each axis at most."""
    square, left = radius * radius - dy * dy, each
    for dx, dz in _spiral(radius):
        where = (centre[0] + dx, centre[1] + dy, centre[2] + dz)
        if not left or dx * dx + dz * dz > square:
            return
        if where not in changed and max(abs(dx), abs(dz)) <= aside:
            left -= 1
            yield ground(where[1]), where


@lru_cache(4)
def _spiral(radius: int) -> tuple[tuple[int, int], ...]:
    """The offsets of all cells of a layer within a radius, nearest first."""
    steps = range(-radius, radius + 1)
    cells = ((dx, dz) for dx in steps for dz in steps)
    return tuple(sorted(cells, key=lambda cell: cell[0] ** 2 + cell[1] ** 2))


@lru_cache(256)
def _disc(square: int) -> int:
    """Cells of a layer whose distance from its middle, squared, is at most this."""
    radius = math.isqrt(square)
    return sum(2 * math.isqrt(square - dx * dx) + 1 for dx in range(-radius, radius + 1))


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
