"""Fishing: beside open water, one catch after the other, until enough is in the bag.

Chance decides what bites, so what counts is what is carried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.breaking import has_all, pick_up
from bots.skills.reach import OPEN_AIR, above, foot, sides
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bridge.actions import FindBlocks, Fish
from bridge.world import Position

ROD = "fishing_rod"
WATER = ("water",)
LOOKED_AT = 400  # of the nearest blocks of water
LOOKED_OVER = 16  # of them, whether they lie open
CAST = 4.0  # blocks from the feet to the water
CATCH_S = 90.0  # for one catch; in vanilla it takes 35 s at most, and twice that without sky
MOST_FAILED = 4
"""Times in a row that nothing bit or no way led to the water, after which it gives up."""
SWEEP = 8.0
COLLECT_S = 20.0


@dataclass(slots=True)
class Fishing:
    """Fishes for things, for one job."""

    bot: Bot
    job: Job
    wanted: Mapping[str, int]
    """What to carry at the end."""
    radius: int
    failed: list[Position] = field(default_factory=list)
    """Water where nothing was caught, since the latest catch."""

    async def run(self) -> None:
        """Fish until all is carried.

        Raises CommandError not_found, no_path, missing_item (the rod is worn out); ActionFailed."""
        while not has_all(world := await self.job.snapshot(), self.wanted):
            if not world.count(ROD):
                raise CommandError("missing_item", f"I have no {ROD} any more.")
            for item, count in self.wanted.items():
                self.job.progress(world.count(item), count, item)
            water = await self._choose()
            if await self._catch(water):
                self.failed.clear()
            else:
                self.failed.append(water)

    async def _choose(self) -> Position:
        """The nearest fitting water that has not failed. Raises CommandError."""
        fitting = await self._fitting()
        left = [water for water in fitting if water not in self.failed]
        where = f"within {in_blocks(self.radius)}"
        if not fitting:
            raise CommandError("not_found", f"There is no open water to fish in {where}.")
        if not left or len(self.failed) >= MOST_FAILED:
            raise CommandError("no_path", f"I caught nothing in the water {where}.")
        return left[0]

    async def _fitting(self) -> Sequence[Position]:
        """Water under open air, what has water around it before what has not."""
        blocks = await self.job.targets(FindBlocks(WATER, self.radius, LOOKED_AT))
        found = [one.position for one in blocks]
        known = frozenset(found)
        surface = [at for at in found if above(at) not in known]
        surface.sort(key=lambda at: not all(side in known for side in sides(at)))
        near = surface[:LOOKED_OVER]
        return [at for at in near if await self.job.block(above(at)) in OPEN_AIR]

    async def _catch(self, water: Position) -> bool:
        """Whether something bit; False where no way leads there, too."""
        try:
            shore = foot(above(water))
            if (await self.job.snapshot()).position.distance_to(shore) > CAST:
                await walk(self.bot, self.job, shore, CAST, may_dig=False)
            ended = await self.job.act(Fish(ROD, water), deadline_s=CATCH_S)
        except ActionFailed as failed:
            if failed.reason in ("died", "missing_item", "inventory_full"):
                raise
            return False
        if not ended.result["caught"]:
            await pick_up(self.bot, self.job, self.wanted, SWEEP, COLLECT_S)
        return True
