"""The row that a line is most like, where none fits it.

    line ─▶ words that carry meaning ─▶ the row with most of them, in its order ─▶ how sure that is

A word counts by how rare it is among all rows. A line may say more than its row: “my dog died
today, he fell in lava” is like “my dog died”. Where no spaces stand between words, signs count as
words do, in Japanese pairs of them, and each part of a line is compared for itself as well.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import log

from bots.responder.rules.phrases import (
    MOST_OF_A_NAME,
    Phrase,
    as_said,
    as_spelt,
    bare,
    file_of,
    folded,
    is_name,
    rows,
)
from bots.text.language import in_hiragana, language_of, normal
from bots.text.spelling import foreign_words, nearest
from bots.words.heard import heard as hearing

_THING = "{thing}"
_LIKE = "like"
"""The table of words that mean about the same, and of those that mean nothing here."""
LEAST_COVERED = 0.9
"""Of the weight of a row."""
LEAST_EXPLAINED, LEAST_AT_START = 0.45, 0.2
"""Of the weight of a line: it may say more, but not something else. What begins with the row may
say most, as a reason often follows."""
LEAST_ANSWERED, LEAST_QUESTION = 0.36, 0.5
"""The same for a row that is answered in words, and for one that asks: no more may be said besides,
or another thing is asked."""
FIRST = 0.3  # counts what begins the line, in a score
EXPLAINED_COUNTS = 1.5  # times as much as what is covered
SURE_COVERED, SURE_EXPLAINED, CLEAR_EXPLAINED = 0.95, 0.45, 0.8
COMMON = 0.08
"""A word in so many of all rows says little: a row of such words alone is like nothing."""
NEW = 0.5
"""What a word weighs that no row has, beside the rarest that one has."""
DENIED_IN_SHORT = 3
"""Words of a line that may say no to what was said before: “no, a castle”."""
FEW_TOKENS, LEAST_OF_FEW, LEAST_OF_ONE = 2, 0.5, 0.65
"""A row of so few words is like a line that begins with it, or that it is so much of; a row of one
only the latter."""
SHORT_TAIL = 3
"""So few words behind an order are no reason for it, but what it is about: “dig for gold”."""
MOST_WORDS = 5  # of a thing
_COUNTED = re.compile(r"\d+|an?|some|one|two|three|four|five|six|seven|eight|nine|ten")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|in|ed|es|s|er)$")
_UNSPACED = ("ja", "zh")
FEW_SIGNS = 3
"""Less than so many, or pairs, are a row only where they are all of it."""
_COMMON_SIGN = 3
"""A sign in fewer rows weighs no more than one in so many: a pair may be two words' joint."""
LEAST_COVERED_BY_SIGNS, LEAST_EXPLAINED_BY_SIGNS = 0.6, 0.5
LEAST_OF_TOPIC = 0.65
"""Of the weight of what a row by signs asks about: 鞍怎么做 is not like 门怎么做."""
_SMALL = str.maketrans("ゃゅょ", "やゆよ")
_MARKS = re.compile(r"[\W_]|[ーっぁぃぅぇぉ]")
_PARTS = re.compile(r"[\s。、！!？?,，…~〜]+")


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
        is_most = self.starts or self.explained >= SURE_EXPLAINED
        return self.covered >= SURE_COVERED and is_most


@dataclass(frozen=True, slots=True)
class _Row:
    words: Sequence[str]
    tokens: tuple[str, ...]
    slot: int
    """Behind so many of them stands the thing; -1: it has none."""
    phrase: Phrase
    weight: float = 0.0
    heaviest: str = ""
    """Its rarest word, without which nothing is like it."""
    topic: frozenset[int] = frozenset()
    """The places of the tokens that say what is asked about, where signs count as words."""


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


