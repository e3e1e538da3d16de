"""What idle bots say: varied, in two languages, by temperament, never twice within ten minutes."""

import random
import re

import pytest

from bots.idle.doings import SIGHTS
from bots.idle.seen import (
    Came,
    Found,
    HourTurned,
    KeptCompany,
    Left,
    News,
    SatByFire,
    SawAnimals,
    SawBlock,
    SawFellow,
    Seen,
    TalkedOf,
    Walked,
    WeatherTurned,
    Wished,
    towards,
)
from bots.idle.wording import AGAIN_AFTER_S, RecentSentences, Voice, Wording, is_topic, topic_of
from bots.responder.case.persona import TEMPERAMENTS, Persona, Temperament
from bots.text.language import Language, language_of
from bots.words import table
from bridge.fake import VirtualClock
from bridge.world import Position

EVERY: tuple[Seen, ...] = (
    WeatherTurned("rain"),
    WeatherTurned("thunder"),
    WeatherTurned("clear"),
    HourTurned(1_000),
    HourTurned(14_000),
    Came("Steve", met_before=False),
    Came("Steve", met_before=True),
    Came("Steve", met_before=True, days_away=8),
    Left("Steve"),
    Found("poppy", 2),
    Walked(9, "northeast"),
    SawBlock("sugar_cane", 12, "south"),
    SawAnimals("sheep", 3),
    SawAnimals("cow", 1),
    SatByFire("wall_torch"),
    SawFellow("Bob", "walking"),
    SawFellow("Bob", "visiting", "Dan"),
    KeptCompany("Steve"),
    Wished("Steve", "I would like a garden"),
    Wished("Steve", "I would like a garden", is_here=True),
    TalkedOf("Steve", "What shall we build?"),
)
LANGUAGES: tuple[Language, ...] = ("en", "ja")


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(auto=False)


def wording(clock: VirtualClock, recent: RecentSentences | None = None) -> Wording:
    return Wording(recent or RecentSentences(clock.monotonic), random.Random(3))


def all_said(seen: Seen, voice: Voice, clock: VirtualClock) -> list[str]:
    """All that this voice can say of it within ten minutes."""
    recent = RecentSentences(clock.monotonic)
    words, said = wording(clock, recent), list[str]()
    while (text := words.remark(voice, seen, "Cara")) or (text := words.reply(voice, seen, "Dan")):
        recent.said(text)
        said.append(text)
    return said


def test_everything_that_can_be_seen_has_its_own_words_in_both_languages() -> None:
    topics = {name for name in table("idle", "en") if is_topic(name)}
    assert {topic_of(seen) for seen in EVERY} == topics
    for topic in topics:
        for language in LANGUAGES:
            assert list(table(f"idle.{topic}", language)) == [
                *("says", *TEMPERAMENTS),
                *("replies", *(f"replies_{one}" for one in TEMPERAMENTS)),
            ]


