"""Group talks without a model: bots answer questions and do not chatter over people."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.live_talks import over, policy, talking
from support.rig import until

from bots.responder.rules.topics.scene import Scene
from bots.talks.live.rules import Lines, say
from bots.text.language import language_of
from bridge import FakeBridge
from bridge.world import BotName, ItemStack, PlayerName, PlayerSighting, Position, WorldSnapshot

pytestmark = pytest.mark.anyio

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


def words(*lines: tuple[str, str], people: tuple[str, ...] = (), goodbye: bool = False) -> str:
    return say(SCENE, Lines(lines), OTHERS, people, goodbye=goodbye)


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


def test_a_person_is_answered_as_outside_of_talks() -> None:
    steve = ("Steve",)
    assert "I am at" in words(("Bob", "Hm."), ("Steve", "where are you?"), people=steve)
    assert "language model is off" in words(("Steve", "Who wrote Hamlet?"), people=steve)


def test_with_people_there_a_bot_that_was_not_asked_says_nothing() -> None:
    lines = (("Steve", "Alice, where are you?"), ("Bob", "I do not know."))
    assert "I am at" in words(*lines, people=("Steve",))
    assert words(("Steve", "hello Bob"), ("Bob", "Hello!"), people=("Steve",)) == ""


def test_a_goodbye_is_said_in_the_end() -> None:
    said = say(replace(SCENE, language="ja"), Lines((("Bob", "はい"),)), OTHERS, (), goodbye=True)
    assert "Bob" in said
    assert "[Next" not in said


async def test_three_bots_without_a_model_talk_and_part(
    fake_bridge: FakeBridge, tmp_path: Path
) -> None:
    async with talking(fake_bridge, tmp_path) as daemon:
        going_by = replace(policy(bot_turns=12, repetition_lines=3), goodbye=True)
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=going_by)
        assert await over(talk) == "goodbye"
        assert {line.speaker for line in talk.lines} == {"Alice", "Bob", "Cara"}
        assert 6 <= len(talk.lines) <= 12


@pytest.mark.parametrize(
    ("languages", "language"), [("日本語, English", "ja"), ("English, 日本語", "en")]
)
async def test_a_bot_without_a_model_opens_a_talk_in_the_first_language_of_its_persona(
    fake_bridge: FakeBridge, tmp_path: Path, languages: str, language: str
) -> None:
    home = tmp_path / "bots" / "Alice"
    home.mkdir(parents=True)
    (home / "persona.md").write_text(f"Languages: {languages}\n", encoding="utf-8")
    async with talking(fake_bridge, tmp_path) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(bot_turns=1))
        await over(talk)
        assert language_of([talk.lines[0].text]) == language


async def test_with_a_person_there_bots_without_a_model_wait_for_them(
    fake_bridge: FakeBridge, tmp_path: Path
) -> None:
    steve = fake_bridge.world.person("Steve", Position(8.5, 64, 8.5))
    async with talking(fake_bridge, tmp_path) as daemon:
        going_by = replace(policy(), opening="person")
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=going_by)
        steve.whisper("Alice", "Alice, where are you?")
        await until(lambda: len(talk.lines) == 2 and talk.machine.speaking is None)
        steve.whisper("Bob", "what do you carry?")
        await until(lambda: len(talk.lines) == 4 and talk.machine.speaking is None)
        assert [line.speaker for line in talk.lines] == ["Steve", "Alice", "Steve", "Bob"]
