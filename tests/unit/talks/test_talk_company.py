"""A talk at the pace of people, about what they began it with, and with their questions in view."""

import asyncio
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.daemons import Town
from support.live_talks import (
    begun,
    is_of_talk,
    model_of,
    opened_by_people,
    over,
    policy,
    speaker_of,
    talking,
)
from support.talk_by_hand import TalkByHand, bot, person

from bots.settings.settings import GroupTalkSettings
from bots.settings.world import NicknameSettings
from bots.talks.live.start_phrases import topic_of
from bots.talks.machine.events import Delivered, Left, Spoke
from bots.talks.machine.policy import TalkPolicy
from bridge import FakeBridge
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Question

HERE = Position(8.5, 64, 8.5)
BOTS = ("Alice", "Bob", "Cara")
WITH_STEVE = (bot("Alice"), bot("Bob"), person("Steve"))
WAITING = TalkPolicy(gap_s=1.5, wait_for_person_s=30.0, nudge_after_s=None)
READING = TalkPolicy(gap_s=1.5, reading_cps=20.0)


@pytest.mark.parametrize(
    ("words", "pause_s"),
    [
        ("Yes.", 1.5),
        ("We build a bridge of stone. " * 5, 6.95),
        ("石の橋を架けましょう。" * 4, 6.6),
        ("word " * 100, 15.0),
    ],
)
def test_the_next_bot_waits_until_people_have_read_the_line(words: str, pause_s: float) -> None:
    talk = TalkByHand(WITH_STEVE, READING)
    talk.says(f"{words}[Next: Bob]")
    assert talk.speakers == ["Alice"]
    talk.waits()
    assert (talk.now_ms, talk.speakers) == (round(pause_s * 1000), ["Alice", "Bob"])


def test_bots_that_nobody_reads_do_not_wait_for_readers() -> None:
    talk = TalkByHand((bot("Alice"), bot("Bob")), READING)
    talk.says("word " * 100)
    talk.waits()
    assert talk.now_ms == 1_500


def test_in_public_chat_somebody_always_reads() -> None:
    talk = TalkByHand((bot("Alice"), bot("Bob")), replace(READING, has_readers=True))
    talk.says("word " * 20)
    talk.waits()
    assert talk.now_ms == 4_950


def test_a_persons_line_is_answered_without_waiting_for_readers() -> None:
    talk = TalkByHand(WITH_STEVE, READING)
    talk.says("word " * 100)
    talk.tell(Spoke("Steve", "Bob, and you?"))
    assert talk.thinking.speaker == "Bob"


def test_a_person_who_asks_while_a_line_is_being_said_waits_for_no_readers_either() -> None:
    talk = TalkByHand(WITH_STEVE, READING)
    say = talk.answers("word " * 100)
    talk.tell(Spoke("Steve", "Bob, and you?"))
    assert say is not None
    talk.tell(Delivered(say.line, dict.fromkeys(say.to)))
    talk.waits()
    assert (talk.now_ms, talk.thinking.speaker) == (1_500, "Bob")


@pytest.mark.parametrize(
    ("words", "nominates"),
    [
        ("What do you say? [Next: Steve]", None),
        ("What do you say? [Next: steveさん]", None),
        ("What do you say?", "Steve"),
        ("And you, Steve?", None),
    ],
)
def test_a_person_who_is_given_the_floor_is_waited_for(words: str, nominates: str | None) -> None:
    talk = TalkByHand(WITH_STEVE, WAITING)
    talk.says(words, nominates=nominates)
    assert talk.talk.floor is None
    talk.tell(Spoke("Steve", "Stone, I think."), after_ms=25_000)
    assert talk.speakers == ["Alice", "Bob"]


def test_a_person_who_says_nothing_is_waited_for_no_longer_than_the_bound() -> None:
    talk = TalkByHand(WITH_STEVE, WAITING)
    talk.says("What do you say? [Next: Steve]")
    while talk.talk.floor is None:
        talk.waits()
    assert (talk.now_ms, talk.thinking.speaker) == (31_500, "Bob")


@pytest.mark.parametrize(
    ("words", "deaf"),
    [
        ("Ask Bob, Steve? [Next: Bob]", ()),
        ("Bob, does Steve know?", ()),
        ("Steve likes stone.", ()),
        ("What do you say? [Next: Steve]", ("Steve",)),
        ("What do you say? [Next: Alex]", ()),
    ],
)
def test_nobody_is_waited_for_who_was_not_given_the_floor(
    words: str, deaf: tuple[str, ...]
) -> None:
    talk = TalkByHand(WITH_STEVE, WAITING)
    talk.says(words, deaf)
    talk.waits()
    assert (talk.now_ms, talk.thinking.speaker) == (1_500, "Bob")


