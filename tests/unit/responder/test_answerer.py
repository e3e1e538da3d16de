"""Everyone who speaks to a bot gets one answer in time, from a model or rules."""

import asyncio
import contextvars
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog
from support.responders import NO_BRAKE, responder_of
from support.rig import Rig, until

from bots.access.origin import OPERATOR_NAME, Person, operator_called
from bots.access.sources import Sources
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, MessageAnswered
from bots.chat.direct import SpeechResult
from bots.chat.message import Kind
from bots.chat.natural_message import NaturalMessage
from bots.chat.turn_taking import PersonTalk
from bots.observability.trace import Trace
from bots.responder.case.inbox import MOST_SPEAKERS, EventReport
from bots.responder.case.persona import PersonaFiles
from bots.responder.decide import DecisionMaker, Reply
from bots.responder.responder import Responder
from bridge.errors import HostError
from bridge.events import Refusal
from bridge.fake import VirtualClock
from bridge.fake.body import Person as FakePlayer
from bridge.world import PlayerName, Position
from llm.engine.decision import without_model
from llm.function_model import FunctionModel
from llm.model import ChatModel, ModelUnavailable, Question

HERE = Position(0.5, 64, 0.5)
NEAR = Position(4.5, 64, 0.5)


class AnsweringRig:
    """Bots that answer."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig, self.world = rig, rig.world
        self.answerers: dict[str, Responder] = {}
        self.clock = rig.jumping_clock()
        self.persons = PersonTalk(self.clock.monotonic)
        self._folder = folder

    async def bot(
        self,
        name: str,
        position: Position = HERE,
        model: ChatModel | None = None,
        *,
        cut_s: float = 2.0,
        stopwatch: Callable[[], float] | None = None,
        handful: int = NO_BRAKE,
    ) -> Responder:
        def equip(bot: Bot) -> Responder:
            responder = self.answerers[name] = responder_of(
                bot,
                self.rig,
                self._folder,
                model,
                self.persons,
                self.clock,
                cut_s=cut_s,
                stopwatch=stopwatch,
                handful=handful,
            )
            return responder

        await self.rig.bot(name, position, equip=equip)
        return self.answerers[name]

    def traces(self, name: str) -> list[Trace]:
        return list(self.rig.trace.recent(name))

    def has_traced(self, name: str, times: int) -> bool:
        return len(self.traces(name)) >= times

    async def aclose(self) -> None:
        await self.rig.aclose()


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[AnsweringRig]:
    rig = AnsweringRig(await Rig.found(tmp_path), tmp_path / "bots")
    yield rig
    await rig.aclose()


async def hang(_question: Question) -> str:
    await asyncio.Event().wait()
    return "late"


def saying(text: str) -> FunctionModel:
    return FunctionModel(lambda question: text)


async def test_a_whisper_is_answered_by_the_model_with_the_persona_as_its_system_prompt(
    rig: AnsweringRig,
) -> None:
    model = saying("Right here.")
    await rig.bot("Alice", model=model)
    steve = rig.world.person("Steve", NEAR)
    steve.whisper("Alice", "where are you?")
    assert (await steve.hears()).text == "Right here."
    asked = model.questions[0]
    assert "You are Alice and nobody else" in asked.character
    assert "where are you" not in asked.instructions
    assert '{"from":"Steve","says":"where are you?"}' in asked.turns[-1].text


async def test_an_answer_is_recorded_and_its_decision_traced(rig: AnsweringRig) -> None:
    await rig.bot("Alice", model=saying("Hello!"))
    steve = rig.world.person("Steve", NEAR)
    steve.whisper("Alice", "hi")
    await steve.hears()
    await until(lambda: rig.traces("reply.sent"))
    history = rig.rig.bots["Alice"].get_conversation_history()
    assert [(m.utterance.speaker, m.text) for m in history] == [
        ("Steve", "hi"),
        ("Alice", "Hello!"),
    ]
    facts = rig.traces("decision.made")[0].facts
    assert {key: facts[key] for key in ("speaker", "lines", "source", "why", "text")} == {
        "speaker": "Steve",
        "lines": 1,
        "source": "model",
        "why": None,
        "text": "Hello!",
    }


async def test_without_a_model_the_same_question_after_moving_has_another_true_answer(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice")
    steve = rig.world.person("Steve", Position(40.5, 64, 0.5))
    steve.whisper("Alice", "where are you?")
    first = (await steve.hears()).text
    rig.world.teleport("Alice", Position(10.5, 64, 0.5))
    steve.whisper("Alice", "where are you?")
    second = (await steve.hears()).text
    assert ("0 64 0" in first, "10 64 0" in second) == (True, True)


@pytest.mark.parametrize("why", ["auth", "network", "overloaded", "bad_reply"])
async def test_a_model_that_fails_is_replaced_by_rules(rig: AnsweringRig, why: str) -> None:
    def fail(question: Question) -> str:
        raise ModelUnavailable(why)  # type: ignore[arg-type]

    await rig.bot("Alice", model=FunctionModel(fail))
    steve = rig.world.person("Steve", NEAR)
    steve.whisper("Alice", "where are you?")
    assert "0 64 0" in (await steve.hears()).text
    assert rig.traces("decision.made")[0].facts["why"] == why


async def test_a_model_that_hangs_is_cut_and_the_rules_answer(rig: AnsweringRig) -> None:
    await rig.bot("Alice", model=FunctionModel(hang), cut_s=0.2)
    steve = rig.world.person("Steve", NEAR)
    began = time.monotonic()
    steve.whisper("Alice", "what time is it?")
    assert "It is" in (await steve.hears()).text
    assert time.monotonic() - began < 5.0


async def test_broken_thinking_does_not_silence_the_bot(
    rig: AnsweringRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await rig.bot("Alice")
    steve = rig.world.person("Steve", NEAR)
    monkeypatch.setattr(PersonaFiles, "read", lambda *args: 1 / 0)
    with structlog.testing.capture_logs() as logs:
        steve.whisper("Alice", "where are you?")
        assert "not answering right now" in (await steve.hears()).text
    assert "decision.failed" in [line["event"] for line in logs]
    monkeypatch.undo()
    steve.whisper("Alice", "where are you?")
    assert "0 64 0" in (await steve.hears()).text


async def test_what_rules_said_while_the_model_failed_is_not_taken_for_the_bots_own_words(
    rig: AnsweringRig,
) -> None:
    def answer(question: Question) -> str:
        if "rainbow" in question.turns[-1].text:
            raise ModelUnavailable("overloaded", unbilled=True)
        return "I am well."

    model = FunctionModel(answer)
    await rig.bot("Alice", model=model)
    steve = rig.world.person("Steve", NEAR)
    steve.whisper("Alice", "what is at the end of a rainbow?")
    sorry = (await steve.hears()).text
    assert "not answering right now" in sorry
    steve.whisper("Alice", "how are you?")
    await steve.hears()
    steve.whisper("Alice", "and now?")
    await steve.hears()
    own = [turn.text for turn in model.questions[-1].turns if turn.role == "assistant"]
    assert own == ["I am well."]
    shown = "\n".join(turn.text for turn in model.questions[-1].turns)
    assert f'"rules_had_you_say":"{sorry}"' in shown
    alice = rig.rig.bots["Alice"]
    await until(lambda: len(alice.get_conversation_history(type="bot_response")) == 3)
    history = alice.get_conversation_history(type="bot_response")
    assert [message.text for message in history] == [sorry, "I am well.", "I am well."]
    assert {message.as_json()["type"] for message in history} == {"conversation"}


async def test_a_failure_of_the_bridge_loses_one_answer_and_not_the_next(rig: AnsweringRig) -> None:
    await rig.bot("Alice", model=saying("Hello!"))
    steve = rig.world.person("Steve", NEAR)
    rig.rig.bridge.faults.fail_next("whisper", HostError("whisper", "it broke"))
    steve.whisper("Alice", "hi")
    await until(lambda: rig.traces("reply.failed"))
    steve.whisper("Alice", "hi again")
    assert (await steve.hears()).text == "Hello!"


async def test_who_asks_again_because_no_answer_came_is_answered_when_one_can_be_said(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice", model=saying("Hello!"), handful=1)
    steve = rig.world.person("Steve", NEAR)
    for number in range(1, 6):
        rig.rig.bridge.faults.fail_next("whisper", HostError("whisper", "it broke"))
        steve.whisper("Alice", "hi")
        await until(partial(rig.has_traced, "reply.failed", number))
    steve.whisper("Alice", "hi")
    assert (await steve.hears()).text == "Hello!"


async def test_a_burst_of_lines_gets_few_answers_that_cover_all(rig: AnsweringRig) -> None:
    model = saying("I heard all of it.")
    rig.clock = VirtualClock(auto=False)
    await rig.bot("Alice", model=model)
    steve = rig.world.person("Steve", NEAR)
    for number in range(50):
        steve.whisper("Alice", f"line {number}")
    await until(lambda: len(rig.rig.fired) == 50)
    async with asyncio.timeout(5.0):
        while sum(trace.facts["lines"] for trace in rig.traces("reply.sent")) < 50:
            await rig.clock.advance(0.5)
    assert len(steve.inbox) <= 3
    shown = "\n".join(turn.text for question in model.questions for turn in question.turns)
    assert [n for n in range(50) if f'"line {n}"' not in shown] == []


async def test_one_speaker_is_thought_about_at_a_time_and_nobody_is_lost(
    rig: AnsweringRig,
) -> None:
    thinking, most = 0, 0

    async def think() -> str:
        nonlocal thinking, most
        thinking += 1
        most = max(most, thinking)
        await asyncio.sleep(0.01)
        thinking -= 1
        return "Hello!"

    await rig.bot("Alice", model=FunctionModel(lambda question: think()))
    people = [rig.world.person(name, NEAR) for name in ("Steve", "Carol", "Dave")]
    for person in people:
        person.whisper("Alice", "hi")
    for person in people:
        assert (await person.hears()).text == "Hello!"
    assert most == 1


async def test_whoever_waited_too_long_is_answered_by_rules_at_once(rig: AnsweringRig) -> None:
    model = saying("too late")
    jumps = iter([0.0, *[9.0] * 40])  # heard at 0 s, thought about at 9 s
    await rig.bot("Alice", model=model, stopwatch=lambda: next(jumps))
    steve = rig.world.person("Steve", NEAR)
    steve.whisper("Alice", "where are you?")
    assert "0 64 0" in (await steve.hears()).text
    assert model.questions == []


async def test_an_answer_being_thought_of_can_be_stopped(rig: AnsweringRig) -> None:
    await rig.bot("Alice", model=FunctionModel(hang))
    bot, steve = rig.rig.bots["Alice"], rig.world.person("Steve", NEAR)
    steve.whisper("Alice", "hi")
    await until(lambda: bot.doing == ["answer to Steve"])
    assert await bot.stop() == ["answer to Steve"]
    await until(lambda: rig.traces("decision.dropped"))
    assert rig.traces("decision.dropped")[0].facts["why"] == "stopped"
    assert (bot.doing, steve.inbox) == ([], [])


async def test_an_answer_that_was_there_just_before_the_stop_is_not_said(
    rig: AnsweringRig,
) -> None:
    responder = await rig.bot("Alice")
    elsewhere = contextvars.Context()  # as `!stop` runs: in nothing that answers
    stopping: list[asyncio.Task[list[str]]] = []

    async def decide(*_: object, **__: object) -> Reply:
        stop = rig.rig.bots["Alice"]._stoppables.stop
        loop = asyncio.get_running_loop()
        loop.call_soon(lambda: stopping.append(loop.create_task(stop(), context=elsewhere)))
        return Reply(without_model("too late", "no_model"))

    never = {"asks_to_stop": lambda message: False}
    responder._decision_maker = SimpleNamespace(decide=decide, in_depth_s=0.0, **never)  # type: ignore[assignment]
    rig.world.person("Steve", NEAR).whisper("Alice", "hi")
    await until(lambda: rig.traces("decision.dropped"))
    assert await stopping[0] == ["answer to Steve"]
    assert rig.traces("decision.made") == []
    assert rig.rig.bridge.sent == []


async def test_a_stop_that_fails_is_logged_and_its_line_is_answered_all_the_same(
    rig: AnsweringRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    await rig.bot("Alice", model=saying("What is it?"))
    monkeypatch.setattr(DecisionMaker, "stop", broken)
    steve = rig.world.person("Steve", NEAR)
    with structlog.testing.capture_logs() as logged:
        steve.whisper("Alice", "stop")
        assert (await steve.hears()).text == "What is it?"
    assert [entry["bot"] for entry in logged if entry["event"] == "stop.failed"] == ["Alice"]


async def test_an_operator_reads_the_answer_in_the_history(rig: AnsweringRig) -> None:
    await rig.bot("Alice")
    await rig.rig.roster.find("Alice").dispatcher.message_from_operator("where are you?")
    await until(lambda: rig.traces("reply.sent"))
    history = rig.rig.bots["Alice"].get_conversation_history()
    assert [m.utterance.speaker for m in history] == ["@operator", "Alice"]
    assert "0 64 0" in (history[1].text or "")
    assert rig.rig.bridge.sent == []


async def test_an_operator_is_called_by_name_not_by_the_mark_of_the_record(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice", model=saying("Hi @Yuki! I am well."))
    dispatcher = rig.rig.roster.find("Alice").dispatcher
    heard = await dispatcher.message_from_operator("how are you?", operator_called("Yuki"))
    await until(lambda: rig.traces("reply.sent"))
    history = rig.rig.bots["Alice"].get_conversation_history()
    assert heard.utterance.speaker == "@Yuki"
    assert history[-1].text == "Hi Yuki! I am well."


async def begin_talk(rig: AnsweringRig, first: str, second: str) -> None:
    text = f"Hello {second}! What do you have with you?"
    assert (await rig.rig.bots[first].tell(second, text, 15.0)).success


def said_between(rig: AnsweringRig) -> list[str]:
    return [line.text for line in rig.rig.bridge.sent]


async def test_two_bots_without_a_model_talk_and_part_by_themselves(rig: AnsweringRig) -> None:
    await rig.bot("Alice", HERE)
    await rig.bot("Bob", NEAR)
    await begin_talk(rig, "Alice", "Bob")
    await until(lambda: any(t.facts["why"] == "talk_is_over" for t in rig.traces("decision.made")))
    assert 4 <= len(said_between(rig)) <= 6
    for name in ("Alice", "Bob"):
        history = rig.rig.bots[name].get_conversation_history()
        assert len(history) == len(said_between(rig))


async def test_two_bots_with_a_model_that_never_ends_are_ended_by_the_turn_limit(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice", HERE, saying("And then?"))
    await rig.bot("Bob", NEAR, saying("What else?"))
    await begin_talk(rig, "Alice", "Bob")
    await until(lambda: rig.traces("decision.dropped"))
    assert rig.traces("decision.dropped")[0].facts["why"] == "turn_limit"
    assert len(said_between(rig)) == 6


async def test_a_fellow_out_of_range_is_not_answered(rig: AnsweringRig) -> None:
    await rig.bot("Alice", HERE)
    await rig.bot("Bob", NEAR)
    await begin_talk(rig, "Alice", "Bob")
    rig.world.teleport("Bob", Position(40.5, 64, 0.5))
    await until(lambda: rig.traces("reply.sent"))
    facts = rig.traces("reply.sent")[0].facts
    assert (facts["success"], facts["why"]) == (False, "out_of_range")


async def test_a_person_comes_before_a_fellow_and_quiets_it(rig: AnsweringRig) -> None:
    def slowly_to_bots(question: Question) -> object:
        to_bot = '"who":"bot"' in question.turns[-1].text
        return hang(question) if to_bot else "Hello Steve!"

    await rig.bot("Alice", HERE)
    await rig.bot("Bob", NEAR, FunctionModel(slowly_to_bots), cut_s=60.0)  # type: ignore[arg-type]
    steve = rig.world.person("Steve", NEAR)
    await begin_talk(rig, "Alice", "Bob")
    await until(lambda: "answer to Alice" in rig.rig.bots["Bob"].doing)
    steve.whisper("Bob", "hi Bob")
    assert (await steve.hears()).text == "Hello Steve!"
    assert rig.traces("decision.dropped")[0].facts["why"] == "person_spoke"


async def test_bots_keep_quiet_while_a_person_talks_with_either(rig: AnsweringRig) -> None:
    await rig.bot("Alice", HERE)
    await rig.bot("Bob", NEAR)
    rig.persons.spoke("Alice")
    await begin_talk(rig, "Alice", "Bob")
    await until(lambda: rig.traces("decision.dropped"))
    assert rig.traces("decision.dropped")[0].facts["why"] == "person_talks"


async def test_words_that_somebody_had_a_bot_say_are_answered_whatever_was_said_before(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice", HERE, saying("And then?"))
    await rig.bot("Bob", NEAR, saying("What else?"))
    await begin_talk(rig, "Alice", "Bob")
    await until(lambda: rig.traces("decision.dropped"))
    rig.persons.spoke("Bob")
    before = len(said_between(rig))
    await had_say(rig, "How are you?")
    await until(lambda: len(said_between(rig)) > before + 1)
    assert said_between(rig)[before : before + 2] == ["How are you?", "What else?"]


async def test_words_that_somebody_had_a_bot_say_are_answered_by_rules_too_and_at_once(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice", HERE)
    await rig.bot("Bob", NEAR)
    began_s = rig.clock.monotonic()
    await had_say(rig, "Where are you?")
    await until(lambda: len(said_between(rig)) > 1)
    assert "4 64 0" in said_between(rig)[1]
    assert rig.clock.monotonic() == began_s


async def test_a_persons_line_does_not_end_an_answer_that_somebody_waits_for(
    rig: AnsweringRig,
) -> None:
    thinking, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(question: Question) -> str:
        if "had_you_say" not in question.turns[-1].text and not thinking.is_set():
            thinking.set()
            await go_on.wait()
        return "Well."

    await rig.bot("Alice", HERE)
    await rig.bot("Bob", NEAR, FunctionModel(slowly), cut_s=60.0)
    steve = rig.world.person("Steve", NEAR)
    await had_say(rig, "How are you?")
    await thinking.wait()
    steve.whisper("Bob", "hi Bob")
    await steve.hears()
    go_on.set()
    await until(lambda: [line.text for line in rig.rig.bridge.sent if line.bot == "Bob"][1:])
    assert rig.traces("decision.dropped") == []


async def test_whoever_had_a_bot_speak_is_told_why_the_other_does_not_answer(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice", HERE)
    await rig.bot("Bob", Position(40.5, 64, 0.5))
    steve = rig.world.person("Steve", NEAR)
    alice = rig.rig.bots["Alice"]
    assert (await alice.tell("Bob", "How are you?", 60.0, asked_by="Steve")).success
    told = (await steve.hears()).text
    assert told.startswith("I heard Alice, but did not answer: Alice is 40 blocks away")


async def test_an_operator_reads_in_the_history_why_a_bot_does_not_answer(
    rig: AnsweringRig,
) -> None:
    await rig.bot("Alice", HERE)
    await rig.bot("Bob", Position(40.5, 64, 0.5))
    alice, bob = rig.rig.bots["Alice"], rig.rig.bots["Bob"]
    assert (await alice.tell("Bob", "How are you?", 60.0, asked_by=OPERATOR_NAME)).success
    await until(lambda: bob.get_conversation_history(type="system_info"))
    (noted,) = bob.get_conversation_history(type="system_info")
    assert (noted.text or "").startswith("I heard Alice, but did not answer: Alice is 40 blocks")


async def had_say(rig: AnsweringRig, words: str) -> None:
    """Steve has Alice say these words to Bob."""
    told = await rig.rig.bots["Alice"].tell("Bob", words, 15.0, asked_by="Steve")
    assert told.success


async def test_an_answer_that_reaches_a_person_is_a_message_answered(rig: AnsweringRig) -> None:
    steve, answered = await steve_and_answered(rig)
    steve.whisper("Alice", "where are you?")
    await steve.hears()
    await until(lambda: rig.traces("reply.sent"))
    assert answered == [MessageAnswered("Steve")]


async def test_an_answer_that_does_not_arrive_is_no_message_answered(
    rig: AnsweringRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def not_sent(
        self: Bot, username: str, text: str, *, sources: Sources, kind: Kind
    ) -> SpeechResult:
        return SpeechResult(username, text, None, None, sources, reason="out_of_range")

    monkeypatch.setattr(Bot, "reply", not_sent)
    steve, answered = await steve_and_answered(rig)
    steve.whisper("Alice", "where are you?")
    await until(lambda: rig.traces("reply.sent"))
    assert answered == []


async def test_an_answer_to_another_bot_is_no_message_answered(rig: AnsweringRig) -> None:
    _, answered = await steve_and_answered(rig)
    await rig.bot("Bob", NEAR)
    await begin_talk(rig, "Bob", "Alice")
    await until(lambda: any(sent.bot == "Alice" for sent in rig.traces("reply.sent")))
    assert answered == []


async def steve_and_answered(rig: AnsweringRig) -> tuple[FakePlayer, list[BotEvent]]:
    """Steve, near an Alice who answers, and the messages she has answered from now on."""
    await rig.bot("Alice")
    answered: list[BotEvent] = []

    def take(event: BotEvent) -> None:
        if isinstance(event, MessageAnswered):
            answered.append(event)

    rig.rig.bots["Alice"].events.subscribe(take)
    return rig.world.person("Steve", NEAR), answered


async def test_an_event_is_told_while_others_never_stop_talking(
    rig: AnsweringRig,
) -> None:
    async def slowly(_question: Question) -> str:
        await rig.clock.sleep(3)
        return "Hello."

    async def talk_on(person: FakePlayer) -> None:
        while True:
            person.whisper("Alice", "hi")
            await person.hears()

    responder = await rig.bot("Alice", model=FunctionModel(slowly), cut_s=7)
    mallory = rig.world.person("Mallory", NEAR)
    others = [rig.world.person(name, NEAR) for name in ("Steve", "Alex")]
    talking = [asyncio.create_task(talk_on(person)) for person in others]
    await until(lambda: rig.traces("decision.made"))
    event = EventReport("action_ended", "I have looked around.", rig.clock.monotonic())
    responder._inbox.report("Mallory", Person(mallory.name), event)
    assert (await mallory.hears()).text == "I have looked around."
    for task in talking:
        task.cancel()
    await asyncio.gather(*talking, return_exceptions=True)


@pytest.mark.parametrize("of_public", [False, True])
async def test_the_end_of_what_was_asked_in_public_is_public_where_whispers_are_refused(
    rig: AnsweringRig, of_public: bool
) -> None:
    responder = await rig.bot("Alice", model=FunctionModel(lambda _question: "Here I am."))
    steve = rig.world.person("Steve", NEAR)
    rig.world.refused["tell"] = Refusal("forbidden", "You do not have permission")
    now_s = rig.clock.monotonic()
    event = EventReport("action_ended", "I am at Steve.", now_s, of_public=of_public)
    responder._inbox.report("Steve", Person(steve.name), event)
    await until(lambda: rig.traces("reply.sent"))
    heard = [line.text for line in steve.overheard]
    assert (steve.inbox, heard) == ([], ["Steve: Here I am."] if of_public else [])


async def test_whoever_speaks_where_too_many_wait_already_is_told_so(rig: AnsweringRig) -> None:
    await rig.bot("Alice", model=FunctionModel(hang), cut_s=60.0)
    alice, mallory = rig.rig.bots["Alice"], rig.world.person("Mallory", NEAR)
    for number in range(MOST_SPEAKERS + 1):
        stranger = Person(PlayerName(f"P{number}"))
        alice.fire(NaturalMessage(alice.name, stranger.name, "hello", 0, stranger, number + 1))
        await asyncio.sleep(0)
    mallory.whisper("Alice", "hello?")
    assert "Too many people talk to me" in (await mallory.hears()).text
