"""Whether a text speaks of what a question is about: it has nearly all of its key words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bots.text.search_words import asked_words, weight_of, words_of

_WORDS = """
find located location place spot kept kind lot much many exactly name call store look happen
tell give live stay still find time day keep put leave left hide near here use work mean
"""
_OF_QUESTIONS = frozenset(_WORDS.split())
"""Words of a question that its answer may lack."""
_GREETINGS = frozenset({"hello", "hi", "hey", "hiya", "greetings"})
_ENDINGS = ("", "s", "es", "e", "ed", "d", "ing", "er", "y", "ies", "ly", "n", "en", "r")
_STEM = 3  # letters that forms of a word have in common


def key_words(question: str, without: Collection[str] = ()) -> list[str]:
    """What the question is about; `without` are names of those who talk."""
    empty = _GREETINGS | {name.casefold() for name in without}
    words = [word for word in asked_words(question) if word not in empty]
    return [word for word in words if weight_of(word) == 1.0]


def speaks_of(text: str, words: Iterable[str]) -> bool:
    """Whether a text has nearly all of these words, in whatever form."""
    wanted = list(words)
    needed = [word for word in wanted if word not in _OF_QUESTIONS] or wanted
    said = set(words_of(text))
    has = sum(any(_is_form(word, other) for other in said) for word in needed)
    return has >= max(1, len(needed) - len(needed) // 3)


def _is_form(word: str, other: str) -> bool:
    if word == other or not (word.isascii() and other.isascii()):
        return word == other
    common = 0
    for mine, its in zip(word, other, strict=False):
        if mine != its:
            break
        common += 1
    rests = word[common:], other[common:]
    return common >= _STEM and all(rest in _ENDINGS for rest in rests)
