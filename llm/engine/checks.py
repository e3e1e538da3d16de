"""Asks each model once whether it answers, before much depends on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from llm.engine.budget import Budget, Caps, Payer
from llm.engine.held_call import HeldCalls
from llm.engine.memory_ledger import MemoryLedger
from llm.engine.tiers import Tier, TierModel
from llm.model import ChatModel, Question, Turn

ASKED = Question("Answer with one short word.", (Turn("user", "Are you there?"),), max_tokens=100)
ASKED_FREE = replace(ASKED, max_tokens=1)
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


async def ask_free(model: ChatModel, tier: TierModel, within_s: float) -> str | None:
    """Ask for a token; why none came, as in `Asked`, or None.

    The budget is nothing, so a model that costs anything is not asked: `budget`."""
    calls = HeldCalls(Budget(MemoryLedger(), Caps(everything=0), lambda: datetime.now(UTC)))
    try:
        asked = await calls.ask(model, tier, ASKED_FREE, Payer("", background=True), within_s)
    finally:
        await calls.aclose()
    return asked.why
