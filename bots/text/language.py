"""The language of a line, and the normal form that patterns match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

from bots.text.spelling import foreign_words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

Language = Literal["en", "ja"]

_KANA = re.compile(r"[\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d々]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CHINESE = re.compile(
    r"[們這麼没沒跟怎从后个呀哈拜几儿拿找盖很僵无做笨歉怕气庄泳抱蹲剩嘶坏拆欺它听屎屁哭哥抓炸咋陪]|住手|打了|放哨|停下|站住|[家上午早]好|早安|快来|来[这我]"
    r"|[快一]跳|跳[一起舞支]|^我[想要又被好困累害不也有是在喜死的]|不[好是]|太[棒好]|玩(?!具)|^等[等一我]|[当救]我|救救|^[有打]怪物"
    r"|怪物来|^耶|^救命(?![士室])|房子|我走了|背包|^停{2,}|接着|停一下|有吃的|天黑|好了|安静|^[停跳][!！。]*$"
    r"|^再[見见][!！。]*$|那[里儿]|附近[有安]|^我迷路了|^在?下雨了?$|火把|点灯|[看照][好看]|收[割庄]|^快?回家"
    r"|^[看往][着我上下天地]|唱[歌首]|^今天是?我的?生日|等于|除以|是多少|[加乘减]以?[上\d一二三四五六七八九十]|睡[不觉着了]|一滴血"
    r"|把[它我墙屋他怪]|教教|打我|死了|末影|怪物(?:[就在追]|我)|弟弟|有人|不要走|数十下|不小心|我.?放学|我(?!慢).*了$|^我去|太多"
    r"|^[往向朝][东西南北前后左右]|快[一点]|大便|臭臭|天要黑|坐下|考了|第一名|建一|醒醒|城堡|[盖造]一?[个艘座]|破了|下雪了|漂亮|彩虹|好[疼痛美热冷漂]|教我|一只|外面好"
    r"|爬上|上船|[今明昨]天|我今年|有多[大深远高]|[^完終魅満修未校]了[!。?？～~]*(?:$|\s)"
)
_SCRIPTS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("ko", re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_CLAUSE_ENDS = re.compile(r"[.!?,;:。、…~〜]+\s*|\s+(?:and|but|then)\s+|\n")
_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "｀": "'"})


def language_of(lines: Sequence[str]) -> Language:
    """Of the two in which everything can be said, that of the newest line that contains letters."""
    for line in reversed(lines):
        if is_japanese(line):
            return "ja"
        if any(character.isalpha() for character in line):
            return "en"
    return "en"


def is_japanese(line: str) -> bool:
    """Whether it has kana, or is all Han signs with none that only Chinese has."""
    if _KANA.search(line):
        return True
    han = "".join(_HAN.findall(line))
    try:
        han.encode("cp932")  # Japan's character set has no signs that only China writes
    except UnicodeEncodeError:
        return False
    return bool(han) and _CHINESE.search(line) is None


def tongue_of(line: str) -> str:
    """Its language by its signs, as an ISO code; Latin letters count as English."""
    if is_japanese(line):
        return "ja"
    if _HAN.search(line):
        return "zh"
    counts = [(len(script.findall(line)), tongue) for tongue, script in _SCRIPTS]
    most, tongue = max(counts)
    return tongue if most >= sum(character.isalpha() for character in line) / 2 > 0 else "en"


def in_hiragana(text: str) -> str:
    """The text with katakana turned into hiragana."""
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


WIDE_AS = 3


def normal(text: str) -> str:
    """NFKC, case-blind, plain quotes, single spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)
    return " ".join(folded.split())


def reading_length(text: str) -> int:
    """The number of Latin letters that take as long to read; a wide character counts as three."""
    return sum(WIDE_AS if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def questions(line: str) -> list[str]:
    """The sentences of a line that end with a question mark."""
    return [found[0] for found in _QUESTION.finditer(line)]


def clauses(line: str) -> list[str]:
    """The parts of a line that can each ask for something of their own, normalised."""
    return [part for part in _CLAUSE_ENDS.split(normal(line)) if part.strip()]


# --- Other languages in Latin letters ------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
LEAST_LETTERS = 5
"""Less may be anything: "lol", "si", "gg"; and so may most single words, as names of things."""
ENGLISH_UP_TO = 0.1
"""The library's probability of English, at most: short lines of it score low."""
ENGLISH_WORDS_UP_TO = 0.4
"""So large a part of the words may be English ones, as "me" in Spanish."""


def is_foreign(line: str, english: Collection[str]) -> bool:
    """Whether nobody would take the line for English, however badly it is typed.

    `english` are words that are surely English. It is only asked of lines that nothing else
    understands; badly typed English is nearly always called English."""
    words = _WORD.findall(line.casefold())
    if len(words) == 1 and line.isascii():
        return words[0] in foreign_words()
    if sum(map(len, words)) < LEAST_LETTERS:
        return False
    known = sum(word in english for word in words)
    if known > ENGLISH_WORDS_UP_TO * len(words):
        return False
    chances: dict[str, float] = dict(_identifier().rank(line.casefold()))
    return chances["en"] <= ENGLISH_UP_TO


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid import langid  # when it is used: it reads 4 MB of tables

    found: LanguageIdentifier = langid.LanguageIdentifier.from_model_file(
        langid.MODEL_FILE, norm_probs=True
    )
    return found
