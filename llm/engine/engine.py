"""Always returns a decision, within deadline and budget.

    route ─▶ hold ─▶ ask ─▶ settle ─▶ tools? ─▶ hold ─▶ ask … ─▶ text
      ▲                │
      └── a lower tier ┴─ fault: what had arrived, else the rules

One deadline spans everything. A tier is changed only before the first tool was used. How long tiers
take is learnt from decisions that somebody waits for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

import structlog

from llm.engine.budget import Budget, BudgetSpent, Caps, MemoryLedger, Payer
from llm.engine.context import TokenEstimate, fits, fitted, most_tokens, size_bytes
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
from llm.model import (
    NOTHING_USED,
    ChatModel,
    Completion,
    LedgerUnavailable,
    ModelRefused,
    ModelUnavailable,
    Question,
    Turn,
    Usage,
)

SETTLE_WITHIN_S = 10.0  # a ledger that takes longer keeps the worst case
GRACE_S = 0.1  # a model that keeps its own deadline hands over what it has within this

ASKED = Question("Answer with one short word.", (Turn("user", "Are you there?"),), max_tokens=100)
ASKED_FREE = replace(ASKED, max_tokens=1)
ANSWER_WITHIN_S = 20.0
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Asked:
    """How a call ended."""

    completion: Completion | None
    why: str | None = None
    """Why there is no completion: budget, ledger, refused, failed or one of
    `llm.model.Unavailable`."""
    partial: str = ""
    """What had arrived of an answer that was cut."""
    usage: Usage = NOTHING_USED
    cost: Nanodollars | None = None
    """What it cost; None when nobody knows, and then its worst case is charged."""


def worst_case(tier: TierModel, question: Question) -> Nanodollars:
    """The most that a call can cost."""
    return tier.price.at_most(most_tokens(question), question.max_tokens)


class HeldCalls:
    """Calls of models on one budget: held before, settled after, cut in time.

        hold, on the disk ─▶ ask ─▶ answer ─▶ …
                                      └─ settle: no answer waits until that is on the disk too

    Safe for calls at the same time."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._overdue: set[asyncio.Future[Completion]] = set()
        self._settling: set[asyncio.Task[None]] = set()

    async def ask(
        self, model: ChatModel, tier: TierModel, question: Question, payer: Payer, within_s: float
    ) -> Asked:
        """Ask once and wait `within_s` seconds at most.

        Whoever cancels this ends the model's work with it; its worst case stays charged."""
        try:
            held = await self._budget.hold(worst_case(tier, question), payer)
        except BudgetSpent:
            return Asked(None, "budget", cost=0)
        except LedgerUnavailable as fault:
            log.warning("ledger.unavailable", why=str(fault))
            return Asked(None, "ledger", cost=0)
        task = asyncio.ensure_future(model.complete(question, deadline_s=within_s))
        try:
            await asyncio.wait({task}, timeout=within_s + GRACE_S)
        finally:
            # Cancel the call without waiting for a model that is slow to end.
            if not task.done():
                self._overdue.add(task)
                task.add_done_callback(self._ended_overdue)
                task.cancel()
        asked = _asked(task, tier) if task.done() else Asked(None, "deadline")
        # The call with its cost in place of what was held; unknown, the worst case stays.
        if asked.cost is None:
            return replace(asked, cost=held.amount)
        settling = asyncio.create_task(_write(self._budget.settle(held, asked.cost)), name="settle")
        self._settling.add(settling)
        settling.add_done_callback(self._settling.discard)
        return asked

    async def aclose(self) -> None:
        """End what models still do past their deadlines; what is being settled is waited for."""
        for task in self._overdue:
            task.cancel()
        await asyncio.gather(*self._overdue, *self._settling, return_exceptions=True)

    def _ended_overdue(self, task: asyncio.Future[Completion]) -> None:
        self._overdue.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that asyncio does not report it as forgotten


async def _write(settled: Awaitable[None]) -> None:
    """On the disk a charge stays at its worst case until this went well."""
    try:
        async with asyncio.timeout(SETTLE_WITHIN_S):
            await settled
    except LedgerUnavailable as fault:
        log.warning("ledger.unavailable", why=str(fault))
    except TimeoutError:
        log.warning("ledger.unavailable", why=f"no answer in {SETTLE_WITHIN_S:g} s")


