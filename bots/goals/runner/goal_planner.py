"""Plans and explains goals in threads of their own, by the rules of the version a bot plays."""

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
from bots.goals.planning.planner import Planner
from bridge.catalogue import Catalogue

DEADLINE_S = 2.0
"""For a better plan than the first; whether there is one at all is always decided."""


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
        """Plan in a thread, so that talk goes on."""
        return await asyncio.to_thread(self.planner.plan, goals, world, deadline_s=DEADLINE_S)

    async def explain(self, goals: tuple[Goal, ...], world: PlanningWorld, plan: Plan) -> Plan:
        """The same plan, which was not found, with the reasons."""
        return await asyncio.to_thread(self.explainer.explain, goals, world, plan)


async def planner_for(bot: Bot) -> GoalPlanner:
    """The planner of the version the bot plays; its tables are made once for all bots."""
    catalogue = await bot.catalogue()
    data = GameData.from_bridge(catalogue, await bot.recipes())
    planner, explainer = await asyncio.to_thread(_tables, data)
    return GoalPlanner(planner, explainer, catalogue)


@lru_cache(maxsize=4)
def _tables(data: GameData) -> tuple[Planner, Explainer]:
    planner = Planner(domain_of(data))
    return planner, Explainer(planner)
