"""Phrases that rules answer or take for another sentence, from one file a language.

    line ─▶ bare words ─▶ a phrase of en.toml or ja.toml ─▶ what to say, or what it means

Words that are nearly right are mended before a line is given up: `folow me`, `5 loggs`."""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from bots.text.language import Language, in_hiragana, is_japanese, language_of, normal
from bots.text.spelling import expanded, nearest, slips
from bots.words.heard import heard as hearing
from bots.words.heard import is_call_of, written_out

_KANA_NAME = re.compile(r"[ァ-ヶー]{2,8} ?(?:さん|ちゃん|くん|君)?[、!?。〜~ー]*")
_BACK = {"my": "your", "your": "my", "me": "you", "you": "me", "our": "your", "mine": "yours"}
_YOUR = re.compile(r"\byour\b")
"""For “you are” by ear."""
_NO_LETTER = re.compile(r"[^\w+*/×÷\s-]+")
_HONORIFIC = re.compile("^(?:さん|ちゃん|くん)")
_REPEATED = re.compile(r"([^\W\d])\1+")
_LONGEST = 60  # characters of a phrase
LONG = 7  # letters of a word in which two slips are forgiven
MOST_OF_A_NAME = 3  # words of what somebody names
MOST_OF_WHAT_IT_CANNOT = 8  # words of a thing in “I cannot catch …”
_THING = "{thing}"
_SAME = "same"  # the table of two ways to say the same


@dataclass(frozen=True, slots=True)
class Phrase:
    """What is answered to a phrase, or what it means."""

    says: tuple[str, ...] = ()
    """Answers, of which any will do; `{name}` is the speaker's."""
    means: str = ""
    """The sentence it stands for; `{thing}` are the words said there."""
    does: str = ""
    """The name of an order that it gives; `thing` says of what."""
    tells: str = ""
    """The name of an answer that needs to look or to remember."""
    thing: str = ""
    heard: str = ""
    """The row that it was."""
    said: str = ""
    """What was asked for, to the one who asked it: `ride that pig with you`."""

    @property
    def sentence(self) -> str:
        """What it stands for, as somebody would say it."""
        return (self.means or self.heard).replace(_THING, self.thing)


def found(line: str, bot: str, *, nearly: bool = False) -> Phrase | None:
    """The phrase of a line; `nearly` forgives slips of the keyboard."""
    language = language_of([line])
    book, plain = _book(language), [one for one in _ways(line, bot, language) if one]
    without_reason = _without_reason(plain, language)
    if not plain or len(plain[0]) > _LONGEST:
        return None
    for said in (*plain, _YOUR.sub("youre", plain[0]), *without_reason):
        phrase = book.whole.get(said) or book.core.get(_core(said))
        if phrase is not None and (phrase.does or said not in without_reason):
            return as_said(phrase, phrase.heard)
    near = nearest(plain[0], book.whole) if nearly else None
    if near is not None and _is_slip(plain[0], near, language):
        return as_said(book.whole[near], book.whole[near].heard)
    mark = "?" if normal(line).rstrip(" !").endswith("?") else ""
    if (by_pattern := _by_pattern(language, plain[0] + mark)) is not None:
        return by_pattern
    open_ways = (*without_reason, *reversed(plain), _YOUR.sub("youre", plain[0]))
    return next(filter(None, (_open(book, line, said) for said in open_ways)), None)


def _is_slip(said: str, near: str, language: Language) -> bool:
    """Whether one is the other with slips of the finger: not “make a rug” for “make a hut”."""
    if language != "en":
        return slips(said, near) <= 1
    one, other = said.split(), near.split()
    return len(one) != len(other) or all(
        slips(a, b) <= (1 if len(a) < LONG else 2) for a, b in zip(one, other, strict=True)
    )


def _by_pattern(language: Language, said: str) -> Phrase | None:
    """The first row that has a pattern which is found in the line."""
    for pattern, phrase in patterns(language):
        if (found := pattern.search(said)) is not None:
            thing = found.groupdict().get("thing") or ""
            return as_said(replace(phrase, thing=thing, heard=said), said)
    return None


def _open(book: _Book, line: str, said: str) -> Phrase | None:
    for pattern, phrase in book.open:
        if (match := pattern.fullmatch(said)) is not None:
            thing = _thing_of(expanded(normal(line)), match["thing"])
            named = _is_one_thing(thing, line) if is_japanese(line) else is_name(thing)
            is_long = not is_japanese(line) and len(thing.split()) > MOST_OF_WHAT_IT_CANNOT
            if phrase.says and (is_long or not named):
                continue
            return as_said(replace(phrase, thing=thing), phrase.heard.replace(_THING, thing))
    return None


