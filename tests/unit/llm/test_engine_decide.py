"""A decision is always made in time and within the budget, by a model or by rules."""

import asyncio
from collections.abc import Callable
from datetime import datetime

import pytest

from bridge.fake import VirtualClock
from llm.engine.budget import Budget, Caps, Charge, Others, Payer
from llm.engine.decision import MOST_CALLS, MOST_ROUNDS, Decision, Matter, ToolOutcome, Used
from llm.engine.engine import Engine
from llm.engine.prices import DOLLAR, Nanodollars, price_of
from llm.engine.tiers import TIERS, Tier, TierModel, Work
from llm.function_model import Answer, FunctionModel
from llm.model import (
    Completion,
    LedgerUnavailable,
    ModelRefused,
    ModelUnavailable,
    Question,
    Tool,
    ToolCall,
    Turn,
    Unavailable,
    Usage,
)

STEVE = Payer("Alice", "Steve")
ASKED = Question("You are Alice.", (Turn("user", "hello"),), max_tokens=100)
LOOK = Tool("look", "Look around.", {"type": "object"})


class Memory:
    """A ledger that may be full."""

    full = False

    async def others(self, since: datetime, mark: int | None) -> Others | None:
        return None

    async def enter(self, charge: Charge, since: datetime, mark: int | None) -> Others | None:
        if self.full:
            raise LedgerUnavailable("the disk is full")
        return None

    async def settle(self, charge: Charge) -> None:
        if self.full:
            raise LedgerUnavailable("the disk is full")


class Hands:
    """A toolbox that only knows how to look; it keeps what it was asked for."""

    tools = (LOOK,)

    def __init__(self) -> None:
        self.asked: list[ToolCall] = []

    async def use(self, call: ToolCall) -> ToolOutcome:
        self.asked.append(call)
        if call.name != "look":
            return ToolOutcome(f"there is no tool {call.name}", illegal=True)
        return ToolOutcome("a cow")


def answering(answer: Callable[[Question], Answer]) -> dict[Tier, FunctionModel]:
    return {tier: FunctionModel(answer, f"claude-{tier}-5-5") for tier in TIERS}


def saying(text: str) -> dict[Tier, FunctionModel]:
    return answering(lambda question: text)


def failing(why: Unavailable, tiers: tuple[Tier, ...] = TIERS) -> dict[Tier, FunctionModel]:
    def fail(question: Question) -> str:
        raise ModelUnavailable(why, unbilled=True)

    return {t: FunctionModel(fail) if t in tiers else FunctionModel(lambda q: "ok") for t in TIERS}


def engine(
    models: dict[Tier, FunctionModel],
    *,
    cap: Nanodollars = DOLLAR,
    usual_s: float = 1.0,
    ledger: Memory | None = None,
) -> Engine:
    tiers: dict[Tier, TierModel] = {
        tier: TierModel(f"claude-{tier}-5-5", price_of(f"claude-{tier}-5-5"), usual_s, 1_000)
        for tier in TIERS
    }
    loop = asyncio.get_running_loop()
    budget = Budget(ledger or Memory(), Caps(everything=cap), VirtualClock().now)
    return Engine(models, tiers, budget, stopwatch=loop.time)


async def rules(why: str, used: tuple[Used, ...]) -> str:
    return f"by rules: {why}"


async def decide(
    engine: Engine, work: Work = "person", *, deadline_s: float = 7.0, hands: Hands | None = None
) -> Decision:
    matter = Matter(work, STEVE, ASKED, deadline_s, toolbox=hands)
    return await engine.decide(matter, rules)


async def test_a_person_is_answered_by_sonnet_and_charged_what_it_cost() -> None:
    used = Usage(fresh=100, output=10)
    mind = engine(answering(lambda q: Completion("Hi Steve.", "claude-sonnet-5-5", used)))
    made = await decide(mind)
    assert (made.text, made.source, made.why) == ("Hi Steve.", "model", None)
    assert (made.route.tier, made.model) == ("sonnet", "claude-sonnet-5-5")
    assert made.cost == price_of("claude-sonnet-5-5").of(used) == mind.budget.spent()
    assert mind.budget.held() == 0