def most_like(
    line: str, bot: str, is_thing: Callable[[str], bool], tongue: str = ""
) -> Likeness | None:
    """The row that a line is like, of two the one without a thing; None where it is like none.
    `is_thing` knows the words that stand for something to get, make or find; `tongue` is the
    line's, if it is a third one."""
    language = tongue or language_of([line])
    scale = _scale(language)
    likes = [
        _compared(scale, scale.rows[at], said, is_thing)
        for said in _said(line, bot, language)
        for at in sorted({at for one in said.tokens for at in scale.having.get(one, ())})
    ]
    return max(filter(None, likes), key=lambda one: (one.score, not one.phrase.thing), default=None)


@dataclass(frozen=True, slots=True)
class _Line:
    """What was said."""

    words: Sequence[str]
    """Or signs."""
    tokens: Sequence[str]
    """For each word what it means, '' where it means nothing here; or pairs of signs."""
    language: str
    raw: str


def _said(line: str, bot: str, language: str) -> Iterator[_Line]:
    """The line; then its parts, where no spaces stand between words."""
    if language in _UNSPACED:
        for part in dict.fromkeys((line, *_PARTS.split(line))):
            signs = _signs(bare(part, bot, language), language)
            yield _Line(signs, _of_signs(signs, language), language, part)
        return
    weights, words = _scale(language).weights, as_spelt(line, bot, language).split()
    tokens = [_known(_meaning(folded(word)), weights) for word in words]
    yield _Line(words, tokens, language, line)


def _compared(
    scale: _Scale, row: _Row, line: _Line, is_thing: Callable[[str], bool]
) -> Likeness | None:
    common = _common(row.tokens, line.tokens, scale.weights)
    said = [row.tokens[one] for one, _ in common]
    language, by_signs = line.language, line.language in _UNSPACED
    if not common or (row.heaviest not in said and not by_signs):
        return None
    at = [place for _, place in common]
    starts = not any(line.tokens[: at[0]])
    until, phrase = at[-1] + 1, row.phrase
    if _is_of_another(line, at[0], phrase):
        return None
    explains = sum(map(scale.weight, said))
    if row.slot >= 0:
        may_be = _is_short_name if phrase.says and not by_signs else is_thing
        if (thing := _thing(row, common, line, may_be)) is None:
            return None
        loose = not starts or _stretched(row, common, line, thing)
        if phrase.says and not by_signs and loose:
            return None
        phrase, until = replace(phrase, thing=thing), len(line.tokens)
        words = [folded(word) for word in thing.split()]
        named = _of_signs(thing, language) if by_signs else map(_meaning, words)
        explains += sum(map(scale.weight, named))
    if row.topic and not _is_of_topic(scale, row, {one for one, _ in common}):
        return None
    covered = sum(map(scale.weight, said)) / row.weight
    explained = explains / sum(map(scale.weight, line.tokens))
    explained = min(1.0, explained)
    more = sum(1 for token in line.tokens if token) - len(common) - len(phrase.thing.split())
    least = _least_explained(row, language, starts=starts, is_short=more <= SHORT_TAIL)
    if covered < (LEAST_COVERED_BY_SIGNS if by_signs else LEAST_COVERED) or explained < least:
        return None
    if by_signs and len(common) < FEW_SIGNS and covered < SURE_COVERED:
        return None
    end = at[-1] + 1 + len(phrase.thing.split())
    asks = line.tokens[:end] if starts else line.tokens
    turned = _turned(line.words, line.tokens[:until], asks, language)
    if turned != _turned(row.words, row.tokens, row.tokens, language):
        return None
    said_so = as_said(phrase, phrase.heard.replace(_THING, phrase.thing))
    return Likeness(said_so, covered, explained, starts)


def _least_explained(row: _Row, language: str, *, starts: bool, is_short: bool) -> float:
    """How much of a line that is like a row must be in it."""
    if language in _UNSPACED:
        return LEAST_EXPLAINED_BY_SIGNS
    if not _words_of("asking", language).isdisjoint(row.words):
        return LEAST_QUESTION
    if len(row.tokens) == 1 and row.slot < 0 and (row.phrase.says or is_short):
        return LEAST_OF_ONE
    if row.phrase.says:
        is_few = len(row.tokens) <= FEW_TOKENS and not starts
        return LEAST_OF_FEW if is_few else LEAST_ANSWERED
    return LEAST_AT_START if starts and not is_short else LEAST_EXPLAINED


