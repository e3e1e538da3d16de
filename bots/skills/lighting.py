"""Torches where it is dark: as few as leave no ground near dark enough for monsters.

walk to the middle ─▶ look at all blocks around ─▶ plan ─▶ make torches ─▶ put them ─▶ look again
"""

from __future__ import annotations

import asyncio
import math
import struct
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.built import Cell, cell_of
from bots.bot.jobs import Job
from bots.errors import CommandError
from bots.skills.placing import OPEN_SIDES, is_room
from bots.skills.reach import SIDES, foot, unless, walk_into_reach
from bots.skills.tunnelling import TORCH
from bots.skills.walking import walk
from bots.text.plurals import counted
from bots.words import Saying, saying
from bridge.actions import Place
from bridge.looking import NOT_LOADED, ReadRegion, Region
from bridge.vanilla import needs_of
from bridge.world import Position, is_spared

TORCHLIGHT = 14
LIT = 8  # light of blocks, from which no monster appears; 1.18 and later are content with 1
FARTHEST_LAMP = 15 - LIT  # blocks from which the brightest lamp lights enough
UP, DOWN = 10, 8  # blocks above and below the middle that are looked at
CLIMBS, DROPS = 1, 3  # blocks that people step up, and jump down
WALKED_ON = 0.8  # of a block: farmland and paths are a little lower than others
THIN = 0.25  # of a block: what is no higher keeps no light out
MIDDLE = 1.5  # blocks
IN_THE_WAY = 100  # torches that cost as much as one where people walk
SOLVED_WITHIN_S = 5.0  # 16 blocks around take 3 s
ROUNDS = 3  # looks, each of which may find what the one before could not see
_LIQUIDS = ("water", "lava")
_DOORS = ("_door", "_gate")
_AROUND = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


@dataclass(frozen=True, slots=True)
class Ground:
    """What torches are planned on."""

    open: AbstractSet[Cell]
    """Where light goes through."""
    dark: frozenset[Cell]
    """Where monsters may appear: the ground that no lamp lights."""
    spots: AbstractSet[Cell]
    """Where a torch would stay, and may be put."""
    ways: AbstractSet[Cell] = frozenset()
    """Those of them that people walk through."""


@dataclass(frozen=True, slots=True)
class LightPlan:
    torches: tuple[Cell, ...]
    dark: frozenset[Cell]
    """The ground that they leave dark."""


def plan_torches(ground: Ground) -> LightPlan:
    """Where to put torches, as few as can be, the most useful first; in ways only where nothing
    else lights what is there."""
    far, open_ = TORCHLIGHT - LIT, ground.open
    lights = {spot: within(open_, spot, far) & ground.dark for spot in sorted(ground.spots)}
    off_ways = [spot for spot in lights if spot not in ground.ways]
    chosen, dark = _greedy(lights, off_ways, ground.dark)
    more, dark = _greedy(lights, lights, dark)
    costs = [IN_THE_WAY if spot in ground.ways else 1 for spot in lights]
    fewest = _fewest(lights, costs, ground.dark - dark, {*chosen, *more})
    return LightPlan(tuple(_greedy(lights, fewest, ground.dark)[0]), frozenset(dark))


def _greedy(
    lights: Mapping[Cell, set[Cell]], spots: Iterable[Cell], dark: Collection[Cell]
) -> tuple[list[Cell], set[Cell]]:
    """Spots, each of which lights the most of what is dark then, and what stays dark."""
    left, dark, chosen = list(spots), set(dark), list[Cell]()
    while left:
        best = max(left, key=lambda spot: len(lights[spot] & dark))
        if dark.isdisjoint(lights[best]):
            break
        chosen.append(best)
        dark -= lights[best]
    return chosen, dark


def _fewest(
    lights: Mapping[Cell, set[Cell]],
    costs: Sequence[int],
    dark: Collection[Cell],
    known: Collection[Cell],
) -> list[Cell]:
    """The cheapest spots that light all of this; if the search takes too long, the best it found,
    which costs no more than those that are known."""
    import highspy
    import numpy as np

    spots = list(lights)
    lit_from: dict[Cell, list[int]] = {cell: [] for cell in dark}
    for number, spot in enumerate(spots):
        for cell in lights[spot]:
            if cell in lit_from:
                lit_from[cell].append(number)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("time_limit", SOLVED_WITHIN_S)
    for cost in costs:
        solver.addVar(0, 1)
        solver.changeColCost(solver.getNumCol() - 1, cost)
        solver.changeColIntegrality(solver.getNumCol() - 1, highspy.HighsVarType.kInteger)
    for numbers in lit_from.values():
        solver.addRow(1, highspy.kHighsInf, len(numbers), np.array(numbers), np.ones(len(numbers)))
    begin = highspy.HighsSolution()
    begin.col_value = [float(spot in known) for spot in spots]
    solver.setSolution(begin)
    solver.run()
    values = solver.getSolution().col_value
    return [spot for spot, value in zip(spots, values, strict=True) if value > 0.5]


