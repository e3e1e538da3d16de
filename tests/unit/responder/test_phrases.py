"""Phrases from the files of each language, words that are nearly right, sums and pronouns."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from support.asking_alice import asked
from support.daemons import Town, answer_to

from bots.responder.rules import phrases
from bots.responder.rules.phrases import found, mended, reckoned
from bots.responder.rules.requests.orders import ORDERS
from bots.text.language import Language
from bots.text.spelling import nearest, slips
from bots.words.heard import questions
from bridge.world import Position

LANGUAGES: tuple[Language, ...] = ("en", "ja")


TELLS = {
    "happened",
    "nearest",
    "fate",
    "again",
    "food",
    "chests",
    "help",
    "latest",
    "light",
    "likewise",
}
"""What `PlainWords.tell` knows."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_phrase_stands_once_and_is_answered_or_means_something(language: Language) -> None:
    rows = [(said, replace(phrase, heard="")) for said, phrase in phrases.rows(language)]
    heard = {(phrases.bare(said, "", language), phrase) for said, phrase in rows}
    assert len(heard) == len({said for said, _ in heard})
    ways = [sum(map(bool, (one.says or one.tells, one.means, one.does))) for _, one in rows]
    assert set(ways) == {1}
    assert {one.does for _, one in rows} - {""} <= ORDERS.keys()
    assert {one.tells for _, one in rows} - {""} <= TELLS
    assert [said for said, _ in rows if "{" in said.replace("{thing}", "")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_pattern_is_answered_or_means_something(language: Language) -> None:
    for way, one in phrases.patterns(language):
        kinds = (one.says or one.tells, one.means, one.does)
        assert sum(map(bool, kinds)) == 1, way.pattern
        assert one.does in ("", *ORDERS)
        assert one.tells in ("", *TELLS)
        assert not way.search("")


def all_rows(language: Language) -> list[phrases.Phrase]:
    return [one for _, one in (*phrases.rows(language), *phrases.patterns(language))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_answer_can_be_said(language: Language) -> None:
    for phrase in all_rows(language):
        assert all(
            len(said) <= 200 and "{" not in re.sub(r"{name}|{said}|{thing(![cx])?}", "", said)
            for said in phrase.says
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sentence_that_an_answer_proposes_is_understood(language: Language) -> None:
    says = {said for phrase in all_rows(language) for said in phrase.says}
    says |= {said for _, row in questions("kinds", language) for said in row["says"]}
    proposed = {"".join(pair) for said in says for pair in re.findall(r"“(.+?)”|「(.+?)」", said)}
    recited = {"what did I ask you for today?"}
    assert len(proposed) > 5
    assert [one for one in proposed - recited if not asked(one)] == []


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("Tell me a joke!", ("What", "Why", "How", "I told")),
        ("alice, u there??", ("Yes", "I hear", "Here")),
        ("I'm boooored", ("Shall", "Let", "How")),
        ("YOU ARE STUPID", ("I do my best", "Sorry")),
        ("go to bed pls", ("I cannot sleep",)),
        ("おーい", ("はい", "聞いて")),
        ("かわいいね", ("ありがとう", "うれしい")),
    ],
)
def test_a_phrase_is_known_however_it_is_typed(line: str, starts: tuple[str, ...]) -> None:
    phrase = found(line, "Alice")
    assert phrase is not None
    assert all(said.startswith(starts) for said in phrase.says)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("can i have some wood pls", "give me some wood"),
        ("whats ur name", "who are you?"),
        ("gimme all ur stuff", "give me everything"),
    ],
)
def test_a_phrase_that_means_another_sentence(line: str, sentence: str) -> None:
    phrase = found(line, "Alice")
    assert phrase is not None
    assert phrase.sentence == sentence


@pytest.mark.parametrize("line", ["", "the moon is made of cheese", "joke", "get 3 oak logs", "月"])
def test_what_is_no_phrase(line: str) -> None:
    assert found(line, "Alice") is None
    assert found(line, "Alice", nearly=True) is None


def test_a_slip_is_forgiven_only_where_it_is_asked_for() -> None:
    assert found("tell me a jokr", "Alice") is None
    assert found("tell me a jokr", "Alice", nearly=True) == found("tell me a joke", "Alice")
    assert mended("follow mee", {"follow", "me"}) == "follow me"


@pytest.mark.parametrize(
    ("line", "result"),
    [
        *(("what is 2+2?", "4"), ("7*8", "56"), ("how much is 10 minus 12", "-2")),
        *(("12 / 5", "2.4"), ("3かける4は？", "12"), ("2たす2は？", "4")),
        *(("1/0", None), ("what is 2", None), ("5 64 -12", None), ("2+2 oak logs", None)),
    ],
)
def test_sums_are_reckoned(line: str, result: str | None) -> None:
    assert reckoned(line) == reckoned(f"Alice, {line}", "Alice") == result


def test_only_unknown_words_are_mended_and_only_to_one_that_is_plainly_next() -> None:
    known = {"follow", "me", "come", "here", "her", "hear", "sword", "wooden", "stone", "store"}
    assert mended("folow me", known) == "follow me"
    assert mended("come heer", known) == "come here"
    assert mended("wooden sowrd", known) == "wooden sword"
    assert mended("stobe", known) is None
    assert mended("come here", known) is None
    assert mended("ついてきて", known) is None


def test_slips_are_counted_as_fingers_make_them() -> None:
    pairs = {"sotp": 1, "stopp": 1, "stp": 1, "stip": 1, "spot": 2, "stop": 0}
    assert {word: slips(word, "stop") for word in pairs} == pairs
    for one, other in combinations(pairs, 2):
        assert slips(one, other) == slips(other, one)
    assert nearest("sto", ("stop",)) is None


def test_a_pronoun_in_a_line_is_the_thing_named_before() -> None:
    assert asked("get 2 dirt and give them to me") == asked("bring 2 dirt to me") != []
    assert asked("make a torch, then hand it to me") == asked("bring a torch to me") != []
    assert asked("give them to me") == []


async def test_what_children_ask_of_a_bot_is_answered_to_the_point(town: Town) -> None:
    steve = town.world.person("Steve", Position(10.5, 64, 8.5))
    async with town.up() as daemon:
        for line, answers in (
            ("whats ur favrite animal", ("Sheep", "Cows")),
            ("what is your favorite color?", ("Green", "Blue")),
            ("are you real?", ("I am a bot", "I am real")),
            ("r u real", ("I am a bot", "I am real")),
        ):
            assert (await answer_to(daemon, steve, line)).startswith(answers)


async def test_the_name_of_a_pet_is_kept_and_told_again(town: Town) -> None:
    steve = town.world.person("Steve", Position(10.5, 64, 8.5))
    async with town.up() as daemon:
        assert "remember" in await answer_to(daemon, steve, "my cat is called Miso")
        assert "Miso" in await answer_to(daemon, steve, "what is my cat called?")