@pytest.mark.parametrize(
    ("cap", "usual_s", "deadline_s", "why"),
    [(1_000, 1.0, 7.0, "budget"), (DOLLAR, 3.0, 2.0, "deadline")],
)
async def test_without_money_or_time_for_any_model_the_rules_decide_and_nobody_is_asked(
    cap: Nanodollars, usual_s: float, deadline_s: float, why: str
) -> None:
    models = saying("hi")
    made = await decide(engine(models, cap=cap, usual_s=usual_s), deadline_s=deadline_s)
    assert (made.text, made.source, made.why) == (f"by rules: {why}", "rules", why)
    assert not any(model.questions for model in models.values())
    without_any = await decide(engine({}))
    assert (without_any.source, without_any.why) == ("rules", "no_model")


async def test_a_small_budget_lowers_the_tier() -> None:
    made = await decide(engine(saying("hi"), cap=DOLLAR // 1_000))
    assert (made.route.tier, made.route.lowered_by) == ("haiku", ("budget",))


async def test_a_model_that_hangs_is_cut_and_its_worst_case_stays_charged() -> None:
    async def hang(question: Question) -> str:
        await asyncio.sleep(3_600)
        return "too late"

    models: dict[Tier, FunctionModel] = {"sonnet": FunctionModel(hang)}
    mind = engine(models, usual_s=0.01)
    made = await decide(mind, deadline_s=0.6)
    assert (made.source, made.why) == ("rules", "deadline")
    assert made.seconds < 1.0
    assert made.cost == mind.budget.spent() > 0
    await mind.aclose()


async def test_what_had_arrived_of_a_cut_answer_is_said() -> None:
    def cut(question: Question) -> str:
        raise ModelUnavailable("network", "I am at home. I was ab")

    made = await decide(engine(answering(cut)))
    assert (made.text, made.source, made.why) == ("I am at home.", "partial", "network")


@pytest.mark.parametrize("why", ["overloaded", "rate_limited", "server", "bad_request"])
async def test_where_one_tier_fails_a_lower_one_answers(why: Unavailable) -> None:
    made = await decide(engine(failing(why, ("sonnet",))))
    assert (made.text, made.route.tier, made.route.lowered_by) == ("ok", "haiku", ("fault",))


@pytest.mark.parametrize("why", ["auth", "billing", "network", "bad_reply", "deadline"])
async def test_a_fault_of_every_tier_goes_to_the_rules_at_once(why: Unavailable) -> None:
    models = failing(why)
    made = await decide(engine(models))
    assert (made.source, made.why) == ("rules", why)
    assert not models["haiku"].questions


async def test_when_all_tiers_fail_the_rules_decide_and_nothing_is_charged() -> None:
    mind = engine(failing("overloaded"))
    made = await decide(mind)
    assert (made.text, made.why) == ("by rules: overloaded", "overloaded")
    assert mind.budget.spent() == 0


async def test_a_refusal_is_paid_for_and_the_rules_answer() -> None:
    def refuse(question: Question) -> str:
        raise ModelRefused("claude", Usage(fresh=10, output=1))

    mind = engine(answering(refuse))
    made = await decide(mind)
    assert (made.source, made.why) == ("rules", "refused")
    assert made.cost == mind.budget.spent() > 0


async def test_a_ledger_that_cannot_be_written_means_no_call_and_an_answer_by_rules() -> None:
    ledger = Memory()
    ledger.full = True
    models = saying("hi")
    mind = engine(models, ledger=ledger)
    made = await decide(mind)
    assert (made.source, made.why) == ("rules", "ledger")
    assert not models["sonnet"].questions
    assert mind.budget.spent() == 0


def with_tools(*rounds: Completion | str) -> FunctionModel:
    """A model that answers the first question, then the one with its results, and so on."""
    return FunctionModel(lambda question: rounds[min(len(question.rounds), len(rounds) - 1)])


def asking(*names: str, text: str = "") -> Completion:
    calls = tuple(ToolCall(f"c{n}", name, {}) for n, name in enumerate(names))
    return Completion(text, "claude-sonnet-5-5", Usage(fresh=1, output=1), "tools", calls)


async def test_tools_are_used_and_their_results_go_back() -> None:
    hands, model = Hands(), with_tools(asking("look"), "I see a cow.")
    made = await decide(engine({"sonnet": model}), hands=hands)
    assert (made.text, made.source) == ("I see a cow.", "model")
    assert [(one.name, one.outcome.text) for one in made.used] == [("look", "a cow")]
    assert model.questions[0].tools == (LOOK,)
    (one,) = model.questions[1].rounds
    assert [result.text for result in one.results] == ["a cow"]


@pytest.mark.parametrize(
    ("second", "source", "why"), [("look", "model", None), ("op", "rules", "illegal")]
)
async def test_an_illegal_call_may_be_repaired_once_and_every_call_is_charged(
    second: str, source: str, why: str | None
) -> None:
    mind = engine({"sonnet": with_tools(asking("op"), asking(second), "I looked.")})
    made = await decide(mind, hands=Hands())
    assert (made.source, made.why) == (source, why)
    assert made.usage == Usage(fresh=2, output=2)
    assert made.cost == mind.budget.spent()


async def test_a_tool_loop_is_bounded() -> None:
    hands, model = Hands(), with_tools(asking("look", text="Looking."))
    made = await decide(engine({"sonnet": model}), hands=hands)
    assert len(hands.asked) == MOST_ROUNDS
    assert (made.text, made.why) == ("Looking.", "max_rounds")


async def test_so_many_tools_at_once_are_used_and_no_more() -> None:
    hands = Hands()
    model = with_tools(asking(*["look"] * (MOST_CALLS + 2)), "done")
    made = await decide(engine({"sonnet": model}), hands=hands)
    assert len(hands.asked) == MOST_CALLS
    assert len(made.used) == MOST_CALLS + 1  # one stands for all that were not made
    assert "2 more were asked for" in made.used[-1].outcome.text
    (one,) = model.questions[1].rounds
    assert [result.call_id for result in one.results] == [call.id for call in one.asked.calls]


async def test_so_many_tools_are_used_in_all_rounds_and_then_there_are_words() -> None:
    hands = Hands()
    model = with_tools(asking(*["look"] * (MOST_CALLS - 1)), asking(*["look"] * 5), asking("look"))
    made = await decide(engine({"sonnet": model}), hands=hands)
    assert len(hands.asked) == MOST_CALLS
    assert len(model.questions) == 3
    assert (made.source, made.why) == ("rules", "max_rounds")


async def test_what_an_earlier_decision_used_counts() -> None:
    hands, model = Hands(), with_tools(asking("look", "look"), "done")
    matter = Matter("person", STEVE, ASKED, 7.0, toolbox=hands, most_calls=1)
    made = await engine({"sonnet": model}).decide(matter, rules)
    assert (len(hands.asked), made.text) == (1, "done")


async def test_after_tools_were_used_a_fault_is_told_to_the_rules_with_what_was_done() -> None:
    def then_fail(question: Question) -> Answer:
        if not question.rounds:
            return asking("look")
        raise ModelUnavailable("overloaded", unbilled=True)

    seen: list[tuple[str, tuple[Used, ...]]] = []

    async def by_rules(why: str, used: tuple[Used, ...]) -> str:
        seen.append((why, used))
        return "I looked."

    models = answering(then_fail)
    matter = Matter("person", STEVE, ASKED, 7.0, toolbox=Hands())
    made = await engine(models).decide(matter, by_rules)
    assert (made.text, made.source) == ("I looked.", "rules")
    assert [(why, [one.name for one in used]) for why, used in seen] == [("overloaded", ["look"])]
    assert not models["haiku"].questions  # a tier never changes within a tool loop


async def test_a_slow_tool_is_left_behind_in_time() -> None:
    class Slow(Hands):
        async def use(self, call: ToolCall) -> ToolOutcome:
            await asyncio.sleep(3_600)
            return ToolOutcome("never")

    model = with_tools(asking("look"), "It takes a while.")
    made = await decide(engine({"sonnet": model}, usual_s=0.1), deadline_s=2.0, hands=Slow())
    assert made.text == "It takes a while."
    assert made.used[0].outcome.failed
    assert made.seconds < 2.0


async def test_whoever_gives_up_ends_the_models_work() -> None:
    ended = asyncio.Event()

    async def hang(question: Question) -> str:
        try:
            await asyncio.sleep(3_600)
        finally:
            ended.set()
        return ""

    mind = engine({"sonnet": FunctionModel(hang)})
    task = asyncio.create_task(decide(mind))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(2):
        await ended.wait()
    assert mind.budget.held() > 0


async def test_decisions_at_the_same_time_never_exceed_the_cap() -> None:
    used = Usage(fresh=900, output=90)

    async def slowly(question: Question) -> Answer:
        await asyncio.sleep(0.001)
        return Completion("ok", "claude", used)

    models: dict[Tier, FunctionModel] = {tier: FunctionModel(slowly) for tier in TIERS}
    cap = DOLLAR // 50
    mind = engine(models, cap=cap)
    made = await asyncio.gather(*(decide(mind) for _ in range(100)))
    assert mind.budget.spent() <= cap
    assert {one.source for one in made} == {"model", "rules"}
    assert all(one.text for one in made)