def is_name(thing: str) -> bool:
    """Whether words may name a thing: no pronoun does, nor does what somebody does."""
    return hearing("phrase.pronoun", "en").fullmatch(thing.partition(" ")[0]) is None


def _is_one_thing(thing: str, line: str) -> bool:
    """Whether words of a Japanese line do not reach over a gap, and ask nothing."""
    asking = file_of("ja")["asking"]["words"].split()
    return thing in normal(line) and not any(one in thing for one in asking)


def as_said(phrase: Phrase, said: str) -> Phrase:
    """With what was asked for, as the bot says it back: “my bed” is “your bed”."""
    of_bot = hearing("phrase.you_are", "en").sub("I am", said)
    of_bot = hearing("phrase.you_do", "en").sub(lambda found: f"{found['before'] or ''}I", of_bot)
    return replace(phrase, said=_WORD.sub(lambda word: _BACK.get(word[0], word[0]), of_bot))


def _ways(line: str, bot: str, language: Language) -> list[str]:
    """The line, then without “can you” and “for me”."""
    said = bare(line, bot, language)
    if language == "ja":
        return [said, hearing("phrase.around").sub("", said)]
    return list(dict.fromkeys([said, _soft(said)]))


def _without_reason(ways: Sequence[str], language: Language) -> list[str]:
    """The line without the reason given for it, as an order stands."""
    if language == "ja" or not ways:
        return []
    shorter = hearing("phrase.reason_before").sub("", hearing("phrase.reason").sub("", ways[0]))
    return [one for one in dict.fromkeys([shorter, _soft(shorter)]) if one not in ways]


def _soft(said: str) -> str:
    return hearing("phrase.before").sub("", hearing("phrase.after").sub("", said)) or said


def _core(said: str) -> str:
    """The words that carry the meaning, behind the first."""
    small, (first, *rest) = hearing("phrase.small"), said.split()
    return " ".join([first, *(word for word in rest if not small.fullmatch(word))])


def is_call(line: str, bot: str) -> bool:
    """Whether a line is a name alone: the bot's, or in kana, which may be anybody's."""
    if language_of([line]) == "ja":
        is_kana = _KANA_NAME.fullmatch(normal(line)) is not None
        return is_kana or is_call_of(line, bot) or not bare(line, bot, "ja")
    return bot.casefold() in normal(line) and not bare(line, bot, "en")


def words(language: Language) -> frozenset[str]:
    """All words of the phrases."""
    return frozenset(word for heard, _ in rows(language) for word in _WORD.findall(heard))


@dataclass(frozen=True, slots=True)
class _Book:
    whole: Mapping[str, Phrase]
    core: Mapping[str, Phrase]
    """Those that ask nothing, by the words that carry the meaning."""
    open: tuple[tuple[re.Pattern[str], Phrase], ...]
    """Those with `{thing}`, the longest first."""


@cache
def _book(language: Language) -> _Book:
    all_rows = rows(language)
    whole = {bare(heard, "", language): phrase for heard, phrase in all_rows if _THING not in heard}
    asks = hearing("phrase.asks")
    cores = ((_core(heard), phrase) for heard, phrase in whole.items() if not asks.match(heard))
    return _Book(
        whole,
        {core: phrase for core, phrase in cores if " " in core},
        tuple(
            (_slotted(heard, language), phrase)
            for heard, phrase in sorted(all_rows, key=lambda row: -len(row[0]))
            if _THING in heard
        ),
    )


def rows(language: str) -> list[tuple[str, Phrase]]:
    return [
        (heard, Phrase(tuple(row.get("says", ())), heard=heard, **_options(row)))
        for row in file_of(language).values()
        for heard in row.get("heard", ())
    ]


@cache
def patterns(language: Language) -> tuple[tuple[re.Pattern[str], Phrase], ...]:
    """The patterns of rows, `ways`, as they are found in bare lines, whose questions end with a
    mark; `%name%` is one of [parts]."""
    file = file_of(language)
    parts = file.get("parts", {})
    return tuple(
        (re.compile(_as_bare(written_out(way, parts), language)), phrase)
        for row in file.values()
        for way in row.get("ways", ())
        for phrase in [Phrase(tuple(row.get("says", ())), **_options(row))]
    )


def _as_bare(way: str, language: Language) -> str:
    return replaced(in_hiragana(way), language) if language == "ja" else way


def _options(row: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(row[key]) for key in ("means", "does", "tells") if key in row}


@cache
def file_of(language: str) -> Mapping[str, Any]:
    """The phrases of a language and its facts of the game; empty for one that has no file."""
    paths = [files(__package__) / at / f"{language}.toml" for at in (".", "facts")]
    read = [tomllib.loads(path.read_text("utf-8")) for path in paths if path.is_file()]
    return {name: row for file in read for name, row in file.items()}


