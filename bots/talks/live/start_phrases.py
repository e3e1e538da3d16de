"""Recognises which bots a line calls: "hey Alice, Bob, what shall we do?" begins a talk."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from bots.text.language import normal

LONGEST_TOPIC = 200  # characters

_GREETING = (
    r"(?:(?:hey|hi|hello|yo|ok|okay|so|listen|ねえ|ねぇ|やあ|おい|おーい|こんにちは)[\s,、!！]*)"
)
_HONORIFIC = r"(?:さん|ちゃん|くん|君|様)?"
_BETWEEN = r"(?:\s*(?:,|、|&|\+|/|\band\b|と|や)\s*(?:and\b\s*|と)?|\s+)"
_AFTER = r"\s*(?:[,、:;.!?…。]|\Z)"


def called(line: str, bots: Sequence[str]) -> tuple[str, ...]:
    """The bots that a line calls: several at its beginning, or one at its beginning or end."""
    if together := called_together(line, bots):
        return together
    found = _alone(tuple(bots)).search(normal(line)) if bots else None
    name = found and (found["first"] or found["last"])
    return tuple(bot for bot in bots if normal(bot) == name)


def without_call(line: str, bots: Sequence[str]) -> str:
    """What a line says to the bots it calls at its beginning, without greeting and names."""
    plain = " ".join(unicodedata.normalize("NFKC", line).split())
    found = re.match(_pattern(tuple(bots)).pattern, plain, re.IGNORECASE) if bots else None
    return plain[found.end() :].strip() if found else plain


def topic_of(line: str, bots: Sequence[str]) -> str:
    """The topic that a line gives the talk it begins; '' if it only calls."""
    return without_call(line, bots)[:LONGEST_TOPIC].rstrip(" .!?。！？…")


def called_together(line: str, bots: Sequence[str]) -> tuple[str, ...]:
    """The bots that a line calls by name at its beginning, if there are two or more.

    After a greeting the sentence may continue directly; without one, a comma or another mark must
    follow the names: "Alice and Bob are far away" calls nobody."""
    if len(bots) < 2:
        return ()
    text = normal(line)
    found = _pattern(tuple(bots)).match(text)
    if found is None or not (found["greeting"] or found["end"] is not None):
        return ()
    folded = {normal(bot): bot for bot in bots}
    named = re.findall("|".join(_longest_first(folded)), found["names"])
    called = tuple(dict.fromkeys(folded[name] for name in named))
    return called if len(called) > 1 else ()


@lru_cache(maxsize=64)
def _pattern(bots: tuple[str, ...]) -> re.Pattern[str]:
    name = f"(?:{'|'.join(_longest_first([normal(bot) for bot in bots]))}){_HONORIFIC}"
    names = f"(?P<names>{name}(?:{_BETWEEN}{name})+)(?![a-z0-9_])"
    return re.compile(rf"\W*(?P<greeting>{_GREETING}+)?{names}(?P<end>{_AFTER})?")


@lru_cache(maxsize=64)
def _alone(bots: tuple[str, ...]) -> re.Pattern[str]:
    name = "|".join(_longest_first([normal(bot) for bot in bots]))
    first = rf"\A\W*{_GREETING}*(?P<first>{name}){_HONORIFIC}(?![a-z0-9_])"
    last = rf"[,、]\s*(?:please\s+)?(?P<last>{name}){_HONORIFIC}\W*\Z"
    return re.compile(f"{first}|{last}")


def _longest_first(names: Sequence[str] | dict[str, str]) -> list[str]:
    return [re.escape(name) for name in sorted(names, key=len, reverse=True)]
