"""One call of a model: its worst case held before, its cost settled after, cut in time.

hold, on the disk ─▶ ask ─▶ answer ─▶ …
                              └─ settle: no answer waits until that is on the disk too

The checks ask each model once whether it answers, before much depends on it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import structlog

from llm.engine.budget import Budget, BudgetSpent, Caps, Charge, MemoryLedger, Payer
from llm.engine.context import most_tokens
from llm.engine.prices import Nanodollars
from llm.engine.tiers import Tier, TierModel
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

log = structlog.get_logger()

SETTLE_WITHIN_S = 10.0  # a ledger that takes longer keeps the worst case
GRACE_S = 0.1  # a model that keeps its own deadline hands over what it has within this

ASKED = Question("Answer with one short word.", (Turn("user", "Are you there?"),), max_tokens=100)
ASKED_FREE = replace(ASKED, max_tokens=1)
ANSWER_WITHIN_S = 20.0


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
    """Calls of models on one budget. Safe for calls at the same time."""

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
        return self._settled(asked, held)

    async def aclose(self) -> None:
        """End what models still do past their deadlines; what is being settled is waited for."""
        for task in self._overdue:
            task.cancel()
        await asyncio.gather(*self._overdue, *self._settling, return_exceptions=True)

    def _settled(self, asked: Asked, held: Charge) -> Asked:
        """The call with its cost in place of what was held; unknown, the worst case stays."""
        if asked.cost is None:
            return replace(asked, cost=held.amount)
        task = asyncio.create_task(_write(self._budget.settle(held, asked.cost)), name="settle")
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        return asked

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
