"""A model that calls without end: few calls are made, the record is short, and somebody hears."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from support.cases import case_of, pending_turn
from support.daemons import Town
from support.rig import until
from unit.responder.test_asking_twice import DROP, HERE, Scene, scene_on, tools_of

from bots.bot.result import Result
from bots.chat import governor
from bots.responder.records.record import LONGEST, MOST_TOLD, facts_of
from bots.responder.rules.answers import LONGEST as LONGEST_REPORT
from bots.responder.rules.answers import PlainRules
from llm.engine.decision import MOST_CALLS, MOST_ROUNDS, ToolOutcome, Used, without_model
from llm.function_model import Answer
from llm.model import Completion, Question, ToolCall, Usage

MANY = 500
LONGEST_RECORD = 60_000  # characters of JSON
HEARD_WITHIN_S = 15.0


def many(question: Question, tool: str, arguments: dict[str, Any]) -> Completion:
    called = (ToolCall(f"{len(question.rounds)}-{n}", tool, arguments) for n in range(MANY))
    return Completion("", "function", Usage(100, 10), "tools", tuple(called))


async def facts(scene: Scene, name: str) -> dict[str, Any]:
    await until(lambda: list(scene.daemon.trace.recent(name)))
    return dict(list(scene.daemon.trace.recent(name))[-1].facts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("look", {"block": "stone", "within": 64}),
        ("ask_for", {"tool": "knows", "arguments": {"name": "Steve"}}),
        ("recall", {"about": "bees " * 1_500}),
        ("nonsense" * 1_000, {"x": "y" * 7_000}),
    ],
)
async def test_a_stranger_hears_something_and_little_is_done(
    town: Town, tool: str, arguments: dict[str, Any]
) -> None:
    def answer(question: Question) -> Answer:
        return many(question, tool, arguments)

    async with scene_on(town, answer) as scene:
        words = await scene.asks(scene.mallory, "What do you see?")
        made, sent = await facts(scene, "decision.made"), await facts(scene, "reply.sent")
        assert words
        assert sent["after_s"] < HEARD_WITHIN_S
        assert len(sent["text"]) <= LONGEST_REPORT + 40
        assert len(json.dumps(made)) < LONGEST_RECORD
        assert len(made["used"]) <= MOST_CALLS + MOST_ROUNDS + 1
        assert len(scene.model.questions) <= MOST_ROUNDS + 2


@pytest.mark.slow
async def test_all_requests_of_one_answer_share_its_calls(town: Town) -> None:
    """The first request looks about and then asks for more; the second looks about, too."""

    def answer(question: Question) -> Answer:
        if "hand_over" in tools_of(question):
            return many(question, "look", {"block": "stone"})
        asked = ToolCall("c", "ask_for", {"tool": "hand_over", "arguments": DROP})
        looks = many(question, "look", {"block": "stone"}).calls[: MOST_CALLS - 3]
        calls = (asked,) if question.rounds else looks
        return Completion("", "function", Usage(), "tools", calls)

    async with scene_on(town, answer) as scene:
        await scene.asks(scene.mallory, "I like bees")
        await scene.asks(scene.owner, "I could do with two of those shiny things")
        made = await facts(scene, "decision.made")
        done = [one for one in made["used"] if not one["outcome"].startswith("Not done")]
        assert len(done) == MOST_CALLS


def used(count: int, words: str = "", name: str = "look") -> tuple[Used, ...]:
    class Told(Result):
        message: str

    return tuple(
        Used(
            name, {"x": words}, ToolOutcome(words, result=Told(message=f"I saw {n}. {words}")), 0, 0
        )
        for n in range(count)
    )


def test_a_record_has_a_length_whatever_was_called() -> None:
    uses = used(MANY, "b" * 10_000, "c" * 10_000)
    made = facts_of(replace(without_model("a" * 10_000, "no_model"), used=uses))
    assert len(made["used"]) == len(made["tools"]) == MOST_TOLD
    assert len(made["text"]) == LONGEST
    assert len(json.dumps(made)) < MOST_TOLD * 2 * LONGEST + 10_000


def test_arguments_that_are_short_are_recorded_as_they_are() -> None:
    decision = replace(without_model("", "no_model"), used=used(1, "stone"))
    assert facts_of(decision)["used"][0]["arguments"] == {"x": "stone"}


async def test_a_report_tells_what_fits_and_how_much_more_there_is() -> None:
    rules = PlainRules(random.Random(1))
    report = await rules.decide(
        case_of([], pending_turn("Steve", "hello")), "max_rounds", used(100)
    )
    assert report.startswith("I saw 0.")
    assert "And " in report[-20:]
    assert len(report) <= LONGEST_REPORT + 40
    one = await rules.decide(
        case_of([], pending_turn("Steve", "hello")), "max_rounds", used(1) * 100
    )
    assert one.strip() == "I saw 0."


@pytest.mark.slow
async def test_an_answer_that_does_not_fit_is_said_in_part(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(governor, "LONGEST_ANSWER", 1)
    long = "Here is a sentence. " * 15
    async with scene_on(town, lambda question: long) as scene:
        heard = await scene.asks(scene.mallory, "Tell me something")
        assert heard
        assert heard in long


@pytest.mark.slow
async def test_nobody_agrees_to_a_question_that_was_said_in_part(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(governor, "LONGEST_ANSWER", 1)
    told = {"username": "you", "message": "so long " * 35}

    def answer(question: Question) -> Answer:
        if question.rounds or "yes" in question.turns[-1].text:
            return "Well."
        asked = {"tool": "chat", "arguments": told}
        return Completion("", "function", Usage(), "tools", (ToolCall("c", "ask_for", asked),))

    async with scene_on(town, answer) as scene:
        named_you = scene.world.person("you", HERE)
        asked = await scene.asks(scene.owner, "Say something to somebody")
        assert asked.startswith("Shall I tell the player “you”")
        assert not asked.endswith("?")
        await scene.asks(scene.owner, "yes")
        assert named_you.inbox == []
