"""What may be watched of the daemon, as typed values made when asked for."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from bots.daemon.health import Load
from bots.daemon.roster import BotRoster
from bots.daemon.shapes import (
    BudgetShape,
    GoalsShape,
    LoadShape,
    Positions,
    PromptShape,
    TalksShape,
    TerrainShape,
)
from bots.daemon.tracker import Tracker
from bots.daemon.views import budget_of, goals_of, model_of, talk_of
from bots.responder.model_health import ModelHealth
from bots.responder.records.keeper import PromptKeeper
from bots.responder.records.record import DecisionRecorder
from bots.talks.live.talks import Talks
from bots.vision.studio import terrain_of
from llm.engine.budget import Budget


@dataclass(frozen=True)
class Watch:
    """Reads; changes nothing."""

    roster: BotRoster
    in_talks: Talks
    spending: Budget
    model_health: ModelHealth
    recorder: DecisionRecorder
    prompts: PromptKeeper
    tracker: Tracker
    usage: Load

    def goals(self, bot: str) -> GoalsShape:
        return goals_of(self.roster.find(bot).bot)

    async def positions(self) -> Positions:
        return await self.tracker.now()

    def moving(self) -> AsyncGenerator[Positions]:
        return self.tracker.watch()

    async def terrain(self, bot: str, reach: int | None) -> TerrainShape:
        found = await terrain_of(self.roster.find(bot).bot, reach)
        return {
            "success": True,
            "bot": bot,
            "west": found.west,
            "north": found.north,
            "width": found.picture.width,
            "height": found.picture.height,
            "png": found.picture.base64,
        }

    def talks(self) -> TalksShape:
        return {"success": True, "talks": [talk_of(talk) for talk in self.in_talks.under_way]}

    def budget(self) -> BudgetShape:
        names = [one.name for one in self.roster.sessions]
        return budget_of(self.spending, names, model_of(self.model_health))

    async def load(self) -> LoadShape:
        return await self.usage.now()

    async def prompt_of(self, decision: int) -> PromptShape:
        made = self.recorder.find(decision)
        if made is None:
            message = f"there is no decision {decision}; GET /api/decisions lists them"
            return {"success": False, "reason": "unknown_decision", "message": message}
        found = None if made.prompt is None else await self.prompts.find(made.prompt)
        if found is None:
            message = "no model was asked for it, or its prompt is no longer kept"
            return {"success": False, "reason": "not_kept", "message": message}
        return {"success": True, "prompt": dict(found)}
