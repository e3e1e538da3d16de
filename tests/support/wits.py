"""What minds of tests think with: a model of the test's for every tier, a budget of its own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bots.access.origin import Level
from bots.responder.budget_notice import CapNotice
from bots.responder.case.persona import PersonaFiles
from bots.responder.case.ports import MODEL_CUT_S
from bots.responder.decide import DecisionParts
from bots.responder.prompt.builder import ContextPrompts
from bots.responder.prompt.summary_store import MemorySummaries
from bots.responder.rules.plain import PlainRules
from llm.engine.budget import Budget, Caps
from llm.engine.engine import Engine
from llm.engine.memory_ledger import MemoryLedger
from llm.engine.prices import price_of
from llm.engine.tiers import TIERS, TierModel
from llm.model import ChatModel


def engine_of(
    model: ChatModel | None,
    *,
    caps: Caps | None = None,
    usual_s: float = 0.0,
    stopwatch: Callable[[], float] = time.monotonic,
) -> Engine:
    """An engine whose tiers are all this model."""
    return Engine(
        dict.fromkeys(TIERS, model) if model else {},
        {
            tier: TierModel(f"claude-{tier}-5-5", price_of(f"claude-{tier}-5-5"), usual_s, 1_000)
            for tier in TIERS
        },
        Budget(MemoryLedger(), caps or Caps(), lambda: datetime.now(UTC)),
        stopwatch=stopwatch,
    )


def wits_of(
    model: ChatModel | None,
    folder: Path,
    *,
    seed: str = "wits",
    cut_s: float = MODEL_CUT_S,
    caps: Caps | None = None,
) -> DecisionParts:
    engine, rng = engine_of(model, caps=caps), random.Random(seed)
    notice = CapNotice(lambda: datetime.now(UTC), engine.budget.caps.period)
    prompts = ContextPrompts(engine, MemorySummaries(), lambda name: Level.PLAYER, time.monotonic)
    return DecisionParts(engine, PersonaFiles(folder), prompts, PlainRules(rng), notice, rng, cut_s)
