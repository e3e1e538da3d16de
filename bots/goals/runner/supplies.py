"""What a run takes out of the chests near it; and what it brings along where monsters may come, if
that costs little: a sword, light and food."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bots.bot.bot import Bot
from bots.bot.chests import Chest
from bots.bot.jobs import Job
from bots.goals.activity import PlanningWorld, Stored
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal, PositionGoal
from bots.goals.plan import Missing, Plan, Step
from bots.goals.runner.goal_planner import GoalPlanner
from bots.goals.runner.recovery import needed
from bots.reflexes.reflexes import QUICK_S, Reflexes
from bots.skills.chests import Moved, look_into, nearest, note_moved, take_out
from bots.skills.sheltering import ROCK
from bots.skills.tunnelling import TORCH
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


LONG_S, VERY_LONG_S = 60.0, 300.0
"""What a plan takes for which a sword is made, and in which hunger comes."""
MOST_MORE_S, MOST_MORE = 10.0, 0.1
"""Each of them may make a plan longer by so many seconds, or by this share of it; by night none may
make a bot wait for day."""
INDOORS = frozenset({"craft", "smelt", "place", "equip", "take_off"})
TORCHES, MEALS = 4, 2
FOODS = ("bread", "beef", "porkchop", "mutton", "chicken", "apple")


@dataclass(slots=True)
class Provisions:
    """Those of one run. A plan after a failure leaves them out."""

    bot: Bot
    job: Job
    planner: GoalPlanner
    are_settled: bool = field(default=False, init=False)

    async def added_to(
        self, plan: Plan, goals: tuple[Goal, ...], world: PlanningWorld, now: WorldSnapshot
    ) -> Plan:
        """The plan, or one that brings them, too; once only."""
        if self.are_settled or not self._are_wanted(goals, now):
            return plan
        self.are_settled = True
        is_quick = not now.is_day and outdoors_s_of(plan.steps) <= QUICK_S
        brought: tuple[Goal, ...] = ()
        for kind in self._fitting(plan, now):
            for goal in kind:
                whole = await self.planner.plan((*goals, *brought, goal), world)
                most_s = plan.cost_s + max(MOST_MORE_S, MOST_MORE * plan.cost_s)
                waits = is_quick and outdoors_s_of(whole.steps) > QUICK_S
                if whole.found and whole.cost_s <= most_s and not waits:
                    brought, plan = (*brought, goal), replace(whole, goal=plan.goal)
                    break
        return plan

    def spare_torches(
        self, steps: Sequence[Step], goals: tuple[Goal, ...], now: WorldSnapshot
    ) -> int:
        """How many it may put up where it mines, with these steps to come."""
        if not self._are_wanted(goals, now):
            return 0
        return max(0, now.count(TORCH) - needed(steps, goals)[TORCH])

    def _are_wanted(self, goals: tuple[Goal, ...], now: WorldSnapshot) -> bool:
        goes_away = any(isinstance(goal, PositionGoal) for goal in goals)
        return not (goes_away or now.is_peaceful) and self.bot.services.get(Reflexes) is not None

    def _fitting(self, plan: Plan, now: WorldSnapshot) -> Iterator[list[ItemGoal]]:
        """What is wanted; of each kind what will do, the best first."""
        known, carried = self.planner.catalogue.items, now.counts()
        if plan.cost_s >= LONG_S and not any(item.endswith("_sword") for item in carried):
            yield [ItemGoal("stone_sword", 1)]
        mines = any(s.action == "gather" and ROCK.fullmatch(s.target) for s in plan.steps)
        if mines and not now.count(TORCH):
            yield [ItemGoal(TORCH, TORCHES)]
        if plan.cost_s >= VERY_LONG_S and not any(
            known[item].food for item in carried if item in known
        ):
            yield [ItemGoal(food, MEALS) for food in FOODS if food in known]


def outdoors_s_of(steps: Iterable[Step]) -> float:
    """How much of them leads over the open ground."""
    return sum(step.cost_s for step in steps if is_outdoors(step))


def is_outdoors(step: Step) -> bool:
    """Whether it leads over the open ground: not what is made where one stands, nor rock, in which
    a bot soon has a tunnel around it."""
    return step.action not in INDOORS and ROCK.fullmatch(step.target) is None