def within(open_: Collection[Cell], start: Cell, steps: int) -> set[Cell]:
    """The cells that light, or a walk through the open, comes to in so many steps."""
    found = edge = {start}
    for _ in range(steps):
        beside = {(x + dx, y + dy, z + dz) for x, y, z in edge for dx, dy, dz in _AROUND}
        edge = {cell for cell in beside - found if cell in open_}
        found = found | edge
    return found


@dataclass(frozen=True, slots=True)
class Sight:
    """A region, cell by cell."""

    region: Region
    glow: Callable[[str], int]
    """How bright a block of this name is, 0 to 15."""
    _cells: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        numbers = struct.unpack(f"<{len(self.region.cells) // 2}H", self.region.cells)
        object.__setattr__(self, "_cells", numbers)

    def ground(self, centre: Cell, radius: float, may_touch: Callable[[Cell], bool]) -> Ground:
        """The ground that one can walk to from the middle, within the radius."""
        walked = self._walked(centre, radius)
        spawning = {cell for cell in walked if self._top(_moved(cell, -1)) == 1}
        open_ = {cell for cell in self._all() if self.is_open(cell)}
        glows = ((cell, self.glow(self.name(cell))) for cell in self._all())
        lamps = ((cell, level - LIT) for cell, level in glows if level >= LIT)
        lit = set[Cell]().union(*(within(open_, cell, far) for cell, far in lamps))
        spots = {cell for cell in walked if self._holds(cell) and may_touch(cell)}
        ways = {cell for cell in spots if self._is_way(cell, walked)}
        return Ground(open_, frozenset(spawning - lit), spots, ways)

    def name(self, cell: Cell) -> str:
        number = self._number(cell)
        return "" if number == NOT_LOADED else self.region.kinds[number].name

    def is_open(self, cell: Cell) -> bool:
        name = self.name(cell)
        return bool(name) and name not in _LIQUIDS and self._top(cell) <= THIN

    def _top(self, cell: Cell) -> float:
        """How high the block there is, in parts of a block."""
        number = self._number(cell)
        boxes = () if number == NOT_LOADED else self.region.kinds[number].boxes
        return max((box[4] for box in boxes), default=0.0)

    def _number(self, cell: Cell) -> int:
        x, y, z = (at - least for at, least in zip(cell, self.region.corner, strict=True))
        width, height, depth = self.region.size
        if not (0 <= x < width and 0 <= y < height and 0 <= z < depth):
            return NOT_LOADED
        return self._cells[(x * depth + z) * height + y]

    def _all(self) -> Iterator[Cell]:
        (left, low, front), (width, height, depth) = self.region.corner, self.region.size
        for x in range(left, left + width):
            for z in range(front, front + depth):
                for y in range(low, low + height):
                    yield x, y, z

    def _walked(self, centre: Cell, radius: float) -> set[Cell]:
        """Where people come on foot, doors closed, from the ground nearest to the middle."""
        x, y, z = centre
        start = min(
            (cell for up in range(-DROPS, DROPS + 1) if self._stands(cell := (x, y + up, z))),
            key=lambda cell: abs(cell[1] - y),
            default=None,
        )
        found = set[Cell]() if start is None else {start}
        edge = list(found)
        for cell in edge:
            for dx, dz in SIDES:
                for up in range(-DROPS, CLIMBS + 1):
                    there = (cell[0] + dx, cell[1] + up, cell[2] + dz)
                    far = math.hypot(there[0] - x, there[2] - z)
                    if far <= radius and there not in found and self._stands(there):
                        found.add(there)
                        edge.append(there)
        return found

    def _stands(self, cell: Cell) -> bool:
        is_free = self.is_open(cell) and self.is_open(_moved(cell, 1))
        return is_free and self._top(_moved(cell, -1)) >= WALKED_ON

    def _holds(self, cell: Cell) -> bool:
        """Whether a torch stays there."""
        needs = needs_of(TORCH)
        if needs is None or not is_room(self.name(cell)):
            return False
        solid = {self.name(_moved(cell, -1))} if self._top(_moved(cell, -1)) == 1 else set()

        def look(dx: int, dy: int, dz: int) -> str:
            return self.name((cell[0] + dx, cell[1] + dy, cell[2] + dz)) if dx == dz == 0 else ""

        return needs.stays(look, solid.__contains__)

    def _is_way(self, cell: Cell, walked: Collection[Cell]) -> bool:
        """Whether it is a passage, or leads through a door."""
        x, y, z = cell
        beside = [(x + dx, y, z + dz) for dx, dz in SIDES]
        is_by_door = any(self.name(side).endswith(_DOORS) for side in beside)
        return is_by_door or sum(self.is_open(side) for side in beside) < OPEN_SIDES


