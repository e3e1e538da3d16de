"""The search through the blocks around in the simulated world, at the cost of the real one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from bridge.fake.body import Body
from bridge.fake.cells import SIDE, Cells, section_of
from bridge.fake.tallying import is_tally, shores, tally, under_water
from bridge.fake.terrain import AIR, Cell, cell_of
from bridge.fake.world import VIEW_DISTANCE, FakeWorld
from bridge.scanning import Scan, ScanBlocks
from bridge.world import BlockCount, BlockSighting, Position

LOWEST_Y, HIGHEST_Y = 0, 255
BALLS_KEPT = 4


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
            if self._may_hold_wanted(section_of(cell)):
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
        """Those that the ball touches."""
        at, radius = (self._centre.x, self._centre.y, self._centre.z), self._query.radius
        spans = [range(int(c - radius) // SIDE, int(c + radius) // SIDE + 1) for c in at]
        for section in product(*spans):
            starts = [number * SIDE for number in section]
            gaps = [max(low - c, 0, c - low - SIDE + 1) for low, c in zip(starts, at, strict=True)]
            if math.hypot(*gaps) <= radius:
                yield section[0], section[1], section[2]

    def answer(self) -> Scan:
        ranked = sorted(self._counts.items(), key=lambda entry: (-entry[1], entry[0]))
        covered = self._under_water()
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

    def _under_water(self) -> frozenset[Position]:
        if self._query.each is None:
            return frozenset()
        return under_water(self._found, self._block)

    def _block(self, where: Position) -> str:
        return self._cells.block(cell_of(where))

    def _may_hold_wanted(self, section: Cell) -> bool:
        if section not in self._may_hold:
            self._may_hold[section] = self._holds_wanted(section)
        return self._may_hold[section]

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