@pytest.mark.parametrize("seen", EVERY, ids=repr)
@pytest.mark.parametrize("temperament", TEMPERAMENTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_of_everything_there_is_much_to_say_and_every_slot_is_filled(
    clock: VirtualClock, seen: Seen, temperament: Temperament, language: Language
) -> None:
    said = all_said(seen, Voice("Alice", temperament, language), clock)
    assert len(said) == len(set(said)) >= 6
    assert not [text for text in said if "{" in text or "_" in text]
    if language == "ja":
        assert {language_of([text]) for text in said} == {"ja"}
    else:
        assert [text for text in said if not text.isascii()] == []


def test_of_every_sight_there_is_something_worth_knowing_in_both_languages() -> None:
    english, japanese = table("idle.fact", "en"), table("idle.fact", "ja")
    assert english.keys() == japanese.keys() >= set(SIGHTS)
    for kind, told in english.items():
        assert all(text.isascii() and text.endswith(".") for text in told)
        assert len(told) == len(japanese[kind])
        assert {language_of([text]) for text in japanese[kind]} == {"ja"}


def test_what_is_worth_knowing_is_told_once(clock: VirtualClock) -> None:
    recent, voice = RecentSentences(clock.monotonic), Voice("Alice", "calm", "en")
    words, told = wording(clock, recent), list[str]()
    while (text := words.fact(voice, SawFellow("Bob", "watching", "sheep"), "Bob")) is not None:
        recent.said(text)
        told.append(text)
    assert sorted(told) == sorted(table("idle.fact", "en")["sheep"])
    assert words.fact(voice, SawFellow("Bob", "visiting", "Dan"), "Bob") is None
    assert not words.knows(Walked(9, "north"))


DISAGREEING = re.compile(
    r"\b(?:do|are|these|those) (?:an?|one) |\b(?:does|is) (?:two|three|nine)\b"
    r"|\b(?:an?|one) (?:cows|sheeps|wolves|bees|horses)\b|\b(?:two|three|nine) (?:cow|wolf|bee)\b"
    r"|\ba [aeio]|\ban [^aeiou]|\b1 (?:blocks|days|times|of these)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    "wrong", ["What do a cow think?", "How does three cows sleep?", "A cows!", "1 blocks"]
)
def test_what_does_not_agree_is_found(wrong: str) -> None:
    assert DISAGREEING.search(wrong)


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
@pytest.mark.parametrize(
    "seen",
    [
        *(SawAnimals(kind, count) for kind in ("cow", "sheep", "wolf") for count in (1, 3)),
        *(Found("poppy", count) for count in (1, 3)),
        Found("sand", 9),
        *(SawBlock(kind, 12, "west") for kind in ("acacia_log", "sugar_cane", "poppy")),
        Walked(9, "north"),
        *(Came("Steve", met_before=True, days_away=days) for days in (8, 60)),
    ],
    ids=repr,
)
def test_one_and_several_agree_with_every_english_phrase(
    clock: VirtualClock, seen: Seen, temperament: Temperament
) -> None:
    said = all_said(seen, Voice("Alice", temperament, "en"), clock)
    assert [text for text in said if DISAGREEING.search(text)] == []


def test_animals_are_counted_in_words(clock: VirtualClock) -> None:
    said = all_said(SawAnimals("sheep", 3), Voice("Alice", "calm", "en"), clock)
    assert "Three sheep and I looked at each other for a while." in said


def test_four_temperaments_speak_differently(clock: VirtualClock) -> None:
    seen = SawBlock("poppy", 5, "west")
    own = [set(all_said(seen, Voice("A", one, "en"), clock)) for one in TEMPERAMENTS]
    for words in own:
        others = {text for other in own if other is not words for text in other}
        assert words - others


def test_a_sentence_may_be_said_again_after_ten_minutes_and_not_before() -> None:
    now = 0.0
    recent = RecentSentences(lambda: now)
    recent.said("It rains. Where does all that rain go?")
    now = AGAIN_AFTER_S - 1
    assert not recent.are_fresh("Look! Where does all that rain go?")
    assert recent.are_fresh("Look! It snows.")
    now = AGAIN_AFTER_S
    assert recent.are_fresh("It rains.")


def test_the_same_thing_is_no_news_twice(clock: VirtualClock) -> None:
    news = News(clock.monotonic)
    assert news.add("Alice", SawBlock("sand", 5, "west"))
    assert not news.add("Alice", SawBlock("sand", 9, "south"))
    news = News(clock.monotonic)
    assert news.add("Alice", WeatherTurned("rain"))
    assert not news.add("Bob", WeatherTurned("rain"))
    assert [item.by for item in news.fresh()] == ["Alice"]


def test_of_hour_and_weather_only_the_newest_is_news(clock: VirtualClock) -> None:
    news = News(clock.monotonic)
    for seen in (HourTurned(1_000), WeatherTurned("rain"), Found("poppy", 1), HourTurned(14_000)):
        news.add("Alice", seen)
    assert HourTurned(14_000) in [item.seen for item in news.fresh()]
    assert len(news.fresh()) == 3


async def test_news_become_stale_and_who_came_is_spoken_of_first(clock: VirtualClock) -> None:
    news = News(clock.monotonic)
    news.add("Alice", Came("Steve", met_before=False))
    await clock.advance(5)
    news.add("Alice", Found("poppy", 1))
    assert [type(item.seen) for item in news.fresh()] == [Came, Found]
    await clock.advance(600)
    assert news.fresh() == []


@pytest.mark.parametrize(
    ("x", "z", "point"),
    [(0, -5, "north"), (5, 0, "east"), (0, 5, "south"), (-5, 0, "west"), (5, -5, "northeast")],
)
def test_the_points_of_the_compass_are_those_of_minecraft(x: int, z: int, point: str) -> None:
    assert towards(Position(0, 64, 0), Position(x, 64, z)) == point


def test_a_temperament_is_what_the_persona_says_or_fits_the_name() -> None:
    assert Persona("Bob", "# Bob\nTemperament: Curious\n\nBob hums.").temperament == "curious"
    assert Persona("Bob", "# Bob\n\nBob hums.").temperament == "calm"
    assert Persona("Bob", "# Bob\nTemperament: calm\n\nBob hums.").about == "Bob hums."
    names = ("Alice", "Bob", "Cara", "Dan")
    assert {Persona(name, "").temperament for name in names} == set(TEMPERAMENTS)
