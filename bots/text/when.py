"""Reads times in people's words: “yesterday”, “last week”, “on Monday”, “3 days ago”,
「先週」.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from re import Match
from typing import TypeAlias

from bots.text.language import normal

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Time:
    """A span of time that some words mean."""

    since: datetime
    until: datetime
    words: str
    """The words, normalised."""


Meaning: TypeAlias = Callable[[datetime, Match[str]], tuple[datetime, datetime]]
"""From midnight of today and the words: when it begins and ends."""


def time_in(text: str, now: datetime) -> Time | None:
    """The time that a text names, by the calendar of `now`; None when it names none."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    words = normal(text)
    for pattern, meaning in _MEANINGS:
        if found := pattern.search(words):
            since, until = meaning(midnight, found)
            return Time(since, min(until, now), found[0])
    return None


def without_time(text: str, time: Time | None) -> str:
    """The text without the words of a time, normalised."""
    return normal(text) if time is None else normal(text).replace(time.words, " ", 1)


def _days(first: int, days: int = 1) -> Meaning:
    def span(midnight: datetime, _words: Match[str]) -> tuple[datetime, datetime]:
        return midnight + first * DAY, midnight + (first + days) * DAY

    return span


def _ago(midnight: datetime, words: Match[str]) -> tuple[datetime, datetime]:
    """A number of days, or of weeks with some days of slack."""
    number = _NUMBERS.get(words["number"]) or int(words["number"])
    if words["unit"][0] in "w週":
        day = midnight - 7 * number * DAY
        return day - 3 * DAY, day + 4 * DAY
    day = midnight - number * DAY
    return day, day + DAY


def _week(weeks: int) -> Meaning:
    def span(midnight: datetime, _words: Match[str]) -> tuple[datetime, datetime]:
        monday = midnight - midnight.weekday() * DAY + weeks * 7 * DAY
        return monday, monday + 7 * DAY

    return span


def _this_month(midnight: datetime, _words: Match[str]) -> tuple[datetime, datetime]:
    return midnight.replace(day=1), midnight + DAY


def _last_month(midnight: datetime, _words: Match[str]) -> tuple[datetime, datetime]:
    first = midnight.replace(day=1)
    return (first - DAY).replace(day=1), first


def _weekday(midnight: datetime, words: Match[str]) -> tuple[datetime, datetime]:
    """The newest day of that name before today."""
    wanted = _WEEKDAYS.index(words["day"][:3]) if words["day"].isascii() else None
    if wanted is None:
        wanted = "月火水木金土日".index(words["day"])
    day = midnight - ((midnight.weekday() - wanted - 1) % 7 + 1) * DAY
    return day, day + DAY


_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBER = rf"(?P<number>[0-9]{{1,3}}|{'|'.join(_NUMBERS)})"
_MEANINGS: tuple[tuple[re.Pattern[str], Meaning], ...] = (
    (re.compile(r"\bthe day before yesterday\b|一昨日|おととい"), _days(-2)),
    (re.compile(r"\byesterday\b|\blast night\b|昨日|きのう|昨夜|ゆうべ"), _days(-1)),
    (re.compile(r"\btoday\b|\bthis (?:morning|evening)\b|\btonight\b|今日|きょう|今朝"), _days(0)),
    (re.compile(rf"\b{_NUMBER} (?P<unit>days?|weeks?) ago\b"), _ago),
    (re.compile(r"(?P<number>[0-9]{1,3})\s?(?P<unit>日|週間)前"), _ago),
    (re.compile(r"\bthe week before last\b|先々週"), _week(-2)),
    (re.compile(r"\blast week\b|先週"), _week(-1)),
    (re.compile(r"\bthis week\b|今週"), _week(0)),
    (re.compile(r"\blast month\b|先月"), _last_month),
    (re.compile(r"\bthis month\b|今月"), _this_month),
    (
        re.compile(
            r"\b(?:on|last) (?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
        ),
        _weekday,
    ),
    (re.compile(r"(?P<day>[月火水木金土日])曜"), _weekday),
)
