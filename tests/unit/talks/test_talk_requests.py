"""A request to one bot of a talk is carried out outside of it, and the talk goes on."""

import pytest
from support.daemons import Town
from support.live_talks import (
    is_of_talk,
    is_summary,
    model_of,
    opened_by_people,
    over,
    policy,
    said,
    speaker_of,
    talking,
)
from support.rig import run_json, until
from support.talk_by_hand import TalkByHand, bot, person

from bots.access.origin import Person
from bots.app import Daemon
from bots.bot.events import BotEvent, MessageAnswered
from bots.responder.limits import LineLimit
from bots.settings.settings import PermissionSettings
from bots.talks.live.start_phrases import called, nicknames_of, without_call
from bots.talks.machine.events import BecameBusy, BecameFree, Participant, Spoke, as_json, event_of
from bots.talks.machine.policy import Caps, TalkPolicy
from bridge.world import PlayerName, Position
from llm.function_model import Answer, FunctionModel
from llm.model import Completion, Question, ToolCall, Usage

HERE = Position(8.5, 64, 8.5)
MALLORY = Person(PlayerName("Mallory"))
BOTS = ("Alice", "Bob", "Cara")


@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("Bob, follow me", ("Bob",)),
        ("hey bob come here", ("Bob",)),
        ("Bobさん、ついてきて", ("Bob",)),
        ("come here please, Bob!", ("Bob",)),
        ("Alice and Bob, follow me", ("Alice", "Bob")),
        ("follow me", ()),
        ("give it to Bob", ()),
        ("Bobby, follow me", ()),
    ],
)
def test_a_line_calls_whom_it_names_first_or_after_its_last_comma(
    line: str, whom: tuple[str, ...]
) -> None:
    assert called(line, BOTS) == whom


@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("ルミナ、ついてきて", ("Cara",)),
        ("come here please, Lumi!", ("Cara",)),
        ("hey Bob, Lumi, what now?", ("Bob", "Cara")),
        ("hey Cara, Lumi, what now?", ("Cara",)),
        ("Lumina, come", ()),
    ],
)
def test_a_line_may_call_a_bot_by_its_other_names(line: str, whom: tuple[str, ...]) -> None:
    nicknames = nicknames_of([Participant("Cara", "bot", "ルミナ", "Lumi"), bot("Bob")])
    assert called(line, BOTS, nicknames) == whom


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("hey Alice, Bob, what shall we build?", "what shall we build?"),
        ("Alice、Bob、Steveの家を作ろう", "Steveの家を作ろう"),
        ("Hey Alice and BOB", ""),
        ("What now?", "What now?"),
    ],
)
def test_what_is_said_to_those_called_is_the_line_without_their_names(line: str, rest: str) -> None:
    assert without_call(line, BOTS) == rest


def test_whoever_sees_to_a_request_leaves_the_floor_and_comes_back_for_its_turn() -> None:
    talk = TalkByHand((bot("Alice"), bot("Bob"), person("Steve")), TalkPolicy(nudge_after_s=None))
    assert talk.thinking.speaker == "Alice"
    talk.tell(Spoke("Steve", "Alice, follow me", {}, "Alice", ("Alice",)))
    talk.tell(BecameBusy("Alice"))
    assert talk.talk.owed == ("Alice",)
    talk.waits()
    assert talk.talk.speaking is None
    talk.tell(BecameFree("Alice"))
    assert talk.speakers == ["Alice", "Alice"]


def test_nobody_in_the_talk_answers_a_request_that_somebody_sees_to() -> None:
    talk = TalkByHand(
        (bot("Alice"), bot("Bob"), person("Steve")),
        TalkPolicy(opening="person", nudge_after_s=None),
    )
    talk.tell(Spoke("Steve", "Bob, follow me", {}, "Bob", ("Bob",)))
    assert talk.speakers == []
    assert [line.text for line in talk.talk.lines] == ["Bob, follow me"]


def test_words_that_somebody_had_a_bot_say_are_answered_when_bots_wait_for_a_person() -> None:
    policy = TalkPolicy(caps=Caps(bot_turns=2), goodbye=False, gap_s=9.0)
    talk = TalkByHand((bot("Alice"), bot("Bob"), person("Steve")), policy)
    talk.says("One. [Next: Bob]")
    talk.waits()
    talk.says("Two. [Next: Alice]")
    assert talk.talk.floor is None
    talk.tell(Spoke("Alice", "Bob, how are you?", {"Bob": None}, "Bob"))
    assert talk.thinking.speaker == "Bob"


