"""Phrases that rules answer or take for another sentence, from one file a language.

    line ─▶ bare words ─▶ a phrase of en.toml or ja.toml ─▶ what to say, or what it means

Words that are nearly right are mended before a line is given up: `folow me`, `5 loggs`."""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from bots.text.language import Language, language_of, normal
from bots.text.spelling import nearest

_POLITE = re.compile(
    r"\b(?:please|pls|plz|hey|hi|hello|ok|okay|oh|um|so|well|then|pretty|bro|dude|just|too|again)\b"
)
_POLITE_JA = re.compile(
    r"(?:ください|下さい|くれる|くれない|もらえる|くれますか|ねえ|ちょっと|です|ます|だよ|だね|でしょ|なの|のか|[よねかなぁーっ〜~のだ])+$"
)
_NO_LETTER = re.compile(r"[^\w+*/×÷\s-]+")
_REPEATED = re.compile(r"([^\W\d])\1+")
_LONGEST = 60  # characters of a phrase
_THING = "{thing}"
_SHORT = "short"  # what people type, and what it is short for


@dataclass(frozen=True, slots=True)
class Phrase:
    """What is answered to a phrase, or what it means."""

    says: tuple[str, ...] = ()
    """Answers, of which any will do; `{name}` is the speaker's."""
    means: str = ""
    """The sentence it stands for; `{thing}` are the words said there."""
    thing: str = ""

    @property
    def sentence(self) -> str:
        return self.means.replace(_THING, self.thing)


def found(line: str, bot: str, *, nearly: bool = False) -> Phrase | None:
    """The phrase of a line; `nearly` forgives slips of the keyboard."""
    language = language_of([line])
    said = bare(line, bot, language)
    if not said or len(said) > _LONGEST:
        return None
    book = _book(language)
    if (phrase := book.whole.get(said)) is not None:
        return phrase
    if nearly and (near := nearest(said, book.whole)) is not None:
        return book.whole[near]
    for pattern, phrase in book.open:
        if (match := pattern.fullmatch(said)) is not None:
            return Phrase(
                phrase.says, phrase.means, _thing_of(expanded(normal(line)), match["thing"])
            )
    return None


def words(language: Language) -> frozenset[str]:
    """All words of the phrases."""
    return frozenset(word for heard, _ in rows(language) for word in _WORD.findall(heard))


@dataclass(frozen=True, slots=True)
class _Book:
    whole: Mapping[str, Phrase]
    open: tuple[tuple[re.Pattern[str], Phrase], ...]
    """Those with `{thing}`, the longest first."""


@cache
def _book(language: Language) -> _Book:
    all_rows = rows(language)
    return _Book(
        {bare(heard, "", language): phrase for heard, phrase in all_rows if _THING not in heard},
        tuple(
            (_slotted(heard, language), phrase)
            for heard, phrase in sorted(all_rows, key=lambda row: -len(row[0]))
            if _THING in heard
        ),
    )


def rows(language: Language) -> list[tuple[str, Phrase]]:
    return [
        (heard, Phrase(tuple(row.get("says", ())), row.get("means", "")))
        for name, row in _file(language).items()
        if name != _SHORT
        for heard in row["heard"]
    ]


@cache
def _file(language: Language) -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))


def _slotted(heard: str, language: Language) -> re.Pattern[str]:
    before, after = (re.escape(_folded(part.strip())) for part in heard.split(_THING))
    gap = "" if language == "ja" else " ?"
    return re.compile(f"{before}{gap}(?P<thing>\\S.*?){gap}{after}")


def bare(line: str, bot: str, language: Language) -> str:
    """Words alone: no case, name, punctuation, politeness or doubled letter."""
    said = _NO_LETTER.sub("", normal(line).replace("'", "").replace(bot.casefold() or "\0", " "))
    if language == "ja":
        said = said.replace(" ", "").removeprefix("さん")
        return _POLITE_JA.sub("", said) or said
    said = " ".join(expanded(said).split())
    return _folded(" ".join(_POLITE.sub(" ", said).split()) or said)


def _folded(said: str) -> str:
    return _REPEATED.sub(r"\1", said)


def _thing_of(line: str, folded: str) -> str:
    """The words of a slot as they were said."""
    words = line.rstrip(" .!?！？。").split()
    count = len(folded.split())
    ends = [words[at : at + count] for at in range(len(words) - count + 1)]
    return next((" ".join(one) for one in ends if _folded(" ".join(one)) == folded), folded)


# --- Nearly right -------------------------------------------------------------------

_WORD = re.compile(r"[a-z']+")


def expanded(said: str) -> str:
    """The line with short forms written out."""
    short = _file("en")[_SHORT]
    return _WORD.sub(lambda word: short.get(word[0], word[0]), said)


def mended(line: str, known: Iterable[str]) -> str | None:
    """An English line with each unknown word replaced by the known one next to it; None where
    nothing is to mend."""
    if language_of([line]) == "ja":
        return None
    words, said = frozenset(known), normal(line)
    better = _WORD.sub(lambda word: _mended(word[0], words), expanded(said))
    return None if better == said else better


def _mended(word: str, known: frozenset[str]) -> str:
    if word in known or len(word) < 3:
        return word
    return nearest(word, known) or word


# --- Sums ---------------------------------------------------------------------------

_SUM = re.compile(
    r"(?:(?:what(?:'?s| is)|how much is|calculate)\s+)?(?P<a>\d{1,6})\s*"
    r"(?P<by>\+|plus|-|minus|\*|x|×|times|/|÷|divided by"
    r"|たす|足す|ひく|引く|かける|掛ける|わる|割る)"
    r"\s*(?P<b>\d{1,6})\s*(?:は|=|って)?\s*(?:いくつ|何|なに)?(?:ですか)?\s*[?？。.!]*"
)
_BY: tuple[tuple[str, Callable[[int, int], float]], ...] = (
    (r"\+|plus|たす|足す", operator.add),
    (r"-|minus|ひく|引く", operator.sub),
    (r"\*|x|×|times|かける|掛ける", operator.mul),
)


def reckoned(line: str, bot: str = "") -> str | None:
    """The result of a sum, as `4`; None for another line, or where there is none."""
    asked = _SUM.fullmatch(normal(line).removeprefix(bot.casefold()).strip(" ,、:"))
    if asked is None:
        return None
    a, b = int(asked["a"]), int(asked["b"])
    does = next((how for words, how in _BY if re.fullmatch(words, asked["by"])), None)
    if does is None and b == 0:
        return None
    return f"{does(a, b) if does else a / b:g}"


def words_of(patterns: Iterable[re.Pattern[str]]) -> Iterator[str]:
    """The words that stand in patterns."""
    for pattern in patterns:
        yield from _WORD.findall(re.sub(r"\(\?P?<\w+>|\\[bBwsdS]", " ", pattern.pattern))
