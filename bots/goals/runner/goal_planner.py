"""Plans and explains goals off the event loop, with the rules of the version a bot plays."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import lru_cache

from bots.bot.bot import Bot
from bots.goals.activity import Domain, PlanningWorld
from bots.goals.domain import GameData, domain_of
from bots.goals.explain.explain import Explainer
from bots.goals.goal import Goal
from bots.goals.plan import Plan
from bots.goals.planning.branch_and_bound import load_solver
from bots.goals.planning.planner import Planner
from bridge.catalogue import Catalogue

DEADLINE_S = 2.0
"""Time to improve on the first plan; whether any plan exists is always decided."""


@dataclass(frozen=True, slots=True)
class GoalPlanner:
    """Planner and explainer of one version of Minecraft."""

    planner: Planner
    explainer: Explainer
    catalogue: Catalogue

    @property
    def domain(self) -> Domain:
        return self.planner.domain

    async def plan(self, goals: tuple[Goal, ...], world: PlanningWorld) -> Plan:
        """Plan in a thread, so chat is not held up."""
        return await asyncio.to_thread(self.planner.plan, goals, world, deadline_s=DEADLINE_S)

    async def explain(self, goals: tuple[Goal, ...], world: PlanningWorld, plan: Plan) -> Plan:
        """Add what is missing to a plan that was not found."""
        return await asyncio.to_thread(self.explainer.explain, goals, world, plan)


async def warm_up() -> None:
    """Load the solver, so that the first goal does not wait for it."""
    await asyncio.to_thread(load_solver)


async def planner_for(bot: Bot) -> GoalPlanner:
    """The planner for the bot's version; bots of one version share its tables."""
    catalogue = await bot.catalogue()
    data = GameData.from_bridge(catalogue, await bot.recipes())
    planner, explainer = await asyncio.to_thread(_tables, data)
    return GoalPlanner(planner, explainer, catalogue)


@lru_cache(maxsize=4)
def _tables(data: GameData) -> tuple[Planner, Explainer]:
    planner = Planner(domain_of(data))
    return planner, Explainer(planner)