def test_a_request_is_read_back_from_the_database_as_it_was() -> None:
    spoke = Spoke("Steve", "Bob, follow me", {"Bob": None}, "Bob", ("Bob",))
    assert event_of(as_json(spoke)) == spoke


@pytest.mark.slow
@pytest.mark.parametrize("with_model", [True, False])
@pytest.mark.parametrize(("told", "line"), [("Bob", "follow me"), ("Alice", "Bob, follow me")])
async def test_a_bot_asked_in_a_talk_to_follow_follows_and_stays_in_the_talk(
    town: Town, told: str, line: str, with_model: bool
) -> None:
    steve = town.world.person("Steve", HERE)

    def answer(name: str, question: Question) -> str:
        return f"{name} talks on." if is_of_talk(question) else ""  # no words: the rules act

    answers = answer if with_model else None
    async with talking(town.bridge, town.folder, answers) as daemon:
        talk = await daemon.talk(*BOTS, "Steve", policy=opened_by_people())
        steve.whisper(told, line)
        await until(lambda: _following(daemon, "Bob"))
        await until(lambda: any(h.sender == "Bob" and "follow" in h.text for h in steve.inbox))
        assert not _following(daemon, "Alice")
        await until(lambda: talk.lines)
        assert [(one.speaker, one.text) for one in talk.lines] == [("Steve", line)]
        assert ("Steve", line) in said(daemon, "Cara")
        assert "Bob" in [one.name for one in talk.machine.participants]


async def test_a_request_that_a_bot_of_a_talk_sees_to_counts_as_one_answer(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    words = {"Alice": "I am fine. [Next: Bob]", "Bob": "So am I."}
    model = model_of(lambda name, q: words[name] if is_of_talk(q) else "")  # else the rules act
    async with talking(town.bridge, town.folder, model=model) as daemon:
        talk = await daemon.talk(*BOTS, "Steve", policy=opened_by_people(turns=2))
        answered: list[BotEvent] = []
        daemon.bot("Bob").events.subscribe(answered.append)
        steve.whisper("Bob", "follow me")
        await until(lambda: MessageAnswered("Steve") in answered)
        steve.whisper("Alice", "how are you?")
        await over(talk)
        assert [line.speaker for line in talk.lines][-2:] == ["Alice", "Bob"]
        assert answered.count(MessageAnswered("Steve")) == 1


async def test_a_request_that_cannot_be_carried_out_is_answered_with_its_reason(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder) as daemon:
        talk = await daemon.talk(*BOTS, "Steve", policy=opened_by_people())
        steve.whisper("Bob", "give Zoe 5 oak planks")
        await until(lambda: any("Nobody called zoe" in heard.text for heard in steve.inbox))
        await until(lambda: talk.lines)
        assert [line.speaker for line in talk.lines] == ["Steve"]


async def test_a_model_reads_who_sees_to_a_request(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    model = model_of(lambda name, q: f"{name} is here." if is_of_talk(q) else "")
    async with talking(town.bridge, town.folder, model=model) as daemon:
        talk = await daemon.talk(*BOTS, "Steve", policy=opened_by_people(turns=1))
        steve.whisper("Bob", "follow me")
        await until(lambda: _following(daemon, "Bob"))
        steve.whisper("Alice", "how are you?")
        await over(talk)
    asked = next(q for q in model.questions if is_of_talk(q) and speaker_of(q) == "Alice")
    assert '{"from":"Steve","says":"follow me","seen_to_by":["Bob"]}' in [
        turn.text for turn in asked.turns
    ]


@pytest.mark.slow
@pytest.mark.parametrize("told", ["[Act]", '{"says": "Sure!", "next": "Cara", "acts": true}'])
async def test_what_only_a_model_understands_as_a_request_is_carried_out_outside_of_the_talk(
    town: Town, told: str
) -> None:
    steve = town.world.person("Steve", HERE)

    def answer(name: str, question: Question) -> Answer:
        if is_of_talk(question):
            return told if name == "Bob" else f"{name} is here."
        follow = ToolCall("c1", "navigation_follow", {"targetPlayer": "Steve"})
        if not question.rounds:
            return Completion("", "claude", Usage(100, 10), "tools", (follow,))
        return "Right behind you!"

    model = FunctionModel(
        lambda question: "" if is_summary(question) else answer(speaker_of(question), question)
    )
    async with talking(town.bridge, town.folder, model=model) as daemon:
        talk = await daemon.talk(*BOTS, "Steve", policy=opened_by_people())
        steve.whisper("Bob", "mind keeping me company on the way home?")
        await until(lambda: any("Right behind you" in heard.text for heard in steve.inbox))
        assert _following(daemon, "Bob")
        assert "Bob" not in [line.speaker for line in talk.lines]
        assert "Bob" in [one.name for one in talk.machine.participants]


async def test_a_bot_sees_to_nothing_that_no_person_asked_for(town: Town) -> None:
    town.world.person("Steve", HERE)
    model = model_of(lambda name, q: f"{name} goes. [Act]" if is_of_talk(q) else "Never!")
    async with talking(town.bridge, town.folder, model=model) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=2))
        await over(talk)
        assert [line.text for line in talk.lines] == ["Alice goes.", "Bob goes."]
    offered = [q.schema for q in model.questions if is_of_talk(q)]
    assert all(schema and "acts" not in schema["properties"] for schema in offered)
    assert not any("Never" in line for _who, line in said(daemon, "Alice"))


