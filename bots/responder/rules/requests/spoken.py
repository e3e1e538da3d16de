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
from bots.words.heard import heard

_COUNTED = re.compile(
    rf"^(?P<count>{ENGLISH_COUNT})(?: more)?(?: (?:pieces?|blocks?|units?) of)?"
    r"(?: of (?:your|the|those|these|my))? (?P<thing>.+)$"
)
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
        part = heard("request.before", "en").sub("", f"{part} ").strip()
        part = heard("request.after", "en").sub("", part).strip()
    return part


def _bare_ja(part: str, called: str) -> str:
    before = ""
    while before != part:
        before = part
        part = re.sub(rf"^@?(?:{called})(?:さん|ちゃん|くん|君)?[、 ]*", "", part).strip()
        part = heard("request.before", "ja").sub("", part).strip()
    after = heard("request.after", "ja")
    while after.search(part) and not part.endswith(("て", "で")):
        part = after.sub("", part).strip()
    return part


def wish(words: str, several: bool) -> Wish | None:
    """Reads `ten oak logs`; without a number it is one, or `SOME` of a plural."""
    if counted := _COUNTED.match(words):
        return _of(english_count(counted["count"]), counted["thing"])
    if some := heard("request.some", "en").match(words):
        return _of(SOME, some["thing"])
    if every := heard("request.all", "en").match(words):
        return _of(ALL, every["thing"])
    if that := heard("request.that").match(words):
        plural = that["thing"].endswith("s")
        return _of(int(that["count"] or (ALL if plural else 1)), that["thing"])
    is_one = not several and not (words.endswith("s") or words == "wood")
    return _of(1 if is_one else SOME, words)


def _of(count: int, thing: str) -> Wish | None:
    return Wish(count, thing) if _THING.match(thing) else None


def wish_ja(count: str, thing: str, several: bool) -> Wish:
    if heard("request.all", "ja").fullmatch(count):
        return Wish(ALL, thing)
    if heard("request.some", "ja").fullmatch(count):
        return Wish(SOME, thing)
    return Wish(japanese_count(count) if count else SOME if several else 1, thing)
