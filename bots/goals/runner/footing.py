"""Refuses places that cannot be reached or built on, and names the nearest that would do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from bots.bot.jobs import Job
from bots.errors import CommandError
from bots.goals.goal import Goal, PlacedAtGoal, PlacedGoal, PositionGoal
from bots.goals.runner.standing import Standing
from bots.skills.placing import is_room_at
from bots.skills.reach import beside
from bots.text.numbers import blocks, in_blocks
from bridge.actions import Footholds
from bridge.world import Position

FARTHEST = 400.0
"""Blocks that a goal leads away, at most: a walk takes no longer than ten minutes."""
COLUMNS_AROUND = 4
"""Columns to every side that are searched for a place that would do."""
LEVEL = 1.0
"""Who stands so many blocks higher or lower stands there."""
GLIMPSES = (128.0, 96.0, 64.0, 48.0, 32.0, 16.0)
"""Blocks away in which a place is looked for on the way to one too far off."""
_HOLDS = ("ladder", "vine", "scaffolding", "water", "bubble_column")
"""Blocks in which one stays without ground below; the names of vines end so."""


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
    if later.isdisjoint(sides) and not any([await _bears(side, job) for side in sides]):
        why = f"There is nothing to put it on at {_said(goal.at)}"
        raise _refused(goal, why, await _nearest(goal.at, job))


async def _require_ground(goal: PositionGoal, job: Job) -> None:
    """One stands on ground, in water or on a ladder. Into solid ground a way can be dug."""
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
    nearest = str(_moved(goal, instead))
    return CommandError("impossible", f"{why}; {_said(instead)} would do.", nearest=nearest)


def _moved(goal: Goal, at: Position) -> Goal:
    if isinstance(goal, PlacedGoal):
        return replace(goal, near=f"{at.x:g},{at.y:g},{at.z:g}")
    return replace(goal, at=at) if isinstance(goal, PlacedAtGoal | PositionGoal) else goal


async def _nearest(at: Position, job: Job) -> Position | None:
    """The nearest block in which one can stand, or put something on the ground: above or below,
    or else in the columns around."""
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
    """The columns so many blocks from one, in x or z."""
    for dx in range(-ring, ring + 1):
        for dz in range(-ring, ring + 1):
            if max(abs(dx), abs(dz)) == ring:
                yield at.x + dx, at.z + dz


async def _column(x: float, z: float, job: Job) -> tuple[Position, ...] | None:
    return await job.query(Footholds(int(x), int(z)))


async def _bears(at: Position, job: Job) -> bool:
    return await job.block(at) is not None and not await is_room_at(job, at)


def _said(at: Position) -> str:
    return f"{at.x:.10g} {at.y:.10g} {at.z:.10g}"
