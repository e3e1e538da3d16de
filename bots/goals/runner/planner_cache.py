"""Where a bot's goals are thought about: planner and explainer of the world it is in."""

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

DEADLINE_S = 2.0
"""For a better plan than the first; whether there is one at all is always decided."""


@dataclass(frozen=True, slots=True)
class PlannerCache:
    planner: Planner
    explainer: Explainer

    @property
    def domain(self) -> Domain:
        return self.planner.domain

    async def plan(self, goals: tuple[Goal, ...], world: PlanningWorld) -> Plan:
        """Think in a thread of its own, so that talk goes on."""
        return await asyncio.to_thread(self.planner.plan, goals, world, deadline_s=DEADLINE_S)

    async def explain(self, goals: tuple[Goal, ...], world: PlanningWorld, plan: Plan) -> Plan:
        """The same plan, which was not found, with the reasons."""
        return await asyncio.to_thread(self.explainer.explain, goals, world, plan)


async def desk_of(bot: Bot) -> PlannerCache:
    """The desk for the version the bot plays; made once for all bots that play it."""
    data = GameData.from_bridge(await bot.catalogue(), await bot.recipes())
    return await asyncio.to_thread(_desk, data)


@lru_cache(maxsize=4)
def _desk(data: GameData) -> PlannerCache:
    planner = Planner(domain_of(data))
    return PlannerCache(planner, Explainer(planner))
