"""Asks each model once whether it answers, before much depends on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from llm.engine.budget import Budget, Payer
from llm.engine.held_call import HeldCalls
from llm.engine.tiers import Tier, TierModel
from llm.model import ChatModel, Question, Turn

ASKED = Question("Answer with one short word.", (Turn("user", "Are you there?"),), max_tokens=100)
ANSWER_WITHIN_S = 20.0


@dataclass(frozen=True, slots=True)
class Check:
    """What came of asking one model."""

    model: str
    why: str | None
    """Why it gave no answer, as in `Asked`; None: it answered."""
    seconds: float


async def check_each(
    models: Mapping[Tier, ChatModel],
    tiers: Mapping[Tier, TierModel],
    budget: Budget,
    payer: Payer,
    stopwatch: Callable[[], float],
) -> tuple[Check, ...]:
    """Ask all models at the same time; one that serves several tiers is asked once."""
    calls = HeldCalls(budget)

    async def check(tier: Tier) -> Check:
        began_s = stopwatch()
        asked = await calls.ask(models[tier], tiers[tier], ASKED, payer, ANSWER_WITHIN_S)
        return Check(tiers[tier].model_id, asked.why, round(stopwatch() - began_s, 3))

    one_of_each = {tiers[tier].model_id: tier for tier in models}
    try:
        return tuple(await asyncio.gather(*map(check, one_of_each.values())))
    finally:
        await calls.aclose()
