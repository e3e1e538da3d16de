"""The words by which a line is found again: the same for a line that is stored and for a question.

English words are told apart by blanks; irregular forms count as their plain one, and the index cuts
regular endings off. Japanese has no blanks: a run of one script counts by its pairs of characters,
and each kanji counts alone, too, as 家 is a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from itertools import islice, takewhile

from bots.text.language import normal

MOST_WORDS = 400  # of one line; what players can send is shorter

_RUNS = re.compile(
    r"(?P<kanji>[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)"
    r"|(?P<katakana>[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]+)"
    r"|(?P<hiragana>[\u3041-\u3096\u309d\u309e][\u3041-\u3096\u309d\u309e\u30fc]*)"
    r"|(?P<hangul>[\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb]+)"
    r"|(?P<other>[^\W_\u3005\u3007\u3041-\u3096\u309d\u309e\u30a1-\u30ff\u31f0-\u31ff"
    r"\u3131-\u318e\u1100-\u11ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb"
    r"\uf900-\ufaff]+)"
)
_IS_HIRAGANA = re.compile("[\u3041-\u3096\u309d\u309e\u30fc]+")
_GENITIVE = re.compile(r"(?<=\w)'s\b|(?<=s)'(?!\w)")
_NAMES = re.compile(r"[A-Za-z0-9_.]{2,}")

_IRREGULAR = {
    form: plain
    for plain, forms in {
        "begin": "began begun",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "child": "children",
        "choose": "chose chosen",
        "come": "came",
        "die": "died dies dying",
        "dig": "dug",
        "do": "did done does",
        "drink": "drank drunk",
        "draw": "drew drawn",
        "drive": "drove driven",
        "eat": "ate eaten",
        "fall": "fell fallen",
        "feed": "fed",
        "feel": "felt",
        "fight": "fought",
        "find": "found",
        "fly": "flew flown",
        "forget": "forgot forgotten",
        "get": "got gotten",
        "give": "gave given",
        "go": "went gone goes",
        "grow": "grew grown",
        "hear": "heard",
        "hide": "hid hidden",
        "hold": "held",
        "keep": "kept",
        "know": "knew known",
        "leaf": "leaves",
        "leave": "left",
        "lend": "lent",
        "light": "lit",
        "lose": "lost",
        "make": "made",
        "man": "men",
        "mean": "meant",
        "meet": "met",
        "pay": "paid",
        "person": "people",
        "promise": "promised",
        "ride": "rode ridden",
        "run": "ran",
        "say": "said says",
        "see": "saw seen",
        "sell": "sold",
        "send": "sent",
        "shoot": "shot",
        "show": "shown",
        "sing": "sang sung",
        "sit": "sat",
        "sleep": "slept",
        "speak": "spoke spoken",
        "spend": "spent",
        "stand": "stood",
        "steal": "stole stolen",
        "swim": "swam swum",
        "take": "took taken",
        "teach": "taught",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "wear": "wore worn",
        "win": "won",
        "woman": "women",
        "wolf": "wolves",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}

_OF_ENGLISH = """
a about again all also always am an and any anybody anyone anything are as ask at be because
been before being but by can could d didn do doesn don dont for from get go had has hasn have
haven he her hers him his how i if in into is isn it its just know let ll m me mention
mentioned might mine my myself never no not now of off oh ok okay on once or our out over
please re really recall remember s say she should so some somebody someone something t talk
tell than that the their theirs them then there these they think this those to too up us ve
very was wasn we well were what whats when where which who whom whose why will with won would
yes yet you your yours yourself
"""
_OF_JAPANESE = """
です ます まし した ませ せん って てい いる いた ある あっ ない なか こと もの それ これ
あれ どこ なに なん だれ いつ から まで ので けど だっ った たい たの のは のか てた てる
ょう でし しょ どん んな くだ ださ さい くれ れた いて えて えま すか たっ いま るか てま
たか よね ので 何 誰 前 時 今 私 僕 俺 君 言 話 覚 時間 一 聞 教
"""
_A_MINE = re.compile(
    r"\b(?:the|a|our|your|my|old|new|to|in|into|near|\w+'s) (?:\w+ )?mine\b"
    r"|\bmine (?:is|was|are|has|shaft|entrance)\b|^mine$"
)
"""Where it is no pronoun but a place."""
_EMPTY = frozenset([*_OF_ENGLISH.split(), *_OF_JAPANESE.split()])
"""Words that tell nothing of what a question is about."""


def words_of(text: str) -> list[str]:
    """The words of a text, in their order; a word as often as it stands there."""
    return list(islice(_words(text), MOST_WORDS))


def asked_words(text: str) -> list[str]:
    """The words of a question that tell what it is about, each once."""
    empty = _EMPTY - {"mine"} if _A_MINE.search(normal(text)) else _EMPTY
    return [word for word in dict.fromkeys(words_of(text)) if word not in empty]


def names_in(text: str) -> list[str]:
    """What could be names of players; Japanese may follow without a blank."""
    plain = unicodedata.normalize("NFKC", text)
    return list(dict.fromkeys(one.strip(".") for one in _NAMES.findall(plain)))


def _words(text: str) -> Iterator[str]:
    for run in _RUNS.finditer(_GENITIVE.sub("", normal(text))):
        characters = run[0]
        match run.lastgroup:
            case "other":
                if not characters.isascii():  # without accents
                    split = unicodedata.normalize("NFKD", characters)
                    bare = "".join(one for one in split if not unicodedata.combining(one))
                    characters = bare or characters
                yield _IRREGULAR.get(characters, characters)
            case "kanji":
                yield from characters
                yield from _pairs(characters)
            case "hiragana" if len(characters) == 1:
                pass  # a particle
            case _ if len(characters) == 1:
                yield characters
            case _:
                yield from _pairs(characters)


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(len(run) - 1))


def weight_of(word: str) -> float:
    """How much a word tells of what a question is about: pairs of hiragana are mostly endings."""
    return 0.4 if _IS_HIRAGANA.fullmatch(word) else 1.0


# --- Whether a text speaks of what a question is about -------------------------------------------

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
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False))
    common = len(list(alike))
    rests = word[common:], other[common:]
    return common >= _STEM and all(rest in _ENDINGS for rest in rests)
