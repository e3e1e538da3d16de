"""The chests near a run of goals: looks into new ones and takes out of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.chests import Chest
from bots.bot.jobs import Job
from bots.goals.activity import Stored
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal
from bots.goals.plan import Missing
from bots.skills.chests import Moved, look_into, nearest, note_moved, take_out
from bridge.actions import CloseContainer
from bridge.world import Position, WorldSnapshot

LOOK_WITHIN = 32.0
"""How far a run walks to look into a new chest, in blocks."""
MOST_LOOKS = 3
"""How many new chests one run looks into."""
TOLD = 3
"""How many takings are listed one by one."""


@dataclass(slots=True)
class NearChests:
    """The chests of one run, and what it moved."""

    bot: Bot
    job: Job
    radius: int
    """How far the run sees, in blocks."""
    moved: list[Moved] = field(default_factory=list)
    _shut: set[Position] = field(default_factory=set)
    """Chests that could not be opened."""
    _looks: int = 0

    def stored(self, here: WorldSnapshot) -> dict[str, Stored]:
        """What is known to be in the chests that may be used, and how far the nearest is."""
        found: dict[str, Stored] = {}
        for chest in self._usable(here, self.radius):
            distance = chest.position.distance_to(here.position)
            for item, count in (chest.items or {}).items():
                known = found.get(item, Stored(0, distance))
                found[item] = Stored(known.count + count, known.distance)
        return found

    def has_new(self, here: WorldSnapshot) -> bool:
        """Whether a chest is near that no bot has looked into."""
        return self._looks < MOST_LOOKS and any(self._new(here))

    async def look_into_new(self) -> None:
        """Look into a few of the chests that no bot has looked into."""
        for chest in self._new(await self.job.snapshot()):
            if self._looks < MOST_LOOKS:
                self._looks += 1
                if await look_into(self.bot, self.job, chest) is None:
                    self._shut.add(chest.position)
                else:
                    await self.job.act(CloseContainer())

    async def take(self, item: str, count: int) -> None:
        """Take items out of chests, the nearest first; they may hold fewer than expected.

        Raises ActionFailed inventory_full."""
        left = count
        for chest in self._usable(await self.job.snapshot(), self.radius):
            if left > 0 and (chest.items or {}).get(item):
                moved = await take_out(self.bot, self.job, chest, item, left)
                if moved is not None:
                    note_moved(self.job, moved)
                    self.moved.append(moved)
                    left -= moved.items[item]
                elif self.bot.chests.at(chest.dimension, chest.position).items == chest.items:
                    self._shut.add(chest.position)

    def told(self) -> str:
        """What was taken, in sentences with a space before each."""
        more = f" I opened {len(self.moved) - TOLD} more." if len(self.moved) > TOLD else ""
        return "".join(f" {one}" for one in self.moved[:TOLD]) + more

    def hint(self, here: WorldSnapshot, goals: Iterable[Goal], missing: Iterable[Missing]) -> str:
        """Names a chest of somebody else that holds what is missing, and how to let bots use it."""
        asked = (goal.item for goal in goals if isinstance(goal, ItemGoal | EquipmentGoal))
        lacks = {*asked, *(one.item for one in missing)}
        for chest in nearest(self.bot.chests.of_others(here.dimension), here, self.radius):
            held = [f"{n} {item}" for item, n in (chest.items or {}).items() if item in lacks]
            if held:
                at = f"{chest.position.x:g} {chest.position.y:g} {chest.position.z:g}"
                listed = " and ".join(held)
                return f" The chest at {at} holds {listed}; !chest allow {at} lets me take it."
        return ""

    # --- which chests -----------------------------------------------------------------------

    def _usable(self, here: WorldSnapshot, within: float) -> list[Chest]:
        usable = self.bot.chests.usable(here.dimension)
        open_ones = (chest for chest in usable if chest.position not in self._shut)
        spares = self.bot.areas.sparing
        free = (one for one in open_ones if not spares(here.dimension, one.position))
        return nearest(free, here, within)

    def _new(self, here: WorldSnapshot) -> list[Chest]:
        return [chest for chest in self._usable(here, LOOK_WITHIN) if chest.items is None]
