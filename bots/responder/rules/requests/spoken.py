"""What words of a request come to in English and in Japanese: bare of politeness, and as a wish."""

from __future__ import annotations

import re

from bots.responder.rules.requests.ask import (
    ALL,
    ENGLISH_COUNT,
    SOME,
    Wish,
    english_count,
    japanese_count,
)
from bots.text.language import Language

ASKING = re.compile(
    r"^(?:can|could|would|will) (?:you|u|ya)\b"
    r"|(?:くれる|くれます|くれません|もらえる|もらえます|もらえません|いただけ|頂け|くれない)"
)
"""A question with this in it is a request."""

_BEFORE = re.compile(
    r"^(?:(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|alright|all right|now|so|well|yo|then|next"
    r"|just|quick|quickly|also|finally|first|(?:can|could|would|will) (?:you|u|ya)"
    r"|i(?:'d| would) like you to|i (?:want|need) you to"
    r"|(?:go|come)(?: and| &)?"
    r"(?= (?:get|fetch|gather|collect|mine|chop|make|craft|bring|find|dig)\b)"
    r"|go ahead and|try to|start(?= \w+ing\b)) )+"
)
_AFTER = re.compile(
    r"(?: (?:please|pls|plz|for me|for us|now|right now|right away|immediately|quickly|quick|fast"
    r"|(?:for )?a (?:sec|second|moment|minute)|real quick"
    r"|asap|thanks|thank you|thx|if you can|when you can|if you please|ok|okay|would you|will you"
    r"|can you|again|instead|buddy|mate|friend|my friend|dude|bro))+$"
)
POLITE = (_BEFORE, _AFTER)
"""What changes nothing about a request."""
_BEFORE_JA = re.compile(
    r"^(?:ねえ|ねぇ|あの|えっと|じゃあ|では|さあ|ちょっと|すぐに|すぐ|今すぐ|早く|はやく|次に|次は"
    r"|まず|あと|もう一度|また|お願い|おねがい|悪いけど|すみませんが|まって)[、 ]?"
)
_AFTER_JA = re.compile(
    r"(?:お願いします|お願い|おねがい|お願いね|頼む|たのむ|よろしく|ね|よ|な|さん|ちゃん|くん)$"
)
_COUNTED = re.compile(
    rf"^(?P<count>{ENGLISH_COUNT})(?: more)?(?: (?:pieces?|blocks?|units?) of)? (?P<thing>.+)$"
)
_SOME = re.compile(r"^(?:some|any)(?: more)? (?:of )?(?P<thing>.+)$")
_ALL = re.compile(r"^(?:all|everything)(?: of)?(?: (?:the|your|my))? (?P<thing>.+)$")
_THAT = re.compile(r"^(?:the|your|my|that|those|these)(?: (?P<count>\d{1,9}))? (?P<thing>.+)$")
_THING = re.compile(r"^(?:minecraft:)?[a-z_]+(?: [a-z]+){0,3}$")


def bare(part: str, names: frozenset[str], language: Language) -> str:
    """A part of a sentence without the bot's name and polite words."""
    called = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    if language == "ja":
        return _bare_ja(part, called)
    before = ""
    while before != part:
        before = part
        part = re.sub(rf"^@?(?:{called})(?:: ?| |$)|(?: |^)(?:{called})$", "", part).strip()
        part = _AFTER.sub("", _BEFORE.sub("", f"{part} ").strip()).strip()
    return part


def _bare_ja(part: str, called: str) -> str:
    before = ""
    while before != part:
        before = part
        part = re.sub(rf"^@?(?:{called})(?:さん|ちゃん|くん|君)?[、 ]*", "", part).strip()
        part = _BEFORE_JA.sub("", part).strip()
    while _AFTER_JA.search(part) and not part.endswith(("て", "で")):
        part = _AFTER_JA.sub("", part).strip()
    return part


def wish(words: str, several: bool) -> Wish | None:
    """Reads `ten oak logs`; without a number it is one, or `SOME` of a plural."""
    if counted := _COUNTED.match(words):
        return _of(english_count(counted["count"]), counted["thing"])
    if some := _SOME.match(words):
        return _of(SOME, some["thing"])
    if every := _ALL.match(words):
        return _of(ALL, every["thing"])
    if that := _THAT.match(words):
        plural = that["thing"].endswith("s")
        return _of(int(that["count"] or (ALL if plural else 1)), that["thing"])
    is_one = not several and not (words.endswith("s") or words == "wood")
    return _of(1 if is_one else SOME, words)


def _of(count: int, thing: str) -> Wish | None:
    return Wish(count, thing) if _THING.match(thing) else None


def wish_ja(count: str, thing: str, several: bool) -> Wish:
    if count in ("全部", "ぜんぶ", "すべて"):
        return Wish(ALL, thing)
    if count in ("いくつか", "少し", "すこし"):
        return Wish(SOME, thing)
    return Wish(japanese_count(count) if count else SOME if several else 1, thing)
