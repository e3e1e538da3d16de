"""Group talks without a model: bots answer questions and do not chatter over people."""

import random
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from support.daemons import Town
from support.live_talks import opened_by_people, over, policy, talking
from support.rig import until

from bots.responder.rules.scene import Scene
from bots.talks.live.rules import Lines, say
from bots.text.language import Language, language_of
from bots.words import table, variants
from bridge.world import BotName, ItemStack, PlayerName, PlayerSighting, Position, WorldSnapshot

WORLD = WorldSnapshot(
    bot=BotName("Alice"),
    version="1.16.5",
    position=Position(8.5, 64, 8.5),
    yaw=0,
    pitch=0,
    dimension="overworld",
    game_mode="survival",
    health=20,
    food=20,
    time_of_day=6_000,
    spawn_point=Position(8, 64, 8),
    held=None,
    items=(ItemStack("stick", 2),),
    free_slots=35,
    players=(PlayerSighting(PlayerName("Bob"), Position(10.5, 64, 8.5)),),
    blocks=(),
    taken_at=datetime(2026, 1, 1, tzinfo=UTC),
)
SCENE = Scene("Alice", "Bob", "en", WORLD, random.Random(1))
OTHERS = ["Bob", "Cara"]


def words(*lines: tuple[str, str]) -> str:
    return say(SCENE, Lines(lines), OTHERS, topic=None, goodbye=False)


def of_topic(*lines: tuple[str, str], topic: str = "the new bridge", scene: Scene = SCENE) -> str:
    return say(scene, Lines(lines), OTHERS, topic=topic, goodbye=False)


def test_the_first_words_greet_say_something_true_and_ask_somebody() -> None:
    said = words()
    assert "Bob" in said.partition("[")[0]
    assert "?" in said
    assert said.endswith("[Next: Bob]")


def test_what_one_is_asked_by_name_is_answered_and_what_others_are_asked_is_not() -> None:
    asked = words(("Bob", "Alice, where are you?"))
    beside = words(("Bob", "Hello Alice! Cara, where are you?"))
    assert "I am at" in asked
    assert "I am at" not in beside


def test_whoever_was_silent_longest_is_asked() -> None:
    said = words(("Cara", "Hello."), ("Alice", "Hi."), ("Bob", "Hey."))
    assert said.endswith("[Next: Cara]")


def test_no_question_comes_twice_while_there_are_others() -> None:
    first = "Bob, what do you have with you?"
    rest = [words(("Alice", first), ("Bob", "Nothing.")) for _ in range(20)]
    assert not any("what do you have" in said for said in rest)


def test_a_goodbye_is_said_in_the_end() -> None:
    said = say(
        replace(SCENE, language="ja"),
        Lines((("Bob", "はい"),)),
        OTHERS,
        topic=None,
        goodbye=True,
    )
    assert "Bob" in said
    assert "[Next" not in said


def test_the_first_words_name_the_topic_and_ask_about_it() -> None:
    said = of_topic()
    assert "Let us talk of the new bridge." in said
    assert said.count("the new bridge") == 2
    assert said.endswith("[Next: Bob]")


@pytest.mark.parametrize(
    ("items", "told"),
    [(WORLD.items, "I carry 2 sticks; that is a start."), ((), "My hands are empty")],
)
def test_a_question_on_the_topic_is_answered_by_what_is_so(
    items: tuple[ItemStack, ...], told: str
) -> None:
    scene = replace(SCENE, world=replace(WORLD, items=items))
    asked = ("Bob", "Let us begin. Alice, what do we need for the new bridge?")
    assert told in of_topic(("Alice", "Hm."), asked, scene=scene)


@pytest.mark.parametrize(("time", "told"), [(6_000, "light enough"), (18_000, "morning")])
def test_nobody_wants_to_begin_in_the_dark(time: int, told: str) -> None:
    scene = replace(SCENE, world=replace(WORLD, time_of_day=time))
    asked = ("Bob", "Alice, when do we begin with the new bridge?")
    assert told in of_topic(("Alice", "Hm."), asked, scene=scene)


def test_a_question_as_a_topic_is_named_as_one() -> None:
    said = of_topic(topic="What shall we build at the lake?")
    assert "Let us talk of the question “What shall we build at the lake”." in said


def test_without_a_topic_bots_find_one_and_keep_to_it() -> None:
    first = of_topic(topic="")
    second = of_topic(("Bob", first.partition(" [")[0]), topic="")
    (idea,) = [en for en in variants("among.ideas", "en") if en in first]
    assert idea in second


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_whole_talk_on_a_topic_repeats_no_sentence(language: Language) -> None:
    scene, lines = replace(SCENE, language=language), list[tuple[str, str]]()
    for turn in range(2 * len(table("among.asks", "en"))):
        bot = ("Alice", "Bob")[turn % 2]
        speaks = replace(scene, bot=bot, speaker=("Bob", "Alice")[turn % 2])
        said = say(speaks, Lines(tuple(lines)), [speaks.speaker], topic="橋", goodbye=False)
        lines.append((bot, said.partition("[")[0]))
        assert "{" not in said
    sentences = [
        one for _, words in lines for one in re.split(r"(?<=[.?!。？！])\s*", words) if one
    ]
    of_world = ("It is", "I am over", "I carry 2 sticks.", "今は", "私は", "持ち物")
    told = [one for one in sentences if not one.startswith(of_world)]
    assert len(told) == len(set(told)) > 2 * len(table("among.asks", "en"))


async def test_a_talk_of_bots_without_a_model_is_about_its_topic(town: Town) -> None:
    async with talking(town.bridge, town.folder) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy("the new bridge", turns=8))
        await over(talk)
        assert all("the new bridge" in line.text for line in talk.lines)
        assert len({line.text for line in talk.lines}) == 8


async def test_three_bots_without_a_model_talk_and_part(town: Town) -> None:
    async with talking(town.bridge, town.folder) as daemon:
        going_by = replace(policy(bot_turns=12, repetition_lines=3), goodbye=True)
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=going_by)
        assert await over(talk) == "goodbye"
        assert {line.speaker for line in talk.lines} == {"Alice", "Bob", "Cara"}
        assert 6 <= len(talk.lines) <= 12


@pytest.mark.parametrize(
    ("languages", "language"), [("日本語, English", "ja"), ("English, 日本語", "en")]
)
async def test_a_bot_without_a_model_opens_a_talk_in_the_first_language_of_its_persona(
    town: Town, languages: str, language: str
) -> None:
    home = town.folder / "bots" / "Alice"
    home.mkdir(parents=True)
    (home / "persona.md").write_text(f"Languages: {languages}\n", encoding="utf-8")
    async with talking(town.bridge, town.folder) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(bot_turns=1))
        await over(talk)
        assert language_of([talk.lines[0].text]) == language


async def test_with_a_person_there_bots_without_a_model_wait_for_them(town: Town) -> None:
    steve = town.world.person("Steve", Position(8.5, 64, 8.5))
    async with talking(town.bridge, town.folder) as daemon:
        going_by = opened_by_people()
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=going_by)
        steve.whisper("Alice", "Alice, where are you?")
        await until(lambda: len(talk.lines) == 2 and talk.machine.speaking is None)
        steve.whisper("Bob", "what do you carry?")
        await until(lambda: len(talk.lines) == 4 and talk.machine.speaking is None)
        assert [line.speaker for line in talk.lines] == ["Steve", "Alice", "Steve", "Bob"]
