"""What a bot has and what is around it, as planning wants to know it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bots.bot.jobs import Job
from bots.goals.activity import PlanningWorld
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal, PlacedGoal, PositionGoal
from bots.skills.reach import foot
from bridge.scanning import ScanBlocks
from bridge.world import Position, WorldSnapshot

SIGHT_BLOCKS = 64
"""How far blocks are taken for near: as far as servers usually show."""
NO_LIMIT = 1_000_000_000
_WEARABLE = re.compile(
    r"\w+_(helmet|chestplate|leggings|boots|skull|head)|carved_pumpkin|elytra|shield"
)
"""What `Equip` puts on instead of taking it in hand; see host/actions/equip.cjs."""
THERE = 1.0
"""Blocks from a position that are standing there."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One look around, as far as planning needs it."""

    snapshot: WorldSnapshot
    standing: Mapping[str, int]
    """Blocks within sight, by name."""
    world: PlanningWorld
    """The same without what turned out to be out of reach."""


@dataclass(slots=True)
class Sight:
    """What one run of goals sees, and the blocks it could not reach."""

    job: Job
    radius: int = SIGHT_BLOCKS
    out_of_reach: dict[Position, str] = field(default_factory=dict)

    async def look(self) -> Seen:
        """Take it all in: one snapshot, one search."""
        snapshot = await self.job.snapshot()
        standing = await self._standing()
        reachable = Counter(standing)
        reachable.subtract(self._avoided_around(snapshot.position))
        return Seen(snapshot, standing, PlanningWorld(carried(snapshot), dict(+reachable)))

    async def is_met(self, goals: tuple[Goal, ...]) -> bool:
        """Whether all goals, their counts totals, are reached; searches only for placed blocks."""
        snapshot = await self.job.snapshot()
        has_placed = any(isinstance(goal, PlacedGoal) for goal in goals)
        standing = await self._standing() if has_placed else {}
        return all(_is_met(goal, snapshot, standing) for goal in goals)

    async def _standing(self) -> dict[str, int]:
        reach = self.radius
        around = ScanBlocks((), reach, -reach, reach, max_checks=NO_LIMIT, limit=0)
        scan = await self.job.query(around)
        return {count.name: count.count for count in scan.counts}

    def _avoided_around(self, here: Position) -> Counter[str]:
        near = self.out_of_reach.items()
        return Counter(name for at, name in near if at.distance_to(here) <= self.radius)


def where_to_stand(at: Position) -> Position:
    """The very point, or the middle of the block when its corner is given."""
    return foot(at) if at == at.block else at


def carried(snapshot: WorldSnapshot) -> dict[str, int]:
    """What is in the bag and on the body."""
    counts = Counter(snapshot.worn)
    for stack in snapshot.items:
        counts[stack.name] += stack.count
    return dict(counts)


def totals(goals: tuple[Goal, ...], seen: Seen) -> tuple[Goal, ...]:
    """The same goals with every `+n` counted from now: what comes later changes them no more."""
    return tuple(_total(goal, seen) for goal in goals)


def _total(goal: Goal, seen: Seen) -> Goal:
    match goal:
        case ItemGoal(more=True):
            return ItemGoal(goal.item, seen.world.inventory.get(goal.item, 0) + goal.count)
        case PlacedGoal(more=True):
            return PlacedGoal(goal.block, seen.standing.get(goal.block, 0) + goal.count)
        case _:
            return goal


def _is_met(goal: Goal, snapshot: WorldSnapshot, standing: Mapping[str, int]) -> bool:
    match goal:
        case ItemGoal():
            return carried(snapshot).get(goal.item, 0) >= goal.count
        case PlacedGoal():
            return standing.get(goal.block, 0) >= goal.count
        case EquipmentGoal():
            if _WEARABLE.fullmatch(goal.item):
                return goal.item in snapshot.worn
            held = snapshot.held
            return held is not None and held.name == goal.item
        case PositionGoal():
            return snapshot.position.distance_to(where_to_stand(goal.at)) <= THERE
