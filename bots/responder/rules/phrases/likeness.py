"""The row that a line is most like, where none fits it.

    line ─▶ words that carry meaning ─▶ the row with most of them, in its order ─▶ how sure that is

A word counts by how rare it is among all rows. A line may say more than its row: “my dog died
today, he fell in lava” is like “my dog died”.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import log

from bots.responder.rules.phrases import Phrase, as_said, as_spelt, bare, file_of, folded, rows
from bots.text.language import Language, language_of
from bots.text.spelling import nearest

_THING = "{thing}"
_LIKE = "like"
"""The table of words that mean about the same, and of those that mean nothing here."""
LEAST_COVERED = 0.8
"""Of the weight of a row."""
LEAST_EXPLAINED, LEAST_AT_START = 0.3, 0.2
"""Of the weight of a line: it may say more, but not something else. What begins with the row may
say most, as a reason often follows."""
FIRST = 0.3  # counts what begins the line, in a score
EXPLAINED_COUNTS = 1.5  # times as much as what is covered
SURE_COVERED, SURE_EXPLAINED, CLEAR_EXPLAINED = 0.95, 0.45, 0.8
COMMON = 0.08
"""A word in so many of all rows says little: a row of such words alone is like nothing."""
NEW = 0.5
"""What a word weighs that no row has, beside the rarest that one has."""
MOST_WORDS = 5  # of a thing
_COUNTED = re.compile(r"\d+|an?|some|one|two|three|four|five|six|seven|eight|nine|ten")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|in|ed|es|s|er)$")
_KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_MARKS_JA = re.compile(r"[^\wー]|[ーっぁぃぅぇぉ]")


@dataclass(frozen=True, slots=True)
class Likeness:
    """A row, and how like it a line is."""

    phrase: Phrase
    covered: float
    """How much of the row the line says,"""
    explained: float
    """and how much of the line the row says."""
    starts: bool
    """Whether the line begins with it."""

    @property
    def score(self) -> float:
        return self.covered + EXPLAINED_COUNTS * self.explained + FIRST * self.starts

    @property
    def is_clear(self) -> bool:
        """Whether nearly all that is said is in the row."""
        return self.covered >= SURE_COVERED and self.explained >= CLEAR_EXPLAINED

    @property
    def is_sure(self) -> bool:
        return self.covered >= SURE_COVERED and self.explained >= SURE_EXPLAINED


@dataclass(frozen=True, slots=True)
class _Row:
    tokens: tuple[str, ...]
    slot: int
    """Behind so many of them stands the thing; -1: it has none."""
    phrase: Phrase
    weight: float = 0.0
    heaviest: str = ""
    """Its rarest word, without which nothing is like it."""


@dataclass(frozen=True, slots=True)
class _Scale:
    rows: Sequence[_Row]
    weights: Mapping[str, float]
    having: Mapping[str, Sequence[int]]
    """The rows that have a word."""
    new: float
    """What a word weighs that no row has."""

    def weight(self, token: str) -> float:
        return self.weights.get(token, self.new) if token else 0.0


def most_like(line: str, bot: str, is_thing: Callable[[str], bool]) -> Likeness | None:
    """The row that a line is like; None where it is like none. `is_thing` knows the words that
    stand for something to get, make or find."""
    language = language_of([line])
    said = _Line.of(as_spelt(line, bot, language), language)
    scale = _scale(language)
    near = {at for one in said.tokens for at in scale.having.get(one, ())}
    likes = [_compared(scale, scale.rows[at], said, is_thing) for at in sorted(near)]
    return max(filter(None, likes), key=lambda one: one.score, default=None)


@dataclass(frozen=True, slots=True)
class _Line:
    """What was said."""

    words: Sequence[str]
    tokens: Sequence[str]
    """For each word what it means, '' where it means nothing here; of Japanese pairs of signs."""
    language: Language

    @classmethod
    def of(cls, said: str, language: Language) -> _Line:
        if language == "ja":
            return cls((), _bigrams(said), language)
        weights, words = _scale(language).weights, said.split()
        return cls(words, [_known(_meaning(folded(word)), weights) for word in words], language)


def _compared(
    scale: _Scale, row: _Row, line: _Line, is_thing: Callable[[str], bool]
) -> Likeness | None:
    common = _common(row.tokens, line.tokens, scale.weights)
    said = [row.tokens[one] for one, _ in common]
    if row.heaviest not in said:
        return None
    at = [place for _, place in common]
    starts = not any(line.tokens[: at[0]])
    until, phrase = at[-1] + 1, row.phrase
    explains = sum(map(scale.weight, said))
    if row.slot >= 0:
        may_be = (lambda _words: True) if phrase.says else is_thing
        if (thing := _thing(row, common, line, may_be)) is None:
            return None
        if phrase.says and _stretched(row, common, line, thing):
            return None
        phrase, until = replace(phrase, thing=thing), len(line.tokens)
        explains += sum(scale.weight(_meaning(folded(word))) for word in thing.split())
    covered = sum(map(scale.weight, said)) / row.weight
    explained = explains / sum(map(scale.weight, line.tokens))
    if covered < LEAST_COVERED or explained < (LEAST_AT_START if starts else LEAST_EXPLAINED):
        return None
    turned = _asking(line.tokens, line.language) | _denying(line.tokens[:until], line.language)
    if turned != _asking(row.tokens, line.language) | _denying(row.tokens, line.language):
        return None
    said_so = as_said(phrase, phrase.heard.replace(_THING, phrase.thing))
    return Likeness(said_so, covered, explained, starts)


@cache
def _words_of(table: str, language: Language) -> frozenset[str]:
    return frozenset(file_of(language).get(table, {}).get("words", "").split())


def _asking(tokens: Sequence[str], language: Language) -> frozenset[str]:
    """The words of questions."""
    return frozenset(
        one.removesuffix("s") for one in tokens if one in _words_of("asking", language)
    )


def _denying(tokens: Sequence[str], language: Language) -> frozenset[str]:
    """Whether something is denied."""
    denies = any(one in _words_of("denying", language) for one in tokens)
    return frozenset({"not"} if denies else ())


def _stretched(row: _Row, common: Sequence[tuple[int, int]], line: _Line, thing: str) -> bool:
    """Whether more than the thing, which may be any words, stands between the words of a row."""
    between, extra = 0, 0
    for (one, at), (other, until) in pairwise(common):
        more = sum(1 for token in line.tokens[at + 1 : until] if token)
        if one < row.slot <= other:
            between += more
        else:
            extra += more
    return extra > 0 or between > len(thing.split())


def is_denial(word: str) -> bool:
    """Whether a word says that something is not so: `cant`."""
    return word.replace("'", "") in _words_of("denying", "en")


def _thing(
    row: _Row, common: Sequence[tuple[int, int]], line: _Line, may_be: Callable[[str], bool]
) -> str | None:
    """The words of the line that stand where the row has its thing, with their count."""
    words = line.words
    before = max((at for one, at in common if one < row.slot), default=-1)
    after = min((at for one, at in common if one >= row.slot), default=len(words))
    for length in range(min(MOST_WORDS, after - before - 1), 0, -1):
        for start in range(before + 1, after - length + 1):
            said = words[start : start + length]
            if may_be(" ".join(said)):
                count = words[start - 1] if start > before + 1 else ""
                return " ".join([count, *said] if _COUNTED.fullmatch(count) else said)
    return None


def _common(
    row: Sequence[str], line: Sequence[str], weights: Mapping[str, float]
) -> list[tuple[int, int]]:
    """The heaviest words that both have in the same order, as places in both, the first ones."""
    best = [[0.0] * (len(line) + 1) for _ in range(len(row) + 1)]  # of what begins there
    for one in reversed(range(len(row))):
        for at in reversed(range(len(line))):
            same = best[one + 1][at + 1] + weights[row[one]] if row[one] == line[at] else 0.0
            best[one][at] = max(best[one][at + 1], best[one + 1][at], same)
    one, at, found = 0, 0, []
    while one < len(row) and at < len(line):
        if row[one] == line[at] and best[one][at] > max(best[one + 1][at], best[one + 1][at + 1]):
            found.append((one, at))
            one, at = one + 1, at + 1
        elif best[one][at] == best[one + 1][at]:
            one += 1
        else:
            at += 1
    return found


@cache
def _scale(language: Language) -> _Scale:
    found = []
    for heard, phrase in rows(language):
        before, has_thing, after = heard.partition(_THING)
        parts = [_row_tokens(part, language) for part in (before, after)]
        slot = len(parts[0]) if has_thing else -1
        found.append(_Row((*parts[0], *parts[1]), slot, phrase))
    counts = Counter(token for row in found for token in set(row.tokens))
    weights = {token: log(1 + len(found) / count) for token, count in counts.items()}
    rare, asking = log(1 + 1 / COMMON), _words_of("asking", language)
    weighed = []
    for row in found:
        orders = row.slot >= 0 and not row.phrase.says  # its thing says enough
        least = 0.0 if orders else rare
        rarest = [one for one in row.tokens if one not in asking and weights[one] > least]
        if row.phrase.tells != "fate" and rarest and (orders or len(row.tokens) > (row.slot >= 0)):
            weight = sum(map(weights.__getitem__, row.tokens))
            heaviest = max(rarest, key=weights.__getitem__)
            weighed.append(replace(row, weight=weight, heaviest=heaviest))
    having = defaultdict(list)
    for at, row in enumerate(weighed):
        for token in set(row.tokens):
            having[token].append(at)
    return _Scale(weighed, weights, having, NEW * max(weights.values()))


def _row_tokens(text: str, language: Language) -> list[str]:
    said = bare(text, "", language) if text.strip() else ""
    return (
        _bigrams(said) if language == "ja" else [one for one in map(_meaning, said.split()) if one]
    )


def _known(token: str, weights: Mapping[str, float]) -> str:
    if token in weights or len(token) < 4:
        return token
    return nearest(token, weights) or token


@cache
def _meaning(word: str) -> str:
    alike, stem = _alike(), _ENDING.sub("", word)
    return alike.get(word, alike.get(stem, stem))


@cache
def _alike() -> Mapping[str, str]:
    table: Mapping[str, str] = file_of("en")[_LIKE]
    return {
        form: meaning if meaning != "nothing" else ""
        for meaning, words in table.items()
        for word in (meaning, *words.split())
        for form in (word, _ENDING.sub("", word))
    }


def _bigrams(said: str) -> list[str]:
    kana = _MARKS_JA.sub("", said.translate(_KATAKANA))
    return [kana[at : at + 2] for at in range(len(kana) - 1)]
