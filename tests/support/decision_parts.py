"""The parts of decisions for tests: the test's model on every tier, and its own budget."""

import random
import time
from collections.abc import Callable, Container, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bots.access.origin import Level
from bots.access.sources import LevelOf, Sources
from bots.access.visibility import Visibility
from bots.chat.message import Circle, Message
from bots.clock import Clock, Sleep, Stopwatch, Times, real_sleep, utc_now
from bots.responder.case.case import MODEL_CUT_S, NOTHING_KNOWN, Advice, Knowledge, Known, Moment
from bots.responder.case.persona import PersonaFiles
from bots.responder.limits import BudgetNotice
from bots.responder.model_health import ModelHealth
from bots.responder.prompt.builder import ContextPrompts
from bots.responder.prompt.learning import Learns, Learnt
from bots.responder.prompt.summaries import Chains, SummaryStorage
from bots.responder.request import DecisionParts
from bots.settings.llm import LlmSettings
from llm.engine.budget import Budget, Caps, MemoryLedger
from llm.engine.context import LIMITS, Limits, Summary
from llm.engine.engine import Engine
from llm.engine.prices import price_of
from llm.engine.tiers import TIERS, TierModel
from llm.model import ChatModel


class MemorySummaries:
    """A `SummaryStorage` for as long as the program runs."""

    def __init__(self) -> None:
        self._summaries: dict[str, dict[Circle, tuple[Summary, ...]]] = {}

    async def load(self, bot: str) -> Chains:
        return self._summaries.get(bot, {})

    async def store(self, bot: str, circle: Circle, summaries: Sequence[Summary]) -> None:
        self._summaries.setdefault(bot, {})[circle] = tuple(summaries)


def engine_of(
    model: ChatModel | None,
    *,
    caps: Caps | None = None,
    usual_s: float = 0.0,
    stopwatch: Callable[[], float] = time.monotonic,
) -> Engine:
    """An engine that uses this model on every tier."""
    return Engine(
        dict.fromkeys(TIERS, model) if model else {},
        {
            tier: TierModel(f"claude-{tier}-5-5", price_of(f"claude-{tier}-5-5"), usual_s, 1_000)
            for tier in TIERS
        },
        Budget(MemoryLedger(), caps or Caps(), lambda: datetime.now(UTC)),
        stopwatch=stopwatch,
    )


class NoAdvice:
    def about(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        return ()


class NoKnowledge:
    """The knowledge of bots that have learnt nothing."""

    async def about(self, moment: Moment) -> Known:
        return NOTHING_KNOWN

    def used(self, bot: str, known: Known, work: str) -> None:
        pass

    async def aclose(self) -> None:
        pass


def prompts_of(
    engine: Engine,
    *,
    summaries: SummaryStorage | None = None,
    level_of: LevelOf = lambda origin: Level.PLAYER,
    bots: Container[str] = (),
    clock: Clock = utc_now,
    stopwatch: Stopwatch = time.monotonic,
    sleep: Sleep = real_sleep,
    advice: Advice | None = None,
    knowledge: Knowledge | None = None,
    learns: Learns | None = None,
    limits: Limits = LIMITS,
) -> ContextPrompts:
    """Prompts that use only what is given here."""
    return ContextPrompts(
        engine,
        summaries or MemorySummaries(),
        level_of,
        bots,
        Times(clock, stopwatch, sleep, random.Random(0)),
        advice or NoAdvice(),
        knowledge or NoKnowledge(),
        learns or LearnsNothing(),
        limits,
    )


class LearnsNothing:
    async def learn(
        self, bot: str, learnt: Sequence[Learnt], sources: Sources, said: Sequence[Message]
    ) -> None:
        pass


def decision_parts_of(
    model: ChatModel | None,
    folder: Path,
    *,
    seed: str = "decisions",
    cut_s: float = MODEL_CUT_S,
    caps: Caps | None = None,
) -> DecisionParts:
    engine, rng = engine_of(model, caps=caps), random.Random(seed)
    notice = BudgetNotice(time.monotonic, engine.budget.caps.period)
    prompts = prompts_of(engine)
    health = ModelHealth(LlmSettings())
    return DecisionParts(engine, PersonaFiles(folder), prompts, notice, health, rng, cut_s)