async def test_a_question_to_a_bot_of_a_talk_is_answered_in_the_talk(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder) as daemon:
        talk = await daemon.talk(*BOTS, "Steve", policy=opened_by_people(turns=1))
        steve.whisper("Bob", "what are you carrying?")
        await over(talk)
        assert [line.speaker for line in talk.lines] == ["Steve", "Bob"]


async def test_a_bot_of_a_talk_told_through_another_to_stop_stops(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder) as daemon:
        await daemon.talk(*BOTS, "Steve", policy=opened_by_people())
        steve.whisper("Bob", "follow me")
        await until(lambda: _following(daemon, "Bob"))
        steve.whisper("Alice", "Bob, stop")
        await until(lambda: not _following(daemon, "Bob"))


@pytest.mark.parametrize("is_paused", [False, True])
async def test_what_the_operator_has_a_bot_of_a_talk_say_to_another_is_answered(
    town: Town, is_paused: bool
) -> None:
    town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, lambda name, _: f"{name} is well.") as daemon:
        talk = await daemon.talk(*BOTS, "Steve", policy=opened_by_people())
        if is_paused:
            talk.pause("Steve")
            await until(lambda: talk.machine.is_paused)
        assert (await run_json(daemon.bot("Alice"), "!chat Bob How are you?"))["success"]
        await until(lambda: ("Bob", "Bob is well.") in said(daemon, "Alice"))


async def test_words_for_a_talk_that_is_ending_are_answered_outside_of_it(town: Town) -> None:
    async with talking(town.bridge, town.folder, lambda name, _: f"{name} is well.") as daemon:
        await daemon.talk("Alice", "Bob", policy=opened_by_people())  # in which nobody speaks
        assert (await run_json(daemon.bot("Alice"), "!chat Bob How are you?"))["success"]
        await until(lambda: ("Bob", "Bob is well.") in said(daemon, "Alice"))


async def test_words_that_a_stranger_has_bots_say_to_each_other_count_as_his_lines(
    town: Town,
) -> None:
    mallory = town.world.person("Mallory", HERE)
    nobody = PermissionSettings(owners=("Steve",))
    async with talking(town.bridge, town.folder, permissions=nobody) as daemon:
        limit = daemon.bot("Alice").services.get(LineLimit)
        assert limit is not None
        while limit.admits_words_of(MALLORY, "Alice"):
            pass
        mallory.whisper("Alice", "!chat Bob hello")
        assert "lines a minute of each player" in (await mallory.hears()).text
        assert said(daemon, "Bob") == []


def _following(daemon: Daemon, bot: str) -> bool:
    job = daemon.bot(bot).jobs.current
    return job is not None and "follow" in job.spec.command