def _slotted(heard: str, language: Language) -> re.Pattern[str]:
    heard = replaced(in_hiragana(heard) if language == "ja" else heard, language)
    plain = heard if language == "ja" else folded(heard)
    before, after = (re.escape(part.strip()) for part in plain.split(_THING))
    left, right = ("" if language == "ja" or not part else " " for part in (before, after))
    return re.compile(rf"{before}{left}(?P<thing>\S.*?){right}{after}")


def bare(line: str, bot: str, language: str) -> str:
    """Words alone: no case, name, punctuation, politeness or doubled letter."""
    said = as_spelt(line, bot, language)
    return folded(said) if language == "en" else said


def as_spelt(line: str, bot: str, language: str) -> str:
    """The same with doubled letters."""
    said = _NO_LETTER.sub("", normal(line).replace("'", "").replace(bot.casefold() or "\0", " "))
    if language != "en":
        said = replaced(_HONORIFIC.sub("", in_hiragana(said.replace(" ", ""))), language)
        return hearing("phrase.polite", language).sub("", said) or said
    said = replaced(" ".join(expanded(said).split()), language)
    return " ".join(hearing("phrase.polite", "en").sub(" ", said).split()) or said


def replaced(said: str, language: str) -> str:
    """With one of two ways to say the same."""
    same = file_of(language)[_SAME]
    return _any_of(language).sub(lambda found: str(same[found[0]]), said)


@cache
def _any_of(language: str) -> re.Pattern[str]:
    edge = r"\b" if language == "en" else ""
    words = sorted(file_of(language)[_SAME], key=len, reverse=True)
    return re.compile(f"{edge}(?:{'|'.join(words)}){edge}")


def folded(said: str) -> str:
    return _REPEATED.sub(r"\1", said)


def _thing_of(line: str, plain: str) -> str:
    """The words of a slot as they were said."""
    if is_japanese(line):
        pieces = (line[one:other] for one, other in combinations(range(len(line) + 1), 2))
        return next((one for one in pieces if replaced(in_hiragana(one), "ja") == plain), plain)
    words = line.rstrip(" .!?！？。").split()
    ends = combinations(range(len(words) + 1), 2)
    said = (" ".join(words[one:other]) for one, other in ends)
    return next((one for one in said if bare(one, "", "en") == plain), plain)


# --- Nearly right -------------------------------------------------------------------

_WORD = re.compile(r"[a-z']+")


def words_in(line: str) -> list[str]:
    return _WORD.findall(normal(line))


def mended(line: str, known: Iterable[str]) -> str | None:
    """An English line with each unknown word replaced by the known one next to it; None where
    nothing is to mend."""
    if language_of([line]) == "ja":
        return None
    words, said = frozenset(known), normal(line)
    joined = _TWO.sub(lambda two: two[1] + _gap(two[1], two[2], words), expanded(said))
    better = _WORD.sub(lambda word: _mended(word[0], words), joined)
    return None if better == said else better


_TWO = re.compile(r"\b([a-z]+) (?=([a-z]+))")


def _gap(one: str, other: str, known: frozenset[str]) -> str:
    """What stands between two words: nothing in `mon ster`, which is one."""
    return "" if one + other in known and not {one, other} <= known else " "


def _mended(word: str, known: frozenset[str]) -> str:
    if word in known or len(word) < 3:
        return word
    folded = (_REPEATED.sub(fold, word) for fold in (r"\1", r"\1\1"))
    return nearest(word, known) or next((one for one in folded if one in known), word)


# --- Sums ---------------------------------------------------------------------------

_SIGNS: Mapping[str, Callable[[float, float], float]] = {
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "by": operator.truediv,
}


def reckoned(line: str, bot: str = "", *, within: bool = False) -> str | None:
    """The result of a sum, as `4`; None for another line, or where there is none. `within`: the sum
    may stand among other words."""
    said = normal(line).removeprefix(bot.casefold()).strip(" ,、:")
    asked = _sum().search(said) if within else _sum().fullmatch(said)
    if asked is None:
        return None
    first, *rest = _signs().split(asked["sum"])
    if within and not _asks_for_sum().search(said):
        return None
    terms = [float(_number(first))]
    for sign, said in zip(rest[::2], rest[1::2], strict=True):
        number, does = _number(said), _SIGNS[_sign_of(sign)]
        if does is operator.truediv and number == 0:
            return None
        if does in (operator.mul, operator.truediv):
            terms[-1] = does(terms[-1], number)
        else:
            terms.append(does(0, number))
    return f"{sum(terms):g}"


@cache
def _asks_for_sum() -> re.Pattern[str]:
    """What stands in a line that asks for a sum, and not where somebody tells a size."""
    words = [*file_of("en")["asking"]["words"].split(), *file_of("en")["sum"]["asked"]]
    return re.compile(rf"[?=+*/÷×？]|[^\x00-\x7f]|\b(?:{_any_word(words)})\b")


