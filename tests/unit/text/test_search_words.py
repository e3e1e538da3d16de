"""The words of lines and questions, and the times that people name."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.text.search_words import asked_words, names_in, words_of
from bots.text.when import time_in, without_time

NOW = datetime(2026, 11, 18, 15, 30, tzinfo=UTC)  # a Wednesday
TODAY = NOW.replace(hour=0, minute=0)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Steve's oak_log", ["steve", "oak", "log"]),
        ("We went and built it", ["we", "go", "and", "build", "it"]),
        ("Ｃａｆé", ["cafe"]),
        ("大きな家", ["大", "きな", "家"]),
        ("村人とパン", ["村", "人", "村人", "パン"]),
        ("らーめん", ["らー", "ーめ", "めん"]),
        ("!?…", []),
    ],
)
def test_words_are_plain(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Do you remember what I said about the mill?", ["mill"]),
        ("妹の名前は何ですか", ["妹", "名", "名前"]),
        ("What did you do?", []),
    ],
)
def test_a_question_is_about_few_words(question: str, words: list[str]) -> None:
    assert asked_words(question) == words


def test_names_may_stand_before_japanese() -> None:
    assert names_in("Steve_2さんは") == ["Steve_2"]


@given(st.text())
def test_any_text_has_words_without_blanks(text: str) -> None:
    assert all(word and not any(one.isspace() for one in word) for word in words_of(text))


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("What did I say yesterday?", TODAY - DAY, TODAY),
        ("昨日の話", TODAY - DAY, TODAY),
        ("today", TODAY, NOW),
        ("3 days ago", TODAY - 3 * DAY, TODAY - 2 * DAY),
        ("3日前", TODAY - 3 * DAY, TODAY - 2 * DAY),
        ("last week", TODAY - 9 * DAY, TODAY - 2 * DAY),
        ("a week ago", TODAY - 10 * DAY, TODAY - 3 * DAY),
        ("on Monday", TODAY - 2 * DAY, TODAY - DAY),
        ("last Wednesday", TODAY - 7 * DAY, TODAY - 6 * DAY),
        ("月曜日に", TODAY - 2 * DAY, TODAY - DAY),
        ("先月", datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)),
    ],
)
def test_times_are_those_of_the_calendar(words: str, since: datetime, until: datetime) -> None:
    time = time_in(words, NOW)
    assert time is not None
    assert (time.since, time.until) == (since, until)


def test_the_words_of_a_time_are_not_searched_for() -> None:
    words = "What did Steve say Last Week about gold?"
    assert "last week" not in without_time(words, time_in(words, NOW))
    assert time_in("The week is long", NOW) is None


@given(st.text())
def test_any_text_may_name_a_time(text: str) -> None:
    time_in(text, NOW)