def _is_of_another(line: _Line, at: int, phrase: Phrase) -> bool:
    """Whether a line asks of the bot, or tells of somebody else, what the row does not."""
    if phrase.says or phrase.tells:
        return bool(phrase.says) and _asks_bot(line.words) and not _asks_bot([phrase.heard])
    is_of_facts = hearing("phrase.asks_fact", "en")
    if is_of_facts.match(" ".join(line.words)) and not is_of_facts.match(phrase.heard):
        return True
    excepts = hearing("request.except")
    if excepts.search(normal(line.raw)) and not excepts.search(normal(phrase.heard)):
        return True
    return _tells(line, at) or _has(line, phrase)


def _is_of_topic(scale: _Scale, row: _Row, common: Collection[int]) -> bool:
    weight = {at: scale.weight(row.tokens[at]) for at in row.topic}
    named = sum(weight[at] for at in weight if at in common)
    return named >= LEAST_OF_TOPIC * sum(weight.values())


def _topic(signs: Sequence[str], language: str) -> frozenset[int]:
    """What stands before the word of a question, or behind one that begins the row."""
    text, pair = "".join(signs), int(language == "ja")
    asked = [(text.find(one), one) for one in _words_of("asking", language) if one in text]
    if not asked:
        return frozenset()
    at, word = min(asked, key=lambda one: (one[0], -len(one[1])))
    if at == 0:
        return frozenset(range(len(word), len(text) - pair))
    return frozenset(range(max(at - pair, 1)))


@cache
def _words_of(table: str, language: str) -> frozenset[str]:
    words = file_of(language).get(table, {}).get("words", "").split()
    by_signs = language in _UNSPACED
    return frozenset(_signs(one, language) for one in words) if by_signs else frozenset(words)


def _tells(line: _Line, at: int) -> bool:
    """Whether the word there is what somebody does, not what is asked for: “I look at you”."""
    if line.language in _UNSPACED:
        return is_told(line.raw, line.language)
    before = next((one for one in reversed(range(at)) if line.tokens[one]), 0)
    return any(map(hearing("phrase.telling", "en").fullmatch, line.words[before:at]))


def _has(line: _Line, phrase: Phrase) -> bool:
    """Whether somebody has what a row asks for: “I have 3 logs” is not “can I have 3 logs”."""
    asks = hearing("phrase.may_i", "en").match(phrase.heard) is not None
    return asks and not hearing("phrase.may_i", "en").search(" ".join(line.words))


def is_told(line: str, language: str) -> bool:
    """Whether a line ends as who tells what they do, and asks for nothing: 釣りに行きます."""
    return language in _UNSPACED and bool(hearing("phrase.telling", language).search(line))


def _is_short_name(words: str) -> bool:
    return len(words.split()) <= MOST_OF_A_NAME and is_name(words)


def _asks_bot(words: Sequence[str]) -> bool:
    """Whether a question begins with what the bot does or is: “do you get lonely”."""
    return hearing("phrase.asks_bot", "en").match(" ".join(words)) is not None


def _turned(
    signs: Sequence[str], until: Sequence[str], asks: Sequence[str], language: str
) -> frozenset[str]:
    """The words of questions in `asks`, and whether something is denied `until` there."""
    asking, denying = _words_of("asking", language), _words_of("denying", language)
    if language in _UNSPACED:
        text = "".join(signs)
        asked = [one for one in asking if one in text]
        denies = any(one in text for one in denying)
    else:
        asked = [one.removesuffix("s") for one in asks if one in asking]
        denies = not denying.isdisjoint(until)
    return frozenset([*asked, "not"] if denies else asked)


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


def denies(line: str) -> bool:
    """Whether a line of several words says that something is not so."""
    words = line.split()
    return len(words) > DENIED_IN_SHORT and any(map(is_denial, words))


def is_denial(word: str) -> bool:
    """Whether a word says that something is not so: `cant`."""
    return word.replace("'", "") in _words_of("denying", "en")