def _moved(cell: Cell, up: int) -> Cell:
    return cell[0], cell[1] + up, cell[2]


@dataclass(slots=True)
class Lighting:
    """Lights a place, for one job."""

    bot: Bot
    job: Job
    radius: int
    glow: Callable[[str], int]
    make: Callable[[int], Awaitable[None]]
    """Makes so many torches be carried. Raises CommandError."""
    placed: list[Position] = field(default_factory=list)
    dark: int = 0
    """Blocks of ground that stay dark."""
    lacks: str = ""
    """What is missing for more torches, as a sentence; '' for nothing."""
    _avoided: set[Cell] = field(default_factory=set)

    async def run(self, centre: Position) -> None:
        """Raises CommandError missing_item where there is not a single torch; ActionFailed."""
        for _ in range(ROUNDS):
            ground = await self._look(centre.block)
            self.dark = len(ground.dark)
            if self.lacks:
                break
            plan = await asyncio.to_thread(plan_torches, ground)
            self.dark = len(plan.dark)
            if not plan.torches or not await self._put(plan.torches):
                break

    @property
    def outcome(self) -> Saying:
        count = len(self.placed)
        put = saying("did.torches", n=count) if count else saying("did.no_torch")
        if self.lacks:
            return saying("did.light_lacks", put=put, radius=self.radius)
        if self.dark:
            return saying("did.light_partly", put=put, radius=self.radius, n=self.dark)
        return saying("did.light", put=put, radius=self.radius)

    async def _look(self, middle: Position) -> Ground:
        """Look from the middle, and so far that lamps beyond the radius are seen."""
        if (await self.job.snapshot()).position.distance_to(foot(middle)) > MIDDLE:
            await walk(self.bot, self.job, foot(middle), MIDDLE, may_dig=False)
        world = await self.job.snapshot()
        far = self.radius + FARTHEST_LAMP + math.ceil(MIDDLE)
        sight = Sight(await self.job.query(ReadRegion(far, UP, DOWN)), self.glow)
        zones = self.bot.areas.zones(world.dimension)
        taken = self._avoided | {cell_of(one.position) for one in world.players if one.position}

        def may_touch(cell: Cell) -> bool:
            return cell not in taken and not is_spared(zones, Position(*cell))

        return await asyncio.to_thread(sight.ground, cell_of(middle), self.radius, may_touch)

    async def _put(self, torches: Collection[Cell]) -> bool:
        """Put torches there, the most useful if there are too few; whether any stands."""
        before = len(self.placed)
        await self._have(len(torches))
        left = [Position(*cell) for cell in torches]
        del left[(await self.job.snapshot()).count(TORCH) :]
        while left:
            world = await self.job.snapshot()
            at = min(left, key=world.position.distance_to)
            left.remove(at)
            with unless("died", "missing_item"):
                await walk_into_reach(self.job, world, at)
                await self.job.act(Place(TORCH, at))
                self.placed.append(at)
                self.job.progress(len(self.placed), before + len(torches), TORCH)
                continue
            self._avoided.add(cell_of(at))
        return len(self.placed) > before

    async def _have(self, count: int) -> None:
        """Make the torches that lack. Raises CommandError missing_item where there is none."""
        if (await self.job.snapshot()).count(TORCH) >= count:
            return
        try:
            await self.make(count)
        except CommandError as error:
            have = (await self.job.snapshot()).count(TORCH)
            self.lacks = f"{counted(count - have, TORCH)} more would do. {error.message}"
            if not have and not self.placed:
                raise CommandError("missing_item", self.lacks, lacking=count) from error
