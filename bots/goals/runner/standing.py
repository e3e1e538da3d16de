"""What stands of the blocks that goals want placed, and which places would do for goals.

Places that cannot be reached or built on are refused, with the nearest that would do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import CommandError
from bots.goals.goal import Goal, PlacedAtGoal, PlacedGoal, PositionGoal
from bots.skills.placing import is_room, is_room_at
from bots.skills.reach import beside
from bots.text.numbers import blocks, in_blocks
from bridge.actions import FindBlocks, Footholds
from bridge.world import Position, WorldSnapshot

NEAR = 8.0
"""Within how many blocks of a place or a player something counts as near it."""
MOST_FOUND = 1_000
"""How many blocks of a kind are checked for being near a place."""
Locate: TypeAlias = Callable[[WorldSnapshot, str], Position]
"""Where a place or a player is. Raises CommandError when nobody can say."""
FARTHEST = 400.0
"""How far away a goal may be, in blocks: a walk takes ten minutes at most."""
COLUMNS_AROUND = 4
"""How many columns to each side are searched for a place that would do."""
LEVEL = 1.0
"""A bot this many blocks higher or lower still stands there."""
GLIMPSES = (128.0, 96.0, 64.0, 48.0, 32.0, 16.0)
"""Distances at which a place is looked for on the way to one too far off, in blocks."""
_HOLDS = ("ladder", "vine", "scaffolding", "water", "bubble_column")
"""Blocks that hold a body without ground below; the names of vines end so."""


@dataclass(slots=True)
class Standing:
    """Counts blocks for the goals of one run."""

    bot: Bot
    job: Job
    locate: Locate
    radius: int
    """Blocks around `centre` that count for goals without a place."""
    centre: Position | None = None
    """Where the run began; None: where the bot is."""
    spots: dict[str, Position] = field(default_factory=dict)
    """Where the places that goals name are, as seen last."""
    talk: int | None = field(init=False)
    """The talk in which the goal was given: what its bots placed counts too."""

    def __post_init__(self) -> None:
        self.talk = self.bot.placements.talk

    async def counted(self, goals: tuple[Goal, ...], around: Mapping[str, int]) -> dict[Goal, int]:
        """How many blocks count for each goal of placed ones; `around` has all within sight.

        Raises CommandError for a place that nobody knows."""
        counts: dict[Goal, int] = {}
        for goal in goals:
            if isinstance(goal, PlacedAtGoal):
                counts[goal] = int(await self.job.block(goal.at) in _forms(goal.block))
            elif isinstance(goal, PlacedGoal):
                count = await self._count(goal, around)
                counts[goal.single] = max(count, counts.get(goal.single, 0))
        return counts

    async def spot(self, name: str) -> Position:
        """Where a place or player is, as it was seen first. Raises CommandError."""
        if name not in self.spots:
            self.spots[name] = self.locate(await self.job.snapshot(), name)
        return self.spots[name]

    async def latest_spot(self, name: str) -> Position:
        """Where the place or player is now. A player out of view counts as still at the
        last spot."""
        former = self.spots.pop(name, None)
        try:
            return await self.spot(name)
        except CommandError:
            if former is None:
                raise
            self.spots[name] = former
            return former

    async def _count(self, goal: PlacedGoal, around: Mapping[str, int]) -> int:
        if not goal.by_anyone:
            # No more are looked for than are enough.
            world = await self.job.snapshot()
            centre = self.centre or world.position
            within = float(self.radius)
            if goal.near is not None:
                centre, within = await self.spot(goal.near), NEAR
            count = 0
            for one in self.bot.placements.ours(self.talk):
                is_meant = goal.block in (one.item, one.block) and one.dimension == world.dimension
                if is_meant and one.position.distance_to(centre) <= within:
                    if await self.job.block(one.position) in (None, one.block):
                        count += 1  # out of sight, it counts as standing
                    else:
                        await self.bot.placements.forget(one)
                if count >= goal.count and not goal.more:
                    break
            return count
        if goal.near is None:
            return sum(around.get(block, 0) for block in _forms(goal.block))
        spot = await self.spot(goal.near)
        found = await self.job.query(FindBlocks(_forms(goal.block), self.radius, MOST_FOUND))
        return sum(block.position.distance_to(spot) <= NEAR for block in found)


def _forms(block: str) -> tuple[str, ...]:
    """The block and its form on a wall: `torch` → `torch`, `wall_torch`."""
    before, bar, last = block.rpartition("_")
    return block, f"{before}{bar}wall_{last}"


async def require_places(goals: tuple[Goal, ...], job: Job, standing: Standing) -> None:
    """Raises CommandError impossible for a goal whose place is too far off or in mid-air."""
    counted = await standing.counted(goals, {})
    for goal in goals:
        match goal:
            case PlacedAtGoal() if not counted[goal]:
                await _require_near(goal, goal.at, job)
                await _require_support(goal, goals, job)
            case PositionGoal():
                await _require_near(goal, goal.at, job)
                await _require_ground(goal, job)
            case PlacedGoal(near=str(name)):
                await _require_near(goal, await standing.spot(name), job)


async def _require_near(goal: Goal, at: Position, job: Job) -> None:
    here = (await job.snapshot()).position
    far = here.distance_to(at)
    if far <= FARTHEST:
        return
    why = f"{_said(at)} is {in_blocks(blocks(far))} away, and I go {FARTHEST:g} at most"
    raise _refused(goal, why, await _toward(here, at, job))


async def _require_support(goal: PlacedAtGoal, goals: tuple[Goal, ...], job: Job) -> None:
    """A block is put where there is room, and against another one."""
    there = await job.block(goal.at)
    if there is None and await _column(goal.at.x, goal.at.z, job) is None:
        return  # not loaded: it is seen on the way
    if there is not None and not await is_room_at(job, goal.at):
        why = f"There is {there} at {_said(goal.at)}"
        raise _refused(goal, why, await _nearest(goal.at, job))
    later = {one.at for one in goals if isinstance(one, PlacedAtGoal)}
    sides = list(beside(goal.at))
    has_no_hold = all([is_room(await job.block(side) or "air") for side in sides])
    if later.isdisjoint(sides) and has_no_hold:
        why = f"There is nothing to put it on at {_said(goal.at)}"
        raise _refused(goal, why, await _nearest(goal.at, job))


async def _require_ground(goal: PositionGoal, job: Job) -> None:
    """A body stands on ground, in water or on a ladder. Into solid ground it can dig its way."""
    feet = goal.at.block
    places = await _column(feet.x, feet.z, job)
    if places is None or any(abs(place.y - goal.at.y) <= LEVEL for place in places):
        return
    there = await job.block(feet)
    if there is not None and (not await is_room_at(job, feet) or there.endswith(_HOLDS)):
        return
    why = f"There is nothing to stand on at {_said(goal.at)}"
    raise _refused(goal, why, await _nearest(feet, job))


def _refused(goal: Goal, why: str, instead: Position | None) -> CommandError:
    if instead is None:
        return CommandError("impossible", f"{why}; I see no place near it that would do.")
    if isinstance(goal, PlacedGoal):
        goal = replace(goal, near=f"{instead.x:g},{instead.y:g},{instead.z:g}")
    elif isinstance(goal, PlacedAtGoal | PositionGoal):
        goal = replace(goal, at=instead)
    nearest = str(goal)
    return CommandError("impossible", f"{why}; {_said(instead)} would do.", nearest=nearest)


async def _nearest(at: Position, job: Job) -> Position | None:
    """The nearest block to stand in or to put something into: above or below, or else in the
    columns around."""
    for ring in range(COLUMNS_AROUND + 1):
        found = [place for x, z in _ring(at, ring) for place in await _column(x, z, job) or ()]
        for place in sorted(found, key=at.distance_to):
            if await is_room_at(job, place):
                return place
    return None


async def _toward(here: Position, at: Position, job: Job) -> Position | None:
    """The farthest place in sight on the way there."""
    far = math.hypot(at.x - here.x, at.z - here.z) or 1.0
    for glimpse in GLIMPSES:
        part = glimpse / far
        x, z = here.x + (at.x - here.x) * part, here.z + (at.z - here.z) * part
        if place := await _nearest(Position(x, here.y, z).block, job):
            return place
    return None


def _ring(at: Position, ring: int) -> Iterator[tuple[float, float]]:
    """The columns at this distance, measured along x or z."""
    for dx in range(-ring, ring + 1):
        for dz in range(-ring, ring + 1):
            if max(abs(dx), abs(dz)) == ring:
                yield at.x + dx, at.z + dz


async def _column(x: float, z: float, job: Job) -> tuple[Position, ...] | None:
    return await job.query(Footholds(int(x), int(z)))


def _said(at: Position) -> str:
    return f"{at.x:.10g} {at.y:.10g} {at.z:.10g}"
