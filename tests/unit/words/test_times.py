"""When something was, and how long it took, in both languages."""

from datetime import UTC, datetime, timedelta

import pytest

from bots.words.times import told_ago, told_days, told_minutes

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "english", "japanese"),
    [
        (0, "today", "今日"),
        (1, "yesterday", "昨日"),
        (2, "2 days ago", "2日前"),
        (7, "a week ago", "1週間前"),
        (20, "2 weeks ago", "2週間前"),
        (45, "a month ago", "1か月前"),
        (800, "2 years ago", "2年前"),
    ],
)
def test_days_ago_are_told_in_the_largest_unit(days: int, english: str, japanese: str) -> None:
    then = NOW - timedelta(days=days)
    assert told_ago(then, NOW, "en") == english
    assert told_ago(then, NOW, "ja") == japanese


@pytest.mark.parametrize(
    ("minutes", "english", "japanese"),
    [
        (1, "1 minute", "1分"),
        (59, "59 minutes", "59分"),
        (60, "1 hour", "1時間"),
        (150, "2 hours", "2時間"),
    ],
)
def test_minutes_are_told_as_hours_from_one_on(minutes: int, english: str, japanese: str) -> None:
    assert told_minutes(minutes, "en") == english
    assert told_minutes(minutes, "ja") == japanese


def test_a_single_day_is_told_as_one() -> None:
    assert (told_days(1, "en"), told_days(1, "ja")) == ("a day", "1日")
