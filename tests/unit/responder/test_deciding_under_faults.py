"""A thousand decisions on a faulty API: all answered, all paid for, never over budget."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bots.store.database import FILE_NAME, Store
from bots.store.ledger import SqliteLedger
from llm.claude.model import AnthropicModel
from llm.engine.budget import Budget, Caps, Payer
from llm.engine.decision import Decision, Matter, Toolbox, ToolOutcome, Used
from llm.engine.engine import RULES_S, Engine
from llm.engine.prices import DOLLAR, price_of
from llm.engine.tiers import TIERS, TierModel
from llm.fake_api import Body, Call, Drop, Failure, FakeClaude, Reply, Step
from llm.model import Question, Tool, ToolCall, Turn, Usage

pytestmark = pytest.mark.slow

CAP = DOLLAR // 20
DECISIONS, AT_ONCE, SPEAKERS = 1_000, 20, 7
DEADLINE_S = 2.0 + RULES_S  # what is well answers in time on a busy machine, too
CHEAP = Usage(fresh=150, output=20)

FAULTS: tuple[Step, ...] = (
    Reply("Too late.", slow_s=5.0),
    Reply("Drop by drop, and never an end. Again and again.", drip_s=0.2),
    Reply("Cut in two. And this is lost", cut_after=5, usage=CHEAP),
    Reply("Ends early. And without a word", end_after=5, usage=CHEAP),
    Reply("An error", error_after=4, usage=CHEAP),
    Reply("Garbage", garbage_after=4, usage=CHEAP),
    Reply("No.", stop="refusal", usage=CHEAP),
    Reply("", usage=CHEAP),
    Failure(429, headers={"retry-after": "30"}),
    Failure(500),
    Failure(529),
    Failure(401),
    Failure(400),
    Body("<html>Bad gateway</html>", "text/html"),
    Body('{"type": "mess'),
    Drop(),
    Reply(calls=(Call("look"),), usage=CHEAP),
    Reply(calls=(Call("no_such_tool"),), usage=CHEAP),
    Reply(calls=(Call("look", json='{"a": '),), usage=CHEAP),
)


class Eyes(Toolbox):
    tools = (Tool("look", "Look around.", {"type": "object"}),)

    async def use(self, call: ToolCall) -> ToolOutcome:
        if call.name != "look" or call.arguments is None:
            return ToolOutcome("no such thing", illegal=True)
        return ToolOutcome("a cow")


def api(seed: int) -> FakeClaude:
    """Half of its answers are fine."""
    rng = random.Random(seed)

    def decide(request: Mapping[str, Any]) -> Step:
        return Reply("All is well.", usage=CHEAP) if rng.random() < 0.5 else rng.choice(FAULTS)

    return FakeClaude(decide=decide)


class Watched(Budget):
    """Remembers the most that was ever charged."""

    most = 0

    async def hold(self, worst: int, payer: Payer) -> Any:
        held = await super().hold(worst, payer)
        self.most = max(self.most, self.spent())
        return held


class Hours:
    """A clock that a decision moves on, or that stands still."""

    def __init__(self, step: timedelta) -> None:
        self._now, self._step = datetime(2026, 1, 1, tzinfo=UTC), step

    def now(self) -> datetime:
        return self._now

    def move(self) -> None:
        self._now += self._step


@pytest.mark.parametrize(
    ("step_s", "by_model"),
    [
        pytest.param(0, 20, id="one period"),
        pytest.param(900, 300, id="ten periods", marks=pytest.mark.slow),
    ],
)
async def test_under_mixed_faults_the_cap_holds_and_nothing_is_left_unanswered(
    tmp_path: Path, step_s: int, by_model: int
) -> None:
    store = await Store.open(tmp_path / FILE_NAME)
    hours = Hours(timedelta(seconds=step_s))
    ledger = SqliteLedger(store)
    caps = Caps(everything=CAP, per_bot=CAP, per_speaker=CAP // 2)
    budget = Watched(ledger, caps, hours.now)
    made = await all_decided(budget, hours)
    all_of_them = await SqliteLedger(store).others(hours.now() - timedelta(days=99), None)
    assert all_of_them is not None
    kept = sum(one.amount for one in all_of_them.charges)
    await store.aclose()
    assert len(made) == DECISIONS
    assert [decision for decision in made if not decision.text] == []
    assert max(decision.seconds for decision in made) < DEADLINE_S + 1.5  # on a busy machine
    assert 0 < budget.most <= CAP
    assert kept == sum(decision.cost for decision in made)
    sources = Counter(decision.source for decision in made)
    assert sources["model"] > by_model
    assert {"budget", "deadline"} <= {decision.why for decision in made}


async def all_decided(budget: Budget, hours: Hours) -> list[Decision]:
    async with api(seed=6).serving() as claude:
        model = AnthropicModel("any", api_key=None, base_url=claude.url)
        await model.warm()
        engine = Engine(
            {tier: model.another(f"claude-{tier}-5-5") for tier in TIERS},
            {t: TierModel(f"claude-{t}-5-5", price_of(f"claude-{t}-5-5"), 0.1, 40) for t in TIERS},
            budget,
            stopwatch=time.monotonic,
        )
        made = await asyncio.gather(*decisions(engine, hours))
        await engine.aclose()
        await model.aclose()
    return made


def decisions(engine: Engine, hours: Hours) -> Iterator[Awaitable[Decision]]:
    """For everybody, in no order; so many at the same time."""
    room = asyncio.Semaphore(AT_ONCE)

    async def decide(number: int) -> Decision:
        matter = Matter(
            work="person" if number % 3 else "event",
            payer=Payer(f"bot{number % 2}", f"player{number % SPEAKERS}"),
            question=Question("You are Alice.", (Turn("user", f"line {number}"),), max_tokens=40),
            deadline_s=DEADLINE_S,
            score=number % 7,
            toolbox=Eyes(),
        )
        async with room:
            hours.move()
            return await engine.decide(matter, by_rules)

    return map(decide, range(DECISIONS))


async def by_rules(why: str, used: tuple[Used, ...]) -> str:
    return f"by rules: {why}"