def _asked(task: asyncio.Future[Completion], tier: TierModel) -> Asked:
    error = None if task.cancelled() else task.exception()
    if task.cancelled():  # the model ended as if somebody had cancelled it
        return Asked(None, "failed")
    match error:
        case None:
            usage = task.result().usage
            return Asked(task.result(), usage=usage, cost=tier.price.of(usage))
        case ModelUnavailable(why=why, partial=partial, unbilled=unbilled):
            return Asked(None, why, partial, cost=0 if unbilled else None)
        case ModelRefused(usage=usage):
            return Asked(None, "refused", usage=usage, cost=tier.price.of(usage))
        case Exception():
            log.error("model.broke", exc_info=error)
            return Asked(None, "failed")
    raise error


@dataclass(frozen=True, slots=True)
class Check:
    """What came of asking one model."""

    model: str
    why: str | None
    """Why it gave no answer, as in `Asked`; None: it answered."""
    seconds: float
    named: str | None = None
    """What the API calls the model that answered."""


async def check_each(
    models: Mapping[K, ChatModel],
    tiers: Mapping[K, TierModel],
    budget: Budget,
    payer: Payer,
    stopwatch: Callable[[], float],
) -> tuple[Check, ...]:
    """Ask all models at the same time, each by its key; one that has several is asked once."""
    calls = HeldCalls(budget)

    async def check(tier: K) -> Check:
        began_s = stopwatch()
        asked = await calls.ask(models[tier], tiers[tier], ASKED, payer, ANSWER_WITHIN_S)
        named = asked.completion.model if asked.completion else None
        return Check(tiers[tier].model_id, asked.why, round(stopwatch() - began_s, 3), named)

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
    named: str | None = None
    is_over: bool = False
    """A tool ended it."""


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

    def serving(self, tier: Tier) -> tuple[ChatModel, TierModel]:
        """What answers for this tier, which has to be there."""
        return self._models[tier], self._tiers[tier]

    @property
    def has_model(self) -> bool:
        return bool(self._models)

    async def decide(self, matter: Matter, fallback: Fallback) -> Decision:
        """A decision within `matter.deadline_s`; `fallback` has to be quick.

        Whoever cancels this ends the model's work with it."""
        began = self.stopwatch()
        tools = matter.toolbox.tools if matter.toolbox else ()
        question = replace(matter.question, tools=tools)
        ends_at = began + matter.deadline_s - RULES_S
        course = _Course(matter, ends_at, question, Route(None, "haiku", ""))
        course.route = self._route(course)
        while await self._lowers_after(course):
            course.route = self._route(course)
        source: Source = "model" if course.why is None else "partial"
        if course.why is not None and not course.text:
            course.text, source = await fallback(course.why, tuple(course.used)), "rules"
        decision = Decision(
            text=course.text,
            source=source,
            why=course.why,
            route=course.route,
            model=course.model,
            named=course.named,
            usage=course.usage,
            cost=course.cost,
            seconds=self.stopwatch() - began,
            prompt_bytes=size_bytes(course.question),
            used=tuple(course.used),
            thinking=course.thinking,
        )
        if course.model is None:
            return decision
        return replace(decision, prompt=self._prompts.asked(matter, course.question, decision))

    async def aclose(self) -> None:
        """End calls that still run past their deadlines."""
        await self._calls.aclose()

    def _route(self, course: _Course) -> Route:
        room = self.budget.room(course.matter.payer)

        def affords(tier: Tier) -> bool:
            return worst_case(self._tiers[tier], self._sized(course, tier)) <= room

        timed = {  # with how long each takes by what was learnt
            tier: replace(model, usual_s=self._usual.of(tier, model.usual_s))
            for tier, model in self._tiers.items()
            if tier in self._models
        }
        return route(
            course.matter.work,
            course.matter.score,
            timed,
            left_s=self._left_s(course),
            affords=affords,
            failed=course.failed,
            sonnet_from=self._sonnet_from,
            opus_from=self._opus_from,
        )

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
            course.named = asked.completion.model
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
        context = self._tiers[tier].context
        if context is not None and not fits(question, context, self.tokens.tokens_of):
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
            model_id = self._tiers[tier].model_id  # in all its tiers it would fail again
            course.failed.update(t for t, one in self._tiers.items() if one.model_id == model_id)
            course.fault = asked.why
            return True
        course.why, course.text = asked.why, partial
        return False

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
        elif len({one.round for one in course.used if one.outcome.illegal}) > MOST_ILLEGAL:
            course.why = "illegal"
        elif done >= MOST_ROUNDS or left <= 0:
            course.why, course.text = "max_rounds", completion.text.strip()

    def _sized(self, course: _Course, tier: Tier) -> Question:
        most = min(course.question.max_tokens, self._tiers[tier].max_tokens)
        question, context = replace(course.question, max_tokens=most), self._tiers[tier].context
        return question if context is None else fitted(question, context, self.tokens.tokens_of)

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
