"""Whoever speaks to a bot is answered: in time, once, by model or by rules."""

from __future__ import annotations

import asyncio
import contextvars
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog
from support.town import SERVER, Town, until
from support.wits import wits_of

from bots.access.origin import Fellow, Person
from bots.chat.natural_message import NaturalMessage
from bots.chat.turn_taking import PersonTalk
from bots.observability.trace import Trace
from bots.responder.auto_replies import AutoReplies
from bots.responder.case.events import Happening
from bots.responder.case.inbox import Inbox
from bots.responder.case.persona import PersonaFiles
from bots.responder.decide import DecisionMaker
from bots.responder.responder import Responder
from bridge.fake import VirtualClock
from bridge.world import BotName, PlayerName, Position
from llm.engine.decision import Decision, without_model
from llm.errors import ModelUnavailable
from llm.function_model import FunctionModel
from llm.model import ChatModel, Question

pytestmark = pytest.mark.anyio

HERE = Position(0.5, 64, 0.5)
NEAR = Position(4.5, 64, 0.5)


class AnsweringTown:
    """A town whose bots answer."""

    def __init__(self, town: Town, folder: Path) -> None:
        self.town, self.world = town, town.world
        self.answerers: dict[str, Responder] = {}
        self.clock = VirtualClock()  # of pauses: it jumps when nobody has anything to do
        self.persons = PersonTalk(self.clock.monotonic)
        self._folder = folder
        self._running: list[asyncio.Task[None]] = []

    async def bot(
        self,
        name: str,
        position: Position = HERE,
        model: ChatModel | None = None,
        *,
        cut_s: float = 2.0,
        stopwatch: Callable[[], float] | None = None,
    ) -> Responder:
        bot = await self.town.bot(name, position)
        responder = Responder(
            bot,
            DecisionMaker(bot, wits_of(model, self._folder, seed=name, cut_s=cut_s)),
            turns=self.town.turns,
            persons=self.persons,
            auto_replies=AutoReplies((), per_minute=6, stopwatch=self.clock.monotonic),
            hearing_range=15.0,
            trace=self.town.trace,
            stopwatch=stopwatch or self.clock.monotonic,
            sleep=self.clock.sleep,
            rng=random.Random(name),
        )
        responder.listen()
        self._running.append(asyncio.create_task(responder.run()))
        self.answerers[name] = responder
        return responder

    def traces(self, name: str) -> list[Trace]:
        return list(self.town.trace.recent(name))

    async def aclose(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.town.aclose()


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[AnsweringTown]:
    town = AnsweringTown(await Town.found(tmp_path), tmp_path / "bots")
    yield town
    await town.aclose()


def saying(text: str) -> FunctionModel:
    return FunctionModel(lambda question: text)


async def test_a_whisper_is_answered_by_the_model_with_the_persona_as_its_system_prompt(
    town: AnsweringTown,
) -> None:
    model = saying("Right here.")
    await town.bot("Alice", model=model)
    steve = town.world.person("Steve", NEAR)
    steve.whisper("Alice", "where are you?")
    assert (await steve.hears()).text == "Right here."
    asked = model.questions[0]
    assert asked.system.startswith("You are Alice")
    assert "where are you" not in asked.system
    assert '{"from":"Steve","says":"where are you?"}' in asked.turns[-1].text


async def test_an_answer_is_recorded_and_its_decision_traced(town: AnsweringTown) -> None:
    await town.bot("Alice", model=saying("Hello!"))
    steve = town.world.person("Steve", NEAR)
    steve.whisper("Alice", "hi")
    await steve.hears()
    await until(lambda: town.traces("reply.sent"))
    history = town.town.bots["Alice"].get_conversation_history()
    assert [(m.utterance.speaker, m.text) for m in history] == [
        ("Steve", "hi"),
        ("Alice", "Hello!"),
    ]
    facts = town.traces("decision.made")[0].facts
    assert {key: facts[key] for key in ("speaker", "lines", "source", "why", "text")} == {
        "speaker": "Steve",
        "lines": 1,
        "source": "model",
        "why": None,
        "text": "Hello!",
    }


async def test_without_a_model_the_same_question_after_moving_has_another_true_answer(
    town: AnsweringTown,
) -> None:
    await town.bot("Alice")
    steve = town.world.person("Steve", Position(40.5, 64, 0.5))
    steve.whisper("Alice", "where are you?")
    first = (await steve.hears()).text
    town.world.teleport("Alice", Position(10.5, 64, 0.5))
    steve.whisper("Alice", "where are you?")
    second = (await steve.hears()).text
    assert ("0 64 0" in first, "10 64 0" in second) == (True, True)


@pytest.mark.parametrize("why", ["auth", "network", "overloaded", "bad_reply"])
async def test_a_model_that_fails_is_replaced_by_rules(town: AnsweringTown, why: str) -> None:
    def fail(question: Question) -> str:
        raise ModelUnavailable(why)  # type: ignore[arg-type]

    await town.bot("Alice", model=FunctionModel(fail))
    steve = town.world.person("Steve", NEAR)
    steve.whisper("Alice", "where are you?")
    assert "0 64 0" in (await steve.hears()).text
    assert town.traces("decision.made")[0].facts["why"] == why


async def test_a_model_that_hangs_is_cut_and_the_rules_answer(town: AnsweringTown) -> None:
    hanging = FunctionModel(lambda question: asyncio.sleep(60, "late"))
    await town.bot("Alice", model=hanging, cut_s=0.2)
    steve = town.world.person("Steve", NEAR)
    began = time.monotonic()
    steve.whisper("Alice", "what time is it?")
    assert "It is" in (await steve.hears()).text
    assert time.monotonic() - began < 5.0


async def test_broken_thinking_does_not_silence_the_bot(
    town: AnsweringTown, monkeypatch: pytest.MonkeyPatch
) -> None:
    await town.bot("Alice")
    steve = town.world.person("Steve", NEAR)
    monkeypatch.setattr(PersonaFiles, "read", lambda *args: 1 / 0)
    with structlog.testing.capture_logs() as logs:
        steve.whisper("Alice", "where are you?")
        assert "not answering right now" in (await steve.hears()).text
    assert "thinking.failed" in [line["event"] for line in logs]
    monkeypatch.undo()
    steve.whisper("Alice", "where are you?")
    assert "0 64 0" in (await steve.hears()).text


async def test_a_lost_bridge_loses_one_answer_and_not_the_next(town: AnsweringTown) -> None:
    release = asyncio.Event()

    async def think() -> str:
        await release.wait()
        return "Hello!"

    await town.bot("Alice", model=FunctionModel(lambda question: think()))
    steve = town.world.person("Steve", NEAR)
    steve.whisper("Alice", "hi")
    await until(lambda: "answer to Steve" in town.town.bots["Alice"].doing)
    town.world.kick("Alice", '{"text":"out"}')
    release.set()
    await until(lambda: town.traces("reply.failed"))
    await town.town.bridge.spawn(town.town.bots["Alice"].name, SERVER)
    steve.whisper("Alice", "hi again")
    assert (await steve.hears()).text == "Hello!"


async def test_a_burst_of_lines_gets_few_answers_that_cover_all(town: AnsweringTown) -> None:
    model = saying("I heard all of it.")
    town.clock = VirtualClock(auto=False)
    await town.bot("Alice", model=model)
    steve = town.world.person("Steve", NEAR)
    for number in range(50):
        steve.whisper("Alice", f"line {number}")
    await until(lambda: len(town.town.fired) == 50)
    async with asyncio.timeout(5.0):
        while sum(trace.facts["lines"] for trace in town.traces("reply.sent")) < 50:
            await town.clock.advance(0.5)
    assert len(steve.inbox) <= 3
    shown = "\n".join(turn.text for question in model.questions for turn in question.turns)
    assert [n for n in range(50) if f'"line {n}"' not in shown] == []


async def test_one_speaker_is_thought_about_at_a_time_and_nobody_is_lost(
    town: AnsweringTown,
) -> None:
    thinking, most = 0, 0

    async def think() -> str:
        nonlocal thinking, most
        thinking += 1
        most = max(most, thinking)
        await asyncio.sleep(0.01)
        thinking -= 1
        return "Hello!"

    await town.bot("Alice", model=FunctionModel(lambda question: think()))
    people = [town.world.person(name, NEAR) for name in ("Steve", "Carol", "Dave")]
    for person in people:
        person.whisper("Alice", "hi")
    for person in people:
        assert (await person.hears()).text == "Hello!"
    assert most == 1


async def test_whoever_waited_too_long_is_answered_by_rules_at_once(town: AnsweringTown) -> None:
    model = saying("too late")
    jumps = iter([0.0, *[9.0] * 40])  # heard at 0 s, thought about at 9 s
    await town.bot("Alice", model=model, stopwatch=lambda: next(jumps))
    steve = town.world.person("Steve", NEAR)
    steve.whisper("Alice", "where are you?")
    assert "0 64 0" in (await steve.hears()).text
    assert model.questions == []


async def test_an_answer_being_thought_of_can_be_stopped(town: AnsweringTown) -> None:
    await town.bot("Alice", model=FunctionModel(lambda q: asyncio.sleep(60, "late")))
    bot, steve = town.town.bots["Alice"], town.world.person("Steve", NEAR)
    steve.whisper("Alice", "hi")
    await until(lambda: bot.doing == ["answer to Steve"])
    assert await bot.stop() == ["answer to Steve"]
    await until(lambda: town.traces("decision.dropped"))
    assert town.traces("decision.dropped")[0].facts["why"] == "stopped"
    assert (bot.doing, steve.inbox) == ([], [])


async def test_an_answer_that_was_there_just_before_the_stop_is_not_said(
    town: AnsweringTown,
) -> None:
    responder = await town.bot("Alice")
    elsewhere = contextvars.Context()  # as `!stop` runs: in nothing that answers

    async def decide(*_: object) -> Decision:
        stop = town.town.bots["Alice"]._stoppables.stop
        asyncio.get_running_loop().call_soon(stop, context=elsewhere)
        return without_model("too late", "no_model")

    never = {"asks_to_stop": lambda message: False}
    responder._decision_maker = SimpleNamespace(decide=decide, **never)  # type: ignore[assignment]
    town.world.person("Steve", NEAR).whisper("Alice", "hi")
    await until(lambda: town.traces("decision.dropped"))
    assert town.traces("decision.made") == []
    assert town.town.bridge.sent == []


async def test_an_operator_reads_the_answer_in_the_history(town: AnsweringTown) -> None:
    await town.bot("Alice")
    await town.town.dispatchers["Alice"].message_from_operator("where are you?")
    await until(lambda: town.traces("reply.sent"))
    history = town.town.bots["Alice"].get_conversation_history()
    assert [m.utterance.speaker for m in history] == ["@operator", "Alice"]
    assert "0 64 0" in (history[1].text or "")
    assert town.town.bridge.sent == []


async def begin_talk(town: AnsweringTown, first: str, second: str) -> None:
    town.town.turns.begin_talk(first, second)
    text = await town.answerers[first].opener(second)
    assert (await town.town.bots[first].tell(second, text, 15.0)).success


def said_between(town: AnsweringTown) -> list[str]:
    return [line.text for line in town.town.bridge.sent]


async def test_two_bots_without_a_model_talk_and_part_by_themselves(town: AnsweringTown) -> None:
    await town.bot("Alice", HERE)
    await town.bot("Bob", NEAR)
    await begin_talk(town, "Alice", "Bob")
    await until(lambda: any(t.facts["why"] == "talk_is_over" for t in town.traces("decision.made")))
    assert 4 <= len(said_between(town)) <= 6
    for name in ("Alice", "Bob"):
        history = town.town.bots[name].get_conversation_history()
        assert len(history) == len(said_between(town))


async def test_two_bots_with_a_model_that_never_ends_are_ended_by_the_turn_limit(
    town: AnsweringTown,
) -> None:
    await town.bot("Alice", HERE, saying("And then?"))
    await town.bot("Bob", NEAR, saying("What else?"))
    await begin_talk(town, "Alice", "Bob")
    await until(lambda: town.traces("decision.dropped"))
    assert town.traces("decision.dropped")[0].facts["why"] == "turn_limit"
    assert len(said_between(town)) == 6


async def test_a_fellow_out_of_range_is_not_answered(town: AnsweringTown) -> None:
    await town.bot("Alice", HERE)
    await town.bot("Bob", NEAR)
    await begin_talk(town, "Alice", "Bob")
    town.world.teleport("Bob", Position(40.5, 64, 0.5))
    await until(lambda: town.traces("reply.sent"))
    facts = town.traces("reply.sent")[0].facts
    assert (facts["success"], facts["why"]) == (False, "out_of_range")


async def test_a_person_comes_before_a_fellow_and_quiets_it(town: AnsweringTown) -> None:
    def slowly_to_bots(question: Question) -> object:
        to_bot = '"who_is":"bot"' in question.turns[-1].text
        return asyncio.sleep(60, "late") if to_bot else "Hello Steve!"

    await town.bot("Alice", HERE)
    await town.bot("Bob", NEAR, FunctionModel(slowly_to_bots), cut_s=60.0)  # type: ignore[arg-type]
    steve = town.world.person("Steve", NEAR)
    await begin_talk(town, "Alice", "Bob")
    await until(lambda: "answer to Alice" in town.town.bots["Bob"].doing)
    steve.whisper("Bob", "hi Bob")
    assert (await steve.hears()).text == "Hello Steve!"
    assert town.traces("decision.dropped")[0].facts["why"] == "person_spoke"


def test_persons_are_answered_before_fellows_who_waited_longer() -> None:
    waiting = Inbox()
    speakers: list[Fellow | Person] = [Fellow(BotName("Bob")), Person(PlayerName("Steve"))]
    for number, origin in enumerate(speakers):
        line = NaturalMessage(BotName("Alice"), origin.name, "hi", number, origin, number)
        assert waiting.add(line, float(number))
    first = waiting.first()
    assert first is not None
    assert first.speaker == "Steve"


def test_whoever_spoke_is_answered_before_others_are_told_of_events() -> None:
    waiting = Inbox()
    carol, steve = Person(PlayerName("Carol")), Person(PlayerName("Steve"))
    waiting.add_happening("Carol", carol, Happening("action_ended", "Done.", 0.0))
    waiting.add(NaturalMessage(BotName("Alice"), "Steve", "hi", 1, steve, 1), 1.0)
    first = waiting.first()
    assert first is not None
    assert (first.speaker, first.trigger) == ("Steve", "message")


async def test_bots_keep_quiet_while_a_person_talks_with_either(town: AnsweringTown) -> None:
    await town.bot("Alice", HERE)
    await town.bot("Bob", NEAR)
    town.persons.spoke("Alice")
    await begin_talk(town, "Alice", "Bob")
    await until(lambda: town.traces("decision.dropped"))
    assert town.traces("decision.dropped")[0].facts["why"] == "person_talks"