def _thing(
    row: _Row, common: Sequence[tuple[int, int]], line: _Line, may_be: Callable[[str], bool]
) -> str | None:
    """The words of the line that stand where the row has its thing, with their count."""
    words = line.words
    before = max((at + (line.language == "ja") for one, at in common if one < row.slot), default=-1)
    after = min((at for one, at in common if one >= row.slot), default=len(words))
    if line.language in _UNSPACED:  # a part of what stands there would be another thing
        there = "".join(words[before + 1 : after])
        return there if there and may_be(there) else None
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
def _scale(language: str) -> _Scale:
    found, by_signs = [], language in _UNSPACED
    for heard, phrase in rows(language):
        before, has_thing, after = heard.replace("{count}", "").partition(_THING)
        parts = [_row_words(part, language) for part in (before, after)]
        tokens = [_of_signs(part, language) if by_signs else part for part in parts]
        slot = len(tokens[0]) if has_thing else -1
        words = [*parts[0], *parts[1]]
        if "{" not in before + after:
            found.append(_Row(words, (*tokens[0], *tokens[1]), slot, phrase))
    counts = Counter(token for row in found for token in set(row.tokens))
    fewest = _COMMON_SIGN if by_signs else 1
    weights = {token: log(1 + len(found) / max(count, fewest)) for token, count in counts.items()}
    rare, asking = log(1 + 1 / COMMON), _words_of("asking", language)
    weighed = []
    for row in found:
        orders = row.slot >= 0 and not row.phrase.says  # its thing says enough
        least = 0.0 if orders else rare
        rarest = [one for one in row.tokens if one not in asking and weights[one] > least]
        if rarest and (orders or len(row.tokens) > (row.slot >= 0)):
            weight = sum(map(weights.__getitem__, row.tokens))
            heaviest = max(rarest, key=weights.__getitem__)
            topic = _topic(row.words, language) if by_signs and row.slot < 0 else frozenset()
            weighed.append(replace(row, weight=weight, heaviest=heaviest, topic=topic))
    having = defaultdict(list)
    for at, row in enumerate(weighed):
        for token in set(row.tokens):
            having[token].append(at)
    return _Scale(weighed, weights, having, NEW * max(weights.values()))


def _row_words(text: str, language: str) -> list[str]:
    """What the words of a row mean; its signs where no spaces stand between words."""
    said = bare(text, "", language) if text.strip() else ""
    if language in _UNSPACED:
        return list(_signs(said, language))
    return [one for one in map(_meaning, said.split()) if one]


def _known(token: str, weights: Mapping[str, float]) -> str:
    if token in weights or len(token) < 4 or token in foreign_words():
        return token
    return nearest(token, weights) or token


@cache
def _meaning(word: str) -> str:
    alike, stem = _alike("en"), _ENDING.sub("", word)
    return alike.get(word, alike.get(stem, stem))


@cache
def _alike(language: str) -> Mapping[str, str]:
    """What words mean."""
    table: Mapping[str, str] = file_of(language)[_LIKE]
    fold = _plain if language in _UNSPACED else str
    return {
        form: fold(meaning) if meaning != "nothing" else ""
        for meaning, words in table.items()
        for word in (meaning, *words.split())
        for form in (fold(word), _ENDING.sub("", word))
    }


@cache
def _alike_anywhere(language: str) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(_alike(language), key=len, reverse=True))))


def _signs(said: str, language: str) -> str:
    """In hiragana, without marks and with one of several words for the same."""
    alike = _alike(language)
    return _alike_anywhere(language).sub(lambda found: alike[found[0]], _plain(said))


def _plain(said: str) -> str:
    return _MARKS.sub("", in_hiragana(said).translate(_SMALL))


def _of_signs(signs: Sequence[str], language: str) -> list[str]:
    """What counts as words: the signs of Chinese, each pair of signs of Japanese."""
    if language != "ja":
        return list(signs)
    return ["".join(pair) for pair in pairwise(signs)]
