"""What keeps our part of a turn short: each thing is done once, and no answer waits for a disk
that it does not need."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import structlog
from anthropic.resources import AsyncMessages
from support.cases import case_of, heard, pending_turn
from support.daemons import daemon_on
from support.decision_parts import MemorySummaries, engine_of, prompts_of
from support.rig import until

from bots.access.origin import Level, Origin
from bots.access.sources import FACTS
from bots.chat.message import with_one
from bots.store import writer
from bots.store.database import Store
from bots.store.ledger import SqliteLedger
from bridge import FakeBridge
from bridge.fake import VirtualClock
from llm.claude.model import AnthropicModel
from llm.engine import engine as engine_module
from llm.engine.budget import Budget, Caps, Charge, MemoryLedger, Payer
from llm.engine.context import Summary
from llm.engine.decision import Decision, Matter, ToolOutcome, Used, without_model
from llm.engine.engine import Engine
from llm.engine.prices import DOLLAR, price_of
from llm.engine.tiers import TIERS, TierModel
from llm.fake_api import FakeClaude, Reply
from llm.function_model import Answer, FunctionModel
from llm.model import Completion, Question, Tool, ToolCall, Turn, Usage

ALICE = Payer("Alice", "Steve")
ASKED = Question("You are Alice.", (Turn("user", "hello"),), max_tokens=100)
USED = Usage(fresh=100, output=10)
WITHIN_S = 5.0
COMMITS = 3
"""Of a turn of words: the line; the worst case; the answer, and with it the cost."""


class Counted(Mapping[str, Any]):
    """A schema that knows how often it was read."""

    def __init__(self) -> None:
        self.reads = 0

    def __getitem__(self, key: str) -> Any:
        return {"type": "object"}[key]

    def __iter__(self) -> Iterator[str]:
        self.reads += 1
        return iter(["type"])

    def __len__(self) -> int:
        return 1


class Hands:
    def __init__(self, tool: Tool) -> None:
        self.tools = (tool,)

    async def use(self, call: ToolCall) -> ToolOutcome:
        return ToolOutcome("a cow")


class SlowToSettle(MemoryLedger):
    def __init__(self) -> None:
        self.released = asyncio.Event()
        self.settled: list[Charge] = []

    async def settle(self, charge: Charge) -> None:
        await self.released.wait()
        self.settled.append(charge)


async def by_rules(why: str, used: tuple[Used, ...]) -> str:
    return f"by rules: {why}"


def engine_on(answer: Callable[[Question], Answer], budget: Budget) -> Engine:
    tiers = {tier: TierModel(tier, price_of("claude-haiku-5-5"), 0.0, 1_000) for tier in TIERS}
    watch = asyncio.get_running_loop().time
    return Engine(dict.fromkeys(TIERS, FunctionModel(answer)), tiers, budget, stopwatch=watch)


async def decided(engine: Engine, hands: Hands | None = None) -> Decision:
    matter = Matter("person", ALICE, ASKED, WITHIN_S, toolbox=hands)
    async with asyncio.timeout(WITHIN_S):
        return await engine.decide(matter, by_rules)


def says_hi(question: Question) -> Completion:
    return Completion("Hi.", "claude", USED)


async def test_a_tool_is_sized_once_however_often_it_is_offered() -> None:
    schema = Counted()
    hands = Hands(Tool("look", "Look around.", schema))

    def looks_first(question: Question) -> Completion:
        if question.rounds:
            return says_hi(question)
        return Completion("", "claude", USED, "tools", (ToolCall("c1", "look", {}),))

    engine = engine_of(FunctionModel(looks_first))
    for _ in range(2):
        assert (await decided(engine, hands)).used
    assert schema.reads == 1


def counting(asked: list[Origin]) -> Callable[[Origin], Level]:
    def level_of(origin: Origin) -> Level:
        asked.append(origin)
        return Level.TRUSTED

    return level_of


async def test_a_history_is_gone_through_once_a_decision() -> None:
    looked_at: list[Origin] = []
    engine, watch = engine_of(FunctionModel(says_hi)), lambda: 0.0
    prompts = prompts_of(engine, level_of=counting(looked_at), stopwatch=watch)
    lines = [heard("Tom", f"line {number}", number) for number in range(1, 9)]
    case = case_of(lines, pending_turn("Tom", "so?"), level=Level.TRUSTED)
    await prompts.prompt(case)
    prompts.decided(case, without_model("hello", "test"))
    assert len(looked_at) == len(lines)


async def test_lines_that_a_summary_tells_of_are_not_gone_through() -> None:
    looked_at: list[Origin] = []
    kept = MemorySummaries()
    await kept.store("Alice", with_one("Tom"), [Summary(6, "Much was said.", frozenset({FACTS}))])
    prompts = prompts_of(
        engine_of(None), summaries=kept, level_of=counting(looked_at), stopwatch=lambda: 0.0
    )
    lines = [heard("Tom", f"line {number}", number) for number in range(1, 9)]
    case = case_of(lines, pending_turn("Tom", "so?"), level=Level.TRUSTED)
    asked = (await prompts.prompt(case)).question
    assert len(looked_at) == 2
    assert "line 7" in "".join(turn.text for turn in asked.turns)


async def test_no_answer_waits_until_its_cost_is_on_the_disk() -> None:
    ledger = SlowToSettle()
    budget = Budget(ledger, Caps(), VirtualClock().now)
    engine = engine_on(says_hi, budget)
    made = await decided(engine)
    assert (made.text, ledger.settled) == ("Hi.", [])
    assert (budget.held(), budget.spent()) == (0, made.cost), "the budget knows it already"
    closing = asyncio.create_task(engine.aclose())
    assert (await asyncio.wait({closing}, timeout=0.02))[0] == set()
    ledger.released.set()
    async with asyncio.timeout(WITHIN_S):
        await closing
    assert [charge.amount for charge in ledger.settled] == [made.cost]


async def test_closing_waits_for_no_disk_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "SETTLE_WITHIN_S", 0.01)
    engine = engine_on(says_hi, Budget(SlowToSettle(), Caps(), VirtualClock().now))
    with structlog.testing.capture_logs() as logs:
        await decided(engine)
        async with asyncio.timeout(WITHIN_S):
            await engine.aclose()
    assert [line["event"] for line in logs] == ["ledger.unavailable"]


async def test_the_worst_case_is_on_the_disk_before_a_model_is_asked(store: Store) -> None:
    on_disk: list[tuple[int, int]] = []

    def looks_there(question: Question) -> Completion:
        with sqlite3.connect(store.path) as other:
            on_disk.extend(other.execute("SELECT nanodollars, settled FROM charges"))
        other.close()
        return says_hi(question)

    budget = await Budget.load(SqliteLedger(store), Caps(everything=DOLLAR), VirtualClock().now)
    engine = engine_on(looks_there, budget)
    made = await decided(engine)
    await engine.aclose()
    assert made.source == "model"
    ((held, settled),) = on_disk
    assert held > made.cost
    assert not settled


async def test_a_program_killed_before_a_cost_was_settled_stays_charged_with_the_worst(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(ledger: SqliteLedger, charge: Charge) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(SqliteLedger, "settle", never)
    monkeypatch.setattr(engine_module, "SETTLE_WITHIN_S", 0.01)
    clock = VirtualClock()
    engine = engine_on(says_hi, await Budget.load(SqliteLedger(store), Caps(), clock.now))
    made = await decided(engine)
    again = await Budget.load(SqliteLedger(store), Caps(), clock.now)
    assert again.spent() == again.held() > made.cost
    await engine.aclose()


async def test_a_turn_of_words_commits_three_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[list[str]] = []
    commit = writer._commit

    def counted(connection: sqlite3.Connection, changes: list[writer.Change]) -> None:
        commits.append([change.run.__qualname__ for change in changes])
        commit(connection, changes)

    bridge, model = FakeBridge(), FunctionModel(says_hi)
    async with daemon_on(bridge, tmp_path, model) as daemon:
        steve = bridge.world.person("Steve")
        steve.whisper("Alice", "hello")
        await steve.hears(WITHIN_S)
        await until(lambda: len([*daemon.trace.recent("reply.sent")]) == 1)
        monkeypatch.setattr(writer, "_commit", counted)
        monkeypatch.setattr(writer, "PATIENCE_S", WITHIN_S)
        steve.whisper("Alice", "how is it over there?")
        await steve.hears(WITHIN_S)
        await until(lambda: len([*daemon.trace.recent("reply.sent")]) == 2)
    assert len(commits) == COMMITS, commits


async def test_a_question_goes_round_the_models_of_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*args: object, **kwargs: object) -> None:
        raise AssertionError("copies the body and makes a model of each event")

    monkeypatch.setattr(AsyncMessages, "stream", slow)
    monkeypatch.setattr(AsyncMessages, "create", slow)
    async with FakeClaude(Reply("Hi.")).serving() as fake:
        model = AnthropicModel("claude-haiku-5-5", api_key="k", base_url=fake.url)
        assert (await model.complete(ASKED, deadline_s=WITHIN_S)).text == "Hi."
        await model.aclose()
