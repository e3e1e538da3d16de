"""Whatever a model does, there is an answer in time that says where it came from."""

import asyncio
import time
from collections.abc import Callable

import pytest
import structlog
from support.decision_parts import engine_of

from llm.claude.model import AnthropicModel
from llm.engine.budget import Payer
from llm.engine.decision import Decision, Matter, Used, shortened, up_to_last_sentence
from llm.engine.engine import RULES_S, Engine
from llm.fake_api import Drop, Failure, FakeClaude, Step
from llm.fake_api import Reply as Scripted
from llm.function_model import FunctionModel
from llm.model import ChatModel, Completion, ModelUnavailable, Question, Turn

pytestmark = pytest.mark.slow

ASKED = Question("You are Alice.", (Turn("user", "hello"),))


async def by_rules(why: str, used: tuple[Used, ...]) -> str:
    return f"by rules, {why}"


def raising(error: Exception) -> Callable[[Question], str]:
    def answer(question: Question) -> str:
        raise error

    return answer


async def decided(engine: Engine, cut_s: float = 0.3) -> Decision:
    return await engine.decide(Matter("person", Payer("Alice"), ASKED, cut_s + RULES_S), by_rules)


async def answer(model: ChatModel, *, cut_s: float = 0.3) -> Decision:
    engine = engine_of(model)
    try:
        return await decided(engine, cut_s)
    finally:
        await engine.aclose()


def told(decision: Decision) -> tuple[str, str, str | None]:
    return decision.text, decision.source, decision.why


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (FunctionModel(lambda q: "  "), "empty"),
        (FunctionModel(raising(ModelUnavailable("network", partial="I am"))), "network"),
        (FunctionModel(raising(asyncio.CancelledError())), "failed"),  # type: ignore[arg-type]
    ],
    ids=["empty", "a few words", "cancelled"],
)
async def test_an_unusable_answer_is_replaced_by_the_rules(model: ChatModel, why: str) -> None:
    assert told(await answer(model)) == (f"by rules, {why}", "rules", why)


async def test_a_model_that_breaks_is_logged_and_replaced_by_the_rules() -> None:
    with structlog.testing.capture_logs() as logs:
        reply = await answer(FunctionModel(raising(ZeroDivisionError("oops"))))
    assert told(reply) == ("by rules, failed", "rules", "failed")
    assert [line["event"] for line in logs] == ["model.broke"]


class Deaf:
    """A model that neither keeps its deadline nor lets itself be cancelled soon."""

    model_id = "deaf"

    def __init__(self) -> None:
        self.released = asyncio.Event()

    async def complete(self, question: Question, *, deadline_s: float) -> Completion:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await self.released.wait()
        raise ModelUnavailable("deadline")

    async def warm(self) -> None: ...

    async def aclose(self) -> None:
        """Nothing to close."""


async def test_a_model_that_ignores_its_deadline_is_not_waited_for() -> None:
    model = Deaf()
    engine = engine_of(model)
    async with asyncio.timeout(2.0):
        reply = await decided(engine, 0.1)
    assert told(reply) == ("by rules, deadline", "rules", "deadline")
    model.released.set()
    await engine.aclose()


async def test_a_model_is_not_even_asked_when_no_time_is_left() -> None:
    model = FunctionModel(lambda q: "Hi.")
    reply = await answer(model, cut_s=0.0)
    assert (told(reply)[1:], model.questions) == (("rules", "deadline"), [])


@pytest.mark.parametrize(
    "step",
    [
        Failure(400),
        Failure(429, headers={"retry-after": "30"}),
        Failure(529),
        Drop(),
        Scripted(slow_s=60),
        Scripted("x" * 400, drip_s=0.1),
        Scripted(cut_after=3),
        Scripted(garbage_after=2),
        Scripted("", stop="refusal"),
        Scripted(""),
        Scripted("", thinking="hm"),
    ],
    ids=lambda step: repr(step)[:60],
)
async def test_every_fault_of_the_api_ends_in_an_answer_in_time(step: Step) -> None:
    async with FakeClaude(step).serving() as fake:
        model = AnthropicModel("claude-haiku-5-5", api_key="k", base_url=fake.url)
        await model.warm()
        began = time.monotonic()
        reply = await answer(model, cut_s=0.5)
        seconds = time.monotonic() - began
        await model.aclose()
    assert told(reply)[1] == "rules"
    assert seconds < 5.0


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("I am at 3.5, 64. And y", "I am at 3.5, 64."),
        ("今は森にいます。それか", "今は森にいます。"),
        ("Hm. And", ""),
        ("no border at all", ""),
    ],
)
def test_a_cut_text_ends_at_a_sentence(text: str, whole: str) -> None:
    assert up_to_last_sentence(text) == whole


def test_a_long_text_is_shortened_to_what_fits() -> None:
    assert shortened("short", 10) == "short"
    assert shortened("One sentence. " * 5, 30) == "One sentence. One sentence."
    assert shortened("x" * 50, 10) == "x" * 9 + "…"
