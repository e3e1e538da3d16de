"""What stands of the blocks that goals want placed: by whom, where, how many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.bot.placements import Placement
from bots.errors import CommandError
from bots.goals.goal import Goal, PlacedAtGoal, PlacedGoal
from bridge.actions import FindBlocks
from bridge.world import Position, WorldSnapshot

NEAR = 8.0
"""Blocks around a place or a player that are near it."""
MOST_FOUND = 1_000
"""Blocks of a kind that are looked at to see which are near a place."""

Locate: TypeAlias = Callable[[WorldSnapshot, str], Position]
"""Where a place or a player is. Raises CommandError when nobody can say."""


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
    """Where the places are that goals name, as they were seen last."""
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
                counts[goal] = int(await self._stands(goal.at, _forms(goal.block)))
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
        """Where it is now: a player may have gone on. Out of view they are where they were."""
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
            return await self._ours(goal)
        if goal.near is None:
            return sum(around.get(block, 0) for block in _forms(goal.block))
        spot = await self.spot(goal.near)
        found = await self.job.query(FindBlocks(_forms(goal.block), self.radius, MOST_FOUND))
        return sum(block.position.distance_to(spot) <= NEAR for block in found)

    async def _ours(self, goal: PlacedGoal) -> int:
        """No more are looked for than are enough."""
        world = await self.job.snapshot()
        centre = self.centre or world.position
        within = float(self.radius)
        if goal.near is not None:
            centre, within = await self.spot(goal.near), NEAR
        count = 0
        for one in self.bot.placements.ours(self.talk):
            is_meant = goal.block in (one.item, one.block) and one.dimension == world.dimension
            if is_meant and one.position.distance_to(centre) <= within:
                count += await self._still_stands(one)
            if count >= goal.count and not goal.more:
                break
        return count

    async def _still_stands(self, placed: Placement) -> bool:
        """Whether nobody saw that it is gone; what is out of sight may stand."""
        if await self._stands(placed.position, (placed.block,), unseen=True):
            return True
        await self.bot.placements.forget(placed)
        return False

    async def _stands(self, at: Position, blocks: tuple[str, ...], *, unseen: bool = False) -> bool:
        there = await self.job.block(at)
        return unseen if there is None else there in blocks


def _forms(block: str) -> tuple[str, ...]:
    """The block and the one that it is on a wall: `torch` → `torch`, `wall_torch`."""
    before, bar, last = block.rpartition("_")
    return block, f"{before}{bar}wall_{last}"
