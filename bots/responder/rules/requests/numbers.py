"""Counts as people say them, in English and Japanese."""

from __future__ import annotations

import re

_ENGLISH = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "sixteen": 16,
    "twenty": 20,
    "thirty": 30,
    "thirty-two": 32,
    "fifty": 50,
    "sixty-four": 64,
    "a couple": 2,
    "a couple of": 2,
    "a pair of": 2,
    "a few": 4,
    "half a dozen": 6,
    "a dozen": 12,
    "half a stack of": 32,
    "a stack of": 64,
    "one stack of": 64,
    "two stacks of": 128,
    "three stacks of": 192,
}
_KANJI = {c: n for n, c in enumerate("〇一二三四五六七八九")}
_TENS = {"十": 10, "百": 100}
_NATIVE = {
    **{"ひとつ": 1, "ふたつ": 2, "みっつ": 3, "よっつ": 4, "いつつ": 5},
    **{"むっつ": 6, "ななつ": 7, "やっつ": 8, "ここのつ": 9, "とお": 10},
}
STACK = 64

ENGLISH_COUNT = "|".join(
    [r"\d{1,9} stacks? of", r"\d{1,9}x?", *sorted(_ENGLISH, key=len, reverse=True)]
)
JAPANESE_COUNT = (
    r"(?:\d{1,9}|[一二三四五六七八九十百]{1,6})(?:個|こ|コ|つ|本|枚|匹|組|スタック)"
    r"|\d{1,9}|" + "|".join(_NATIVE)
)


def english_count(words: str) -> int:
    """The number in words that match `ENGLISH_COUNT`."""
    if words in _ENGLISH:
        return _ENGLISH[words]
    number = int(re.sub(r"\D", "", words))
    return number * STACK if "stack" in words else number


def japanese_count(words: str) -> int:
    """The number in words that match `JAPANESE_COUNT`."""
    if words in _NATIVE:
        return _NATIVE[words]
    number = re.match(r"\d+", words)
    count = int(number[0]) if number else _in_kanji(words)
    return count * STACK if words.endswith("スタック") else count


def _in_kanji(words: str) -> int:
    """`三十二個` is 32."""
    total, digit = 0, 0
    for character in words:
        if character in _KANJI:
            digit = _KANJI[character]
        elif character in _TENS:
            total, digit = total + (digit or 1) * _TENS[character], 0
    return total + digit
