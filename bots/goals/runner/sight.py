"""What a bot carries and what is around it, as planning needs it."""

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
"""Radius within which blocks count as near: what servers usually send."""
NO_LIMIT = 1_000_000_000
_WEARABLE = re.compile(
    r"\w+_(helmet|chestplate|leggings|boots|skull|head)|carved_pumpkin|elytra|shield"
)
"""What `Equip` wears instead of holding; see host/actions/equip.cjs."""
THERE = 1.0
"""A position counts as reached within so many blocks."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One look around."""

    snapshot: WorldSnapshot
    standing: Mapping[str, int]
    """Blocks within sight, by name."""
    world: PlanningWorld
    """What planning may count on: blocks found to be out of reach are left out."""


@dataclass(slots=True)
class Sight:
    """Looks around for one run, and remembers the blocks it could not reach."""

    job: Job
    radius: int = SIGHT_BLOCKS
    out_of_reach: dict[Position, str] = field(default_factory=dict)

    async def look(self) -> Seen:
        """Look around: one snapshot, one block scan."""
        snapshot = await self.job.snapshot()
        standing = await self._standing()
        reachable = Counter(standing)
        reachable.subtract(self._avoided_around(snapshot.position))
        return Seen(snapshot, standing, PlanningWorld(carried(snapshot), dict(+reachable)))

    async def is_met(self, goals: tuple[Goal, ...]) -> bool:
        """Whether all goals (with totals) are met; scans blocks only for placed goals."""
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
    """The exact point, or the middle of the block if the point is a block's corner."""
    return foot(at) if at == at.block else at


def carried(snapshot: WorldSnapshot) -> dict[str, int]:
    """Counts of what is in the inventory and worn."""
    counts = Counter(snapshot.worn)
    for stack in snapshot.items:
        counts[stack.name] += stack.count
    return dict(counts)


def totals(goals: tuple[Goal, ...], seen: Seen) -> tuple[Goal, ...]:
    """The same goals with each `+n` turned into a total, counted from now."""
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
