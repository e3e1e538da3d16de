"""What a bot has and what is around it, as planning wants to know it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bots.bot.bot import Bot
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
    """One look around."""

    snapshot: WorldSnapshot
    standing: Mapping[str, int]
    """Blocks within sight, by name."""
    world: PlanningWorld
    """The same without what turned out to be out of reach."""

    def has(self, item: str) -> int:
        """How many are carried or worn."""
        return self.world.inventory.get(item, 0)

    def meets(self, goal: Goal) -> bool:
        """Whether this goal, its count a total, is reached."""
        match goal:
            case ItemGoal():
                return self.has(goal.item) >= goal.count
            case PlacedGoal():
                return self.standing.get(goal.block, 0) >= goal.count
            case EquipmentGoal():
                if _WEARABLE.fullmatch(goal.item):
                    return goal.item in self.snapshot.worn
                held = self.snapshot.held
                return held is not None and held.name == goal.item
            case PositionGoal():
                return self.snapshot.position.distance_to(where_to_stand(goal.at)) <= THERE


def where_to_stand(at: Position) -> Position:
    """The very point, or the middle of the block when its corner is given."""
    return foot(at) if at == at.block else at


@dataclass(slots=True)
class Sight:
    """The eyes of one run of goals, which remember what could not be reached."""

    bot: Bot
    radius: int = SIGHT_BLOCKS
    out_of_reach: dict[Position, str] = field(default_factory=dict)

    async def look(self) -> Seen:
        """Take it all in: one snapshot, one search."""
        snapshot = await self.bot.snapshot()
        reach = self.radius
        around = ScanBlocks((), reach, -reach, reach, max_checks=NO_LIMIT, limit=0)
        scan = await self.bot.query(around)
        near = {count.name: count.count for count in scan.counts}
        reachable = Counter(near)
        reachable.subtract(self._avoided_around(snapshot.position))
        return Seen(snapshot, near, PlanningWorld(carried(snapshot), dict(+reachable)))

    def _avoided_around(self, here: Position) -> Counter[str]:
        near = self.out_of_reach.items()
        return Counter(name for at, name in near if at.distance_to(here) <= self.radius)


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
            return ItemGoal(goal.item, seen.has(goal.item) + goal.count)
        case PlacedGoal(more=True):
            return PlacedGoal(goal.block, seen.standing.get(goal.block, 0) + goal.count)
        case _:
            return goal