def test_another_persons_question_is_answered_while_bots_wait_for_one() -> None:
    talk = TalkByHand((*WITH_STEVE, person("Alex")), WAITING)
    talk.says("What do you say? [Next: Steve]")
    talk.tell(Spoke("Alex", "Bob, where is the lake?"))
    talk.says("In the north.")
    assert talk.speakers == ["Alice", "Bob"]


def test_bots_go_on_when_the_one_they_wait_for_leaves() -> None:
    talk = TalkByHand((*WITH_STEVE, person("Alex")), WAITING)
    talk.says("What do you say? [Next: Steve]")
    talk.tell(Left("Steve"), after_ms=5_000)
    assert talk.thinking.speaker == "Bob"


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("hey Alice, Bob, what shall we build at the lake?", "what shall we build at the lake"),
        ("Alice、Bob、湖に何を建てようか？", "湖に何を建てようか"),
        ("hey Alice, Bob!", ""),
        (f"Alice, Bob: {'x' * 300}", "x" * 200),
    ],
)
def test_the_words_that_begin_a_talk_are_its_topic(line: str, topic: str) -> None:
    assert topic_of(line, BOTS) == topic


@pytest.mark.parametrize("name", ["ルミナ", "る", "ルミナさん", "CARA"])
async def test_a_bot_is_given_the_floor_by_each_of_its_names(town: Town, name: str) -> None:
    lumina = NicknameSettings(name="Cara", display_name="ルミナ", short_name="る")

    def answer(bot_name: str, _question: Question) -> str:
        return f"{bot_name} speaks. [Next: {name}]"

    async with talking(town.bridge, town.folder, answer, nicknames=(lumina,)) as daemon:
        talk = await daemon.talk(*BOTS, policy=policy(turns=2))
        await over(talk)
        assert [line.speaker for line in talk.lines] == ["Alice", "Cara"]


async def test_a_question_stands_before_every_bots_eyes_until_it_has_spoken(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    model = model_of(lambda name, _q: f"{name} thinks of word{len(model.questions)}.")
    chosen = GroupTalkSettings(gap_s=0, reading_cps=0, order="rounds", max_turns=3)
    async with talking(town.bridge, town.folder, model=model, settings=chosen) as daemon:
        steve.whisper("Alice", "hey Alice, Bob, Cara, what shall we build?")
        talk = await begun(daemon)
        await over(talk)
        assert talk.topic == "what shall we build"
    said = [{"from": "Steve", "says": "hey Alice, Bob, Cara, what shall we build?"}]
    assert [now.get("to_answer") for now in _nows(model)] == [said] * 3
    assert {now["topic"] for now in _nows(model)} == {"what shall we build"}


async def test_a_question_to_one_bot_is_put_to_that_bot_alone_and_once(town: Town) -> None:
    steve = town.world.person("Steve", HERE)

    def answer(name: str, _question: Question) -> str:
        following = "Alice" if name == "Bob" else "Bob"
        return f"{name} says word{len(model.questions)}. [Next: {following}]"

    model = model_of(answer)
    async with talking(town.bridge, town.folder, model=model) as daemon:
        rules = opened_by_people(turns=3)
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=rules)
        steve.whisper("Alice", "Bob, where were you?")
        await over(talk)
    said = [{"from": "Steve", "says": "Bob, where were you?"}]
    asked = [speaker_of(q) for q in model.questions if is_of_talk(q)]
    assert asked == ["Bob", "Alice", "Bob"]
    assert [now.get("to_answer") for now in _nows(model)] == [said, None, None]


async def test_a_turn_that_answers_a_person_is_sonnets(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    model = model_of(lambda name, _q: f"{name} says word{len(model.questions)}.")
    async with talking(town.bridge, town.folder, model=model) as daemon:
        rules = opened_by_people(turns=4)
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=rules)
        steve.whisper("Alice", "What shall we build?")
        await over(talk)
        made = [one.facts for one in daemon.trace.recent("decision.made")]
    assert [one["tier"] for one in made] == ["sonnet", "sonnet", "haiku", "haiku"]


def _nows(model: FunctionModel) -> list[dict[str, Any]]:
    return [
        json.loads(q.turns[-1].text.splitlines()[-1])["now"]
        for q in model.questions
        if is_of_talk(q)
    ]


async def test_a_person_hidden_from_one_bot_may_be_asked_for_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bridge = FakeBridge()
    async with talking(bridge, tmp_path) as daemon:
        bridge.world.person("Steve", HERE)
        alice = daemon.bot("Alice")
        hidden = replace(await alice.snapshot(), players=())
        monkeypatch.setattr(alice, "snapshot", partial(asyncio.sleep, 0, hidden))
        assert daemon.talks is not None
        assert (await daemon.talks.participant("steve")).name == "Steve"
