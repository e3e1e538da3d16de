"""How long a tier takes is learnt from its answers, and forgotten again in time."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bridge.fake import VirtualClock
from llm.engine.budget import Budget, Caps, MemoryLedger, Payer
from llm.engine.decision import Decision, Matter, Used
from llm.engine.engine import Engine
from llm.engine.prices import price_of
from llm.engine.tiers import HALF_LIFE_S, TIERS, Tier, TierModel, UsualTimes, Work
from llm.function_model import FunctionModel
from llm.model import Question, Turn

USUAL_S: dict[Tier, float] = {"haiku": 1.5, "sonnet": 3.0, "opus": 8.0}


class Stopwatch:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


async def test_what_is_configured_counts_until_answers_were_measured() -> None:
    usual = UsualTimes(Stopwatch())
    assert usual.of("opus", 8.0) == 8.0
    for _ in range(20):
        usual.answered("opus", 8.0, 3.0)
    assert usual.of("opus", 8.0) == pytest.approx(3.0, abs=0.5)
    assert usual.of("sonnet", 3.0) == 3.0


async def test_answers_that_vary_are_waited_for_longer_than_steady_ones() -> None:
    steady, varying = UsualTimes(Stopwatch()), UsualTimes(Stopwatch())
    for number in range(40):
        steady.answered("sonnet", 3.0, 3.0)
        varying.answered("sonnet", 3.0, 1.0 if number % 2 else 5.0)
    assert varying.of("sonnet", 3.0) > steady.of("sonnet", 3.0) + 1.0


async def test_an_answer_that_never_came_makes_the_tier_no_quicker() -> None:
    usual = UsualTimes(Stopwatch())
    usual.cut("sonnet", 3.0, 0.2)
    assert usual.of("sonnet", 3.0) == 3.0
    usual.cut("sonnet", 3.0, 6.5)
    assert usual.of("sonnet", 3.0) > 4.0


async def test_a_tier_that_was_slow_is_tried_again_after_a_while() -> None:
    stopwatch = Stopwatch()
    usual = UsualTimes(stopwatch)
    for _ in range(20):
        usual.cut("sonnet", 3.0, 7.0)
    assert usual.of("sonnet", 3.0) > 6.5
    stopwatch.now_s = 6 * HALF_LIFE_S
    assert usual.of("sonnet", 3.0) == pytest.approx(3.0, abs=0.1)


class Town:
    """An engine whose tiers take so long, in virtual time."""

    def __init__(self, took_s: dict[Tier, float]) -> None:
        self.clock = VirtualClock()
        tiers: dict[Tier, TierModel] = {
            tier: TierModel(
                f"claude-{tier}-5-5", price_of(f"claude-{tier}-5-5"), USUAL_S[tier], 500
            )
            for tier in TIERS
        }
        models = {tier: FunctionModel(self._taking(took_s[tier])) for tier in TIERS}
        budget = Budget(MemoryLedger(), Caps(), self.clock.now)
        self.engine = Engine(models, tiers, budget, stopwatch=self.clock.monotonic)

    def _taking(self, seconds: float) -> Callable[[Question], Awaitable[str]]:
        async def answer(question: Question) -> str:
            await self.clock.sleep(seconds)
            return "Yes."

        return answer

    async def decided(self, work: Work, score: float, deadline_s: float) -> Decision:
        matter = Matter(work, Payer("Alice"), Question("", (Turn("user", "?"),)), deadline_s, score)
        return await asyncio.wait_for(self.engine.decide(matter, _by_rules), 30)


async def _by_rules(why: str, used: tuple[Used, ...]) -> str:
    return f"by rules: {why}"


async def test_once_opus_was_quick_it_decides_dangerous_events_too() -> None:
    town = Town({"haiku": 0.5, "sonnet": 1.0, "opus": 2.0})
    first = await town.decided("event", 6.0, 5.0)
    assert (first.route.tier, first.route.lowered_by) == ("sonnet", ("deadline",))
    for _ in range(12):
        assert (await town.decided("deep", 0.0, 15.0)).route.tier == "opus"
    assert (await town.decided("event", 6.0, 5.0)).route.tier == "opus"


async def test_once_sonnet_is_slow_a_person_with_little_time_left_is_answered_by_haiku() -> None:
    town = Town({"haiku": 0.5, "sonnet": 6.0, "opus": 9.0})
    for _ in range(12):
        assert (await town.decided("person", 0.0, 7.5)).route.tier == "sonnet"
    late = await town.decided("person", 0.0, 5.0)
    assert (late.route.tier, late.text) == ("haiku", "Yes.")


async def test_work_that_nobody_waits_for_teaches_nothing() -> None:
    town = Town({"haiku": 0.5, "sonnet": 1.0, "opus": 20.0})
    for _ in range(6):
        assert (await town.decided("periodic", 0.0, 60.0)).route.tier == "opus"
    assert (await town.decided("deep", 0.0, 15.0)).route.tier == "opus"
