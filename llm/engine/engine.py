"""Always returns a decision, within deadline and budget.

    route ─▶ hold ─▶ ask ─▶ settle ─▶ tools? ─▶ hold ─▶ ask … ─▶ text
      ▲                │
      └── a lower tier ┴─ fault: what had arrived, else the rules

One deadline spans everything. A tier is changed only before the first tool was used. How long tiers
take is learnt from decisions that somebody waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import structlog

from llm.engine.budget import Budget
from llm.engine.context import TokenEstimate, fits, fitted, size_bytes
from llm.engine.decision import (
    MOST_ROUNDS,
    Decision,
    Fallback,
    Matter,
    NoPromptLog,
    PromptLog,
    Source,
    Used,
    answered,
    calls_done,
    up_to_last_sentence,
)
from llm.engine.held_call import Asked, HeldCalls, worst_case
from llm.engine.prices import Nanodollars
from llm.engine.tiers import (
    BACKGROUND,
    OPUS_FROM,
    SONNET_FROM,
    Route,
    Tier,
    TierModel,
    UsualTimes,
    route,
)
from llm.model import NOTHING_USED, ChatModel, Completion, Question, Usage

log = structlog.get_logger()

NOT_KEPT = NoPromptLog()
RULES_S = 0.5  # of a deadline, kept for the rules
MOST_ILLEGAL = 1  # rounds with illegal calls that are told to the model, to be repaired
_A_LOWER_TIER_MAY_DO = frozenset(
    {"overloaded", "rate_limited", "server", "bad_request", "unknown_model", "budget"}
)


@dataclass(slots=True)
class _Course:
    """One decision under way."""

    matter: Matter
    ends_at: float
    question: Question
    route: Route
    failed: set[Tier] = field(default_factory=set)
    fault: str | None = None
    """Why the last of those failed."""
    usage: Usage = NOTHING_USED
    cost: Nanodollars = 0
    used: list[Used] = field(default_factory=list)
    thinking: str = ""
    text: str = ""
    why: str | None = None
    model: str | None = None
    is_over: bool = False
    """A tool ended it."""

    @property
    def illegal_rounds(self) -> int:
        """Rounds of tools in which something illegal was asked for."""
        illegal = {one.round for one in self.used if one.outcome.illegal}
        return len(illegal)


class Engine:
    """Safe for decisions at the same time. Without models the rules decide everything."""

    def __init__(
        self,
        models: Mapping[Tier, ChatModel],
        tiers: Mapping[Tier, TierModel],
        budget: Budget,
        *,
        stopwatch: Callable[[], float],
        sonnet_from: float = SONNET_FROM,
        opus_from: float = OPUS_FROM,
        prompts: PromptLog = NOT_KEPT,
        heed: Callable[[str | None], None] = lambda why: None,
    ) -> None:
        """`heed` is told of each call why it gave no answer; None: it did."""
        self.budget = budget
        self.tokens = TokenEstimate()
        self.stopwatch = stopwatch
        self._usual = UsualTimes(stopwatch)
        self.use(models, tiers)
        self._sonnet_from, self._opus_from = sonnet_from, opus_from
        self._calls = HeldCalls(budget)
        self._prompts, self._heed = prompts, heed

    def use(self, models: Mapping[Tier, ChatModel], tiers: Mapping[Tier, TierModel]) -> None:
        """Use these models for decisions that begin from now on."""
        self._models, self._tiers = models, tiers

    @property
    def has_model(self) -> bool:
        return bool(self._models)

    async def decide(self, matter: Matter, fallback: Fallback) -> Decision:
        """A decision within `matter.deadline_s`; `fallback` has to be quick.

        Whoever cancels this ends the model's work with it."""
        began = self.stopwatch()
        course = self._begun(matter, began + matter.deadline_s - RULES_S)
        while await self._lowers_after(course):
            course.route = self._route(course)
        source: Source = "model" if course.why is None else "partial"
        if course.why is not None and not course.text:
            course.text, source = await fallback(course.why, tuple(course.used)), "rules"
        decision = _decision(course, source, self.stopwatch() - began)
        if course.model is None:
            return decision
        return replace(decision, prompt=self._prompts.asked(matter, course.question, decision))

    async def aclose(self) -> None:
        """End calls that still run past their deadlines."""
        await self._calls.aclose()

    def _begun(self, matter: Matter, ends_at: float) -> _Course:
        tools = matter.toolbox.tools if matter.toolbox else ()
        question = replace(matter.question, tools=tools)
        course = _Course(matter, ends_at, question, Route(None, "haiku", ""))
        course.route = self._route(course)
        return course

    def _route(self, course: _Course) -> Route:
        room = self.budget.room(course.matter.payer)

        def affords(tier: Tier) -> bool:
            return worst_case(self._tiers[tier], self._sized(course, tier)) <= room

        return route(
            course.matter.work,
            course.matter.score,
            {tier: self._timed(tier) for tier in self._tiers if tier in self._models},
            left_s=self._left_s(course),
            affords=affords,
            failed=course.failed,
            sonnet_from=self._sonnet_from,
            opus_from=self._opus_from,
        )

    def _timed(self, tier: Tier) -> TierModel:
        """The tier with how long it takes by what was learnt."""
        model = self._tiers[tier]
        return replace(model, usual_s=self._usual.of(tier, model.usual_s))

    async def _lowers_after(self, course: _Course) -> bool:
        """Ask the chosen tier; True when a lower tier is to be tried."""
        tier = course.route.tier
        if tier is None:
            course.why = _why_no_tier(course)
            return False
        while course.why is None and not course.text and not course.is_over:
            asked = await self._ask(course, tier)
            if asked.completion is None:
                return self._failed(course, tier, asked)
            # An answer: words, or tools to be used before it is asked again.
            course.thinking = "\n".join(filter(None, [course.thinking, asked.completion.thinking]))
            if asked.completion.stop == "tools" and course.matter.toolbox is not None:
                await self._use_tools(course, asked.completion)
            elif asked.completion.stop == "length":
                course.why, course.text = "length", up_to_last_sentence(asked.completion.text)
            else:
                course.text = asked.completion.text.strip()
                course.why = None if course.text else "empty"
        return False

    async def _ask(self, course: _Course, tier: Tier) -> Asked:
        question, left_s = self._sized(course, tier), self._left_s(course)
        if left_s <= 0:
            return Asked(None, "deadline", cost=0)
        if not self._is_read_whole(question, tier):
            self._heed("context")
            return Asked(None, "context", cost=0)
        began = self.stopwatch()
        asked = await self._calls.ask(
            self._models[tier], self._tiers[tier], question, course.matter.payer, left_s
        )
        self._heed(asked.why)
        if course.matter.work not in BACKGROUND:
            took_s = self.stopwatch() - began
            configured_s = self._tiers[tier].usual_s
            if asked.completion is not None:
                self._usual.answered(tier, configured_s, took_s)
            elif asked.why == "deadline":
                self._usual.cut(tier, configured_s, took_s)
        course.model = self._tiers[tier].model_id
        course.cost += asked.cost or 0
        course.usage += asked.usage
        self.tokens.learn(size_bytes(question), asked.usage.prompt)
        return asked

    def _failed(self, course: _Course, tier: Tier, asked: Asked) -> bool:
        """Record a failed call; True when a lower tier is to be tried."""
        partial = up_to_last_sentence(asked.partial)
        if asked.why in _A_LOWER_TIER_MAY_DO and not course.used and not partial:
            course.failed.update(self._of_same_model(tier))
            course.fault = asked.why
            return True
        course.why, course.text = asked.why, partial
        return False

    def _of_same_model(self, tier: Tier) -> Iterator[Tier]:
        """All tiers that its model serves: it would fail again."""
        model_id = self._tiers[tier].model_id
        return (other for other, one in self._tiers.items() if one.model_id == model_id)

    async def _use_tools(self, course: _Course, completion: Completion) -> None:
        assert course.matter.toolbox is not None
        done = len(course.question.rounds)
        left = course.matter.most_calls - calls_done(course.used)
        one, used = await answered(
            completion, course.matter.toolbox, done, left, self._left_s(course), self.stopwatch
        )
        course.used += used
        course.is_over = any(one.outcome.ends for one in used)
        tools = course.matter.toolbox.tools  # what was shown now may permit fewer
        rounds = (*course.question.rounds, one)
        course.question = replace(course.question, tools=tools, rounds=rounds)
        if course.is_over:
            course.text = ""
        elif course.illegal_rounds > MOST_ILLEGAL:
            course.why = "illegal"
        elif done >= MOST_ROUNDS or left <= 0:
            course.why, course.text = "max_rounds", completion.text.strip()

    def _sized(self, course: _Course, tier: Tier) -> Question:
        most = min(course.question.max_tokens, self._tiers[tier].max_tokens)
        question, context = replace(course.question, max_tokens=most), self._tiers[tier].context
        return question if context is None else fitted(question, context, self.tokens.tokens_of)

    def _is_read_whole(self, question: Question, tier: Tier) -> bool:
        context = self._tiers[tier].context
        return context is None or fits(question, context, self.tokens.tokens_of)

    def _left_s(self, course: _Course) -> float:
        return course.ends_at - self.stopwatch()


def _why_no_tier(course: _Course) -> str:
    """The weightiest reason: a fault was seen, lack of money or time only estimated."""
    if course.fault is not None:
        return course.fault
    for reason in ("budget", "deadline"):
        if reason in course.route.lowered_by:
            return reason
    return "no_model"


def _decision(course: _Course, source: Source, seconds: float) -> Decision:
    return Decision(
        text=course.text,
        source=source,
        why=course.why,
        route=course.route,
        model=course.model,
        usage=course.usage,
        cost=course.cost,
        seconds=seconds,
        prompt_bytes=size_bytes(course.question),
        used=tuple(course.used),
        thinking=course.thinking,
    )
