"""Reads from a line what somebody tells of themselves: where they live, what they like, want and
promise, what to call them. In English and Japanese; whatever is not plainly said is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bots.knowledge.cards.fact import Kind
from bots.text.excerpt import excerpt
from bots.text.language import normal

LONGEST = 90  # characters of a line that says something of its speaker
LONGEST_WORDS = 48
SHORTEST_WISH = 8

_SENTENCES = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_AND = re.compile(
    r",? (?:and|but|so|because) (?=(?:i|we|my)\b)|[、,] ?(?=(?:私|僕|俺|i\b|my\b))", re.I
)
_ASKS = re.compile(r"[?？]\s*$|(?:です|ます|した)か。?$")


class Told(NamedTuple):
    """Something that a line tells of its speaker."""

    kind: Kind
    words: str


def told_in(line: str) -> Iterator[Told]:
    """What a line tells of its speaker; nothing from questions."""
    for sentence in _SENTENCES.findall(line):
        if _ASKS.search(sentence):
            continue
        for clause in _AND.split(sentence):
            yield from _told(clause.strip(" 　.!。！"))


def _told(clause: str) -> Iterator[Told]:
    has_told = False
    for kind, pattern in _PATTERNS.items():
        found = pattern.search(clause)
        words = "" if found is None else next(filter(None, found.groups()), "")
        words = excerpt(_END.sub("", words), LONGEST_WORDS)
        if words and normal(words) not in _NOTHING:
            has_told = True
            yield Told(kind, words)
    if not has_told and SHORTEST_WISH <= len(clause) <= LONGEST and _wishes(clause):
        yield Told("wishes", excerpt(clause, LONGEST))


def _wishes(clause: str) -> bool:
    """Whether it is a wish and no order, which mostly says how many."""
    is_order = any(letter.isdigit() for letter in clause)
    return not is_order and _WISH.search(clause) is not None


_AT = r"(?:in|at|on|near|by|next to|beside|behind|under|below|above|over|around|close to|outside)"
_ME_JA = r"(?:(?:私|僕|俺|わたし|ぼく|うち)[はもの]?、?)?"
_VERBS = (
    "bring|give|get|build|make|show|help|come|meet|pay|return|craft|find|teach|visit|wait|send"
    "|share|lend|take care"
)
_PATTERNS: Mapping[Kind, re.Pattern[str]] = {
    "lives": re.compile(
        rf"\b(?:i|we) (?:now |still )?live (?:now )?({_AT} .{{2,}})"
        rf"|\bmy (?:home|house|base) (?:is|stands|lies) (?:now )?({_AT} .{{2,}})"
        rf"|^{_ME_JA}(.{{1,20}}?)に(?:住んで|暮らして)(?:い?る|い?ます|い?て)"
        r"|(?:家|拠点)は(.{1,20}?)(?:に(?:ある|あります)|です|だよ?$)",
        re.IGNORECASE,
    ),
    "called": re.compile(
        r"\b(?:my name is|call me|i am called|i'm called) ([^\W\d_]{2,16})\b"
        r"|名前は([^\W\d_]{1,12}?)(?:です|だ|$)|([^\W\d_、]{1,12}?)(?:と|って)呼んで",
        re.IGNORECASE,
    ),
    "likes": re.compile(
        r"\bi (?:really |also |just |do )?(?:like|love|prefer|enjoy|adore) "
        r"(?!to\b|you\b|is\b)(.{2,})"
        r"|\bmy favou?rite \w+ is (.{2,})"
        rf"|^{_ME_JA}(?!.*嫌い)([^はがも]{{1,20}}?)(?:が|は|も)(?:とても|すごく|大|一番)?(?:好き|気に入)",
        re.IGNORECASE,
    ),
    "dislikes": re.compile(
        r"\bi (?:really )?(?:hate|dislike|(?:don't|do not|dont) (?:really )?(?:like|want)) "
        r"(?!to\b|you\b)(.{2,})"
        rf"|^{_ME_JA}([^はがも]{{1,20}}?)(?:が|は|も)(?:とても|すごく|大)?(?:嫌い|苦手)",
        re.IGNORECASE,
    ),
    "promised": re.compile(
        rf"\bi(?:'ll| will) ((?:{_VERBS})\b.{{2,}})|\bi promise(?: you)?,?(?: that| to)? (.{{3,}})"
        rf"|^{_ME_JA}(.{{2,30}}?)(?:こと|の)?[をと]約束(?:する|します|しよう)"
        rf"|^{_ME_JA}(.{{1,30}}?[てで])(?:あげる|あげます)",
        re.IGNORECASE,
    ),
}
_WISH = re.compile(
    r"\bi(?:(?:'d| would)(?: really)? (?:love|like)"
    r"|(?: really)? (?:want|wish|hope|dream|love to|like to))\b(?! you\b)"
    r"|(?:たい|(?<!て)(?:ほしい|欲しい))(?:です|な|の|んだ|よ|ね)*$",
    re.IGNORECASE,
)
_END = re.compile(
    r"(?:,? (?:now|too|though|please|anyway|a lot|very much|so much|most)|、.*)+$", re.I
)
_NOTHING = frozenset(
    {
        *("it", "that", "this", "him", "her", "them", "these", "those", "そこ", "ここ"),
        *("later", "back", "now", "soon", "when", "if", "please", "何"),
    }
)
"""What these patterns find in other sentences: call me later."""
