"""Recognises which bots a line calls: "hey Alice, Bob, what shall we do?" begins a talk."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from bots.talks.machine.events import Participant
from bots.text.language import normal
from bots.words.heard import heard

LONGEST_TOPIC = 200  # characters
NO_NICKNAMES: Mapping[str, str] = MappingProxyType({})

_GREETING = "(?:(?:" + heard("call.greeting").pattern + r")[\s,、!！]*)"
_HONORIFIC = "(?:" + heard("call.honorific").pattern + ")?"
_AND, _TOO = heard("call.and").pattern, heard("call.too").pattern
_BETWEEN = rf"(?:\s*(?:,|、|&|\+|/|{_AND})\s*(?:{_TOO})?|\s+)"
_AFTER = r"\s*(?:[,、:;.!?…。]|\Z)"


def nicknames_of(bots: Iterable[Participant]) -> dict[str, str]:
    """The other names by which bots may be called, and whose they are."""
    return {name: one.name for one in bots for name in (one.display_name, one.short_name) if name}


def called(
    line: str, bots: Sequence[str], nicknames: Mapping[str, str] = NO_NICKNAMES
) -> tuple[str, ...]:
    """The bots that a line calls: several at its beginning, or one at its beginning or end."""
    if together := called_together(line, bots, nicknames):
        return together
    names = _names(bots, nicknames)
    found = _alone(tuple(names)).search(normal(line)) if names else None
    name = found and (found["first"] or found["last"])
    return (names[name],) if name else ()


def without_call(
    line: str, bots: Sequence[str], nicknames: Mapping[str, str] = NO_NICKNAMES
) -> str:
    """What a line says to the bots it calls at its beginning, without greeting and names."""
    plain = " ".join(unicodedata.normalize("NFKC", line).split())
    names = tuple(_names(bots, nicknames))
    found = re.match(_pattern(names).pattern, plain, re.IGNORECASE) if names else None
    return plain[found.end() :].strip() if found else plain


def topic_of(line: str, bots: Sequence[str], nicknames: Mapping[str, str] = NO_NICKNAMES) -> str:
    """The topic that a line gives the talk it begins; '' if it only calls."""
    return without_call(line, bots, nicknames)[:LONGEST_TOPIC].rstrip(" .!?。！？…")


def called_together(
    line: str, bots: Sequence[str], nicknames: Mapping[str, str] = NO_NICKNAMES
) -> tuple[str, ...]:
    """The bots that a line calls by name at its beginning, if there are two or more.

    After a greeting the sentence may continue directly; without one, a comma or another mark must
    follow the names: "Alice and Bob are far away" calls nobody."""
    if len(bots) < 2:
        return ()
    names = _names(bots, nicknames)
    found = _pattern(tuple(names)).match(normal(line))
    if found is None or not (found["greeting"] or found["end"] is not None):
        return ()
    named = re.findall("|".join(_longest_first(tuple(names))), found["names"])
    called = tuple(dict.fromkeys(names[name] for name in named))
    return called if len(called) > 1 else ()


def _names(bots: Sequence[str], nicknames: Mapping[str, str]) -> dict[str, str]:
    """Every name by which these bots may be called, folded; their own before nicknames."""
    others = {normal(name): bot for name, bot in nicknames.items() if bot in bots}
    return others | {normal(bot): bot for bot in bots}


@lru_cache(maxsize=64)
def _pattern(bots: tuple[str, ...]) -> re.Pattern[str]:
    name = f"(?:{'|'.join(_longest_first(bots))}){_HONORIFIC}"
    names = f"(?P<names>{name}(?:{_BETWEEN}{name})+)(?![a-z0-9_])"
    return re.compile(rf"\W*(?P<greeting>{_GREETING}+)?{names}(?P<end>{_AFTER})?")


@lru_cache(maxsize=64)
def _alone(bots: tuple[str, ...]) -> re.Pattern[str]:
    name = "|".join(_longest_first(bots))
    first = rf"\A\W*{_GREETING}*(?P<first>{name}){_HONORIFIC}(?![a-z0-9_])"
    last = rf"[,、]\s*(?:please\s+)?(?P<last>{name}){_HONORIFIC}\W*\Z"
    return re.compile(f"{first}|{last}")


def _longest_first(names: Sequence[str]) -> list[str]:
    return [re.escape(name) for name in sorted(names, key=len, reverse=True)]