def _number(said: str) -> int:
    word = said.strip()
    return int(word) if word.isdecimal() else next(n[word] for n in _of_all("numbers") if word in n)


def _sign_of(said: str) -> str:
    return next(sign for table in _of_all("sum") for sign in _SIGNS if said in table[sign])


def _any_word(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


@cache
def _signs() -> re.Pattern[str]:
    signs = (word for table in _of_all("sum") for sign in _SIGNS for word in table[sign])
    return re.compile(rf"\s*({_any_word(signs)})\s*")


@cache
def _sum() -> re.Pattern[str]:
    """A sum of up to six numbers, in the words of any language."""
    before, after = (
        _any_word(word for table in _of_all("sum") for word in table[part])
        for part in ("before", "after")
    )
    number = rf"(?:\d{{1,6}}|{_any_word(word for one in _of_all('numbers') for word in one)})"
    return re.compile(
        rf"(?:(?:{before})\s*)?(?P<sum>(?<![\d.a-z]){number}(?:{_signs().pattern}{number}){{1,5}})(?!\d|\.\d|[a-z])"
        rf"\s*(?:(?:{after})\s*)*[?？。.!]*"
    )


def _of_all(table: str) -> Iterator[Mapping[str, Any]]:
    """A table of each language that has it."""
    names = (one.name for one in files(__package__).iterdir() if one.name.endswith(".toml"))
    return (file[table] for name in sorted(names) if table in (file := file_of(name[:-5])))


def words_of(patterns: Iterable[re.Pattern[str]]) -> Iterator[str]:
    """The words that stand in patterns."""
    for pattern in patterns:
        yield from _WORD.findall(re.sub(r"\(\?P?<\w+>|\\[bBwsdS]", " ", pattern.pattern))


# --- Lines without stops ------------------------------------------------------------

MOST_PLACES = 10
LEAST_UNDERSTOOD = 0.5
"""Of the words; of less, nobody could say what the line is about."""
_JOINT = re.compile(r"^(?:(?:and|but|so|then)\s+)+")
_BETWEEN = re.compile(r"\b(?:and|but|so|then)\b|\W")
_STOP = re.compile(r"[.!?,;:。、！？…~〜\n]+[\s\W]*|(?<=[ぁ-んァ-ヶー一-鿿])[\s\u3000]+")


def parts(line: str, takes: Callable[[str], bool]) -> list[str]:
    """The parts of a line that are understood, in their order: `im 8` and `how old r u`; none where
    too little is. The way that leaves the fewest words over wins, then that with fewest parts."""
    places = [0, *list(_places(line))[:MOST_PLACES], len(line)]
    taken = {
        (one, other): len(line[one:other].split())
        for one, other in combinations(places, 2)
        if takes(_part(line[one:other]))
    }
    best: dict[int, tuple[int, int, tuple[tuple[int, int], ...]]] = {0: (0, 0, ())}
    for at, before in zip(places[1:], places, strict=False):
        ways = [best[before]]
        for (one, other), words in taken.items():
            if other == at:
                understood, fewer, chosen = best[one]
                ways.append((understood + words, fewer - 1, (*chosen, (one, other))))
        best[at] = max(ways)
    understood, _, chosen = best[len(line)]
    enough = understood >= LEAST_UNDERSTOOD * len(line.split())
    return [_part(line[one:other]) for one, other in chosen] if enough else []


def to_the_point(line: str, bot: str) -> str:
    """A Japanese line without the parts that add nothing: `きて はやくー`."""
    if not is_japanese(line):
        return line
    beside = file_of("ja")["beside"]["words"].split()
    parts = [one for one in _STOP.split(line) if one.strip()]
    kept = [one for one in parts if bare(one, bot, "ja") not in beside]
    for one in parts if kept else ():
        line = line if one in kept else line.replace(one, "")
    return line.strip()


def has_parts(line: str) -> bool:
    return _STOP.search(line.strip(" 。!?！？")) is not None


def _part(text: str) -> str:
    return _JOINT.sub("", text.strip(" ,、"))


def is_all(line: str, parts: Iterable[str]) -> bool:
    """Whether nothing of a line is left beside its parts but politeness."""
    polite = hearing("phrase.polite")
    left, understood = (polite.sub("", text) for text in (line, " ".join(parts)))
    return _BETWEEN.sub("", left) == _BETWEEN.sub("", understood)


def _places(line: str) -> Iterator[int]:
    """Where something new may begin, after the start."""
    stops = {found.end() for found in _STOP.finditer(line)}
    begins = set() if is_japanese(line) else {at.start() for at in hearing("begins").finditer(line)}
    yield from sorted((stops | begins) - {0, len(line)})
