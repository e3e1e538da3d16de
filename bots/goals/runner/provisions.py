"""What a bot brings along where monsters may come, if it costs little: a sword, light and food."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.goals.activity import PlanningWorld
from bots.goals.goal import Goal, ItemGoal, PositionGoal
from bots.goals.plan import Plan, Step
from bots.goals.runner.goal_planner import GoalPlanner
from bots.goals.runner.recovery import needed
from bots.reflexes.reflexes import QUICK_S, Reflexes
from bots.skills.sheltering import ROCK
from bots.skills.tunnelling import TORCH
from bridge.world import WorldSnapshot

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
